// What is shown, to take away: a plot as SVG or PNG, its numbers as CSV.
import { colour, download, fileName } from './dom.js';

const escaped = (text) =>
  String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

export function svgOf(u, title, names) {
  const { left, top, width, height } = u.bbox,
    r = devicePixelRatio || 1;
  const box = { x: left / r, y: top / r + 26, w: width / r, h: height / r };
  const W = u.width,
    H = u.height + 26,
    parts = [];
  const x = (v) => box.x + u.valToPos(v, 'x'),
    y = (v) => box.y + u.valToPos(v, 'y');
  parts.push(`<rect width="${W}" height="${H}" fill="${colour('card')}"/>`);
  parts.push(`<text x="10" y="18" font-weight="600" fill="${colour('ink')}">${escaped(title)}</text>`);
  let key = 24 + 8 * title.length;
  names.forEach((name, k) => {
    parts.push(
      `<path d="M${key} 14h14" stroke="${u.series[k + 1]._stroke}" stroke-width="2"/>`,
      `<text x="${key + 18}" y="18" fill="${colour('soft')}">${escaped(name)}</text>`,
    );
    key += 34 + 7 * name.length;
  });
  u.axes.forEach((axis, k) =>
    (axis._splits || []).forEach((v, i) => {
      const label = axis._values[i];
      if (v === null || label === null) return;
      const at = k === 0 ? x(v) : y(v);
      parts.push(
        k === 0
          ? `<path d="M${at} ${box.y}v${box.h}" stroke="${colour('grid')}"/>`
          : `<path d="M${box.x} ${at}h${box.w}" stroke="${colour('grid')}"/>`,
        k === 0
          ? `<text x="${at}" y="${box.y + box.h + 16}" text-anchor="middle" fill="${colour('soft')}">${escaped(label)}</text>`
          : `<text x="${box.x - 6}" y="${at + 4}" text-anchor="end" fill="${colour('soft')}">${escaped(label)}</text>`,
      );
    }),
  );
  const logarithmic = u.scales.y.distr === 3;
  for (let s = 1; s < u.series.length; ++s) {
    if (!u.series[s].show) continue;
    let path = '',
      pen = false;
    for (let i = 0; i < u.data[0].length; ++i) {
      const value = u.data[s][i],
        t = u.data[0][i];
      if (value === undefined) continue; // a point of another curve
      if (value === null || (logarithmic && value <= 0) || t < u.scales.x.min || t > u.scales.x.max) {
        pen = false;
        continue;
      }
      path += `${pen ? 'L' : 'M'}${x(t).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = true;
    }
    parts.push(
      `<path d="${path}" fill="none" stroke="${u.series[s]._stroke}" stroke-width="1.5" clip-path="url(#c)"/>`,
    );
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${W} ${H}" font-family="system-ui, sans-serif" font-size="12">` +
    `<clipPath id="c"><rect x="${box.x}" y="${box.y}" width="${box.w}" height="${box.h}"/></clipPath>${parts.join('')}</svg>`
  );
}

export function csvOf(u, first, names) {
  const quoted = (name) => (/[",\n]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name);
  const lines = [[first, ...names].map(quoted).join(',')];
  for (let i = 0; i < u.data[0].length; ++i) {
    const t = u.data[0][i];
    if (t < u.scales.x.min || t > u.scales.x.max) continue;
    lines.push(u.data.map((column) => (column[i] === null || column[i] === undefined ? '' : column[i])).join(','));
  }
  return lines.join('\n') + '\n';
}

function savePng(u, title) {
  const from = u.ctx.canvas,
    canvas = document.createElement('canvas'),
    r = devicePixelRatio || 1;
  canvas.width = from.width;
  canvas.height = from.height + 26 * r;
  const pen = canvas.getContext('2d');
  pen.fillStyle = colour('card');
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(from, 0, 26 * r);
  pen.fillStyle = colour('ink');
  pen.font = `600 ${13 * r}px system-ui, sans-serif`;
  pen.fillText(title, 10 * r, 18 * r);
  canvas.toBlob((blob) => download(fileName(title) + '.png', blob), 'image/png');
}

export function save(kind, u, title, first, names) {
  if (kind === 'PNG') savePng(u, title);
  if (kind === 'SVG') download(fileName(title) + '.svg', new Blob([svgOf(u, title, names)], { type: 'image/svg+xml' }));
  if (kind === 'CSV') download(fileName(title) + '.csv', new Blob([csvOf(u, first, names)], { type: 'text/csv' }));
}
