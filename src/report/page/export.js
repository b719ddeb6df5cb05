// What is shown, to take away: a plot as SVG or PNG, its numbers as CSV.
import { colour, download, fileName } from './dom.js';

const escaped = (text) =>
  String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

// The title and the names of the curves above a plot, in as many lines as they need.
function head(u, title, names) {
  const pen = document.createElement('canvas').getContext('2d'),
    words = [];
  const width = (text, font) => {
    pen.font = font;
    return pen.measureText(text).width;
  };
  let x = 10,
    y = 18;
  const put = (text, bold, shade) => {
    const before = shade ? 20 : 0,
      wide = before + width(text, `${bold ? 600 : 400} 12px system-ui, sans-serif`);
    if (x > 10 && x + wide > u.width - 8) {
      x = 10;
      y += 18;
    }
    words.push({ text, bold, shade, x: x + before, y });
    x += wide + 16;
  };
  put(title, true, null);
  names.forEach((name, k) => put(name, false, u.series[k + 1]._stroke));
  return { words, height: y + 8 };
}

export function svgOf(u, title, names) {
  const { left, top, width, height } = u.bbox,
    r = devicePixelRatio || 1,
    above = head(u, title, names);
  const box = { x: left / r, y: top / r + above.height, w: width / r, h: height / r };
  const W = u.width,
    H = u.height + above.height,
    parts = [];
  const x = (v) => box.x + u.valToPos(v, 'x'),
    y = (v) => box.y + u.valToPos(v, 'y');
  const text = (words, at, up, shade, more = '') =>
    parts.push(`<text x="${at}" y="${up}" fill="${colour(shade)}"${more}>${escaped(words)}</text>`);
  parts.push(`<rect width="${W}" height="${H}" fill="${colour('card')}"/>`);
  for (const word of above.words) {
    if (word.shade)
      parts.push(`<path d="M${word.x - 18} ${word.y - 4}h14" stroke="${word.shade}" stroke-width="2"/>`);
    text(word.text, word.x, word.y, word.bold ? 'ink' : 'soft', word.bold ? ' font-weight="600"' : '');
  }
  u.axes.forEach((axis, k) =>
    (axis._splits || []).forEach((v, i) => {
      const label = axis._values[i];
      if (v === null || label === null) return;
      const at = k === 0 ? x(v) : y(v);
      const line = k === 0 ? `M${at} ${box.y}v${box.h}` : `M${box.x} ${at}h${box.w}`;
      parts.push(`<path d="${line}" stroke="${colour('grid')}"/>`);
      if (k === 0) text(label, at, box.y + box.h + 16, 'soft', ' text-anchor="middle"');
      else text(label, box.x - 6, at + 4, 'soft', ' text-anchor="end"');
    }),
  );
  const [across, up] = u.axes.map((axis) => axis.label || '');
  if (across) text(across, box.x + box.w / 2, H - 6, 'ink', ' text-anchor="middle" font-weight="600"');
  if (up) {
    const turned = `transform="rotate(-90)" text-anchor="middle" font-weight="600"`;
    text(up, -(box.y + box.h / 2), 14, 'ink', ' ' + turned);
  }
  const logarithmic = u.scales.y.distr === 3;
  for (let s = 1; s < u.series.length; ++s) {
    if (!u.series[s].show) continue;
    const { dash, points, _stroke: stroke } = u.series[s];
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
      if (points.show(u, s))
        parts.push(`<circle cx="${x(t).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3" fill="${stroke}"/>`);
    }
    const dashed = dash ? ` stroke-dasharray="${dash.join(' ')}"` : '';
    parts.push(`<path d="${path}" fill="none" stroke="${stroke}"${dashed} stroke-width="1.5" clip-path="url(#c)"/>`);
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${W} ${H}" width="${W}" height="${H}" ` +
    `font-family="system-ui, sans-serif" font-size="12"><clipPath id="c">` +
    `<rect x="${box.x}" y="${box.y}" width="${box.w}" height="${box.h}"/></clipPath>${parts.join('')}</svg>`
  );
}

export function csvOf(u, first, names) {
  const quoted = (name) => (/[",\n]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name);
  const lines = [[first, ...names].map(quoted).join(',')];
  for (let i = 0; i < u.data[0].length; ++i) {
    const t = u.data[0][i];
    if (t < u.scales.x.min || t > u.scales.x.max) continue;
    // Numbers lie in the page in single precision, times in double.
    lines.push(
      u.data
        .map((column, k) => (Number.isFinite(column[i]) ? Number(column[i].toPrecision(k === 0 ? 12 : 8)) : ''))
        .join(','),
    );
  }
  return lines.join('\n') + '\n';
}

function savePng(u, title, names) {
  const from = u.ctx.canvas,
    canvas = document.createElement('canvas'),
    r = devicePixelRatio || 1,
    above = head(u, title, names);
  canvas.width = from.width;
  canvas.height = from.height + above.height * r;
  const pen = canvas.getContext('2d');
  pen.fillStyle = colour('card');
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(from, 0, above.height * r);
  pen.scale(r, r);
  for (const word of above.words) {
    if (word.shade) {
      pen.fillStyle = word.shade;
      pen.fillRect(word.x - 18, word.y - 5, 14, 2);
    }
    pen.fillStyle = colour(word.bold ? 'ink' : 'soft');
    pen.font = `${word.bold ? 600 : 400} 12px system-ui, sans-serif`;
    pen.fillText(word.text, word.x, word.y);
  }
  canvas.toBlob((blob) => download(fileName(title) + '.png', blob), 'image/png');
}

export function save(kind, u, title, first, names) {
  if (kind === 'PNG') savePng(u, title, names);
  if (kind === 'SVG') download(fileName(title) + '.svg', new Blob([svgOf(u, title, names)], { type: 'image/svg+xml' }));
  if (kind === 'CSV') download(fileName(title) + '.csv', new Blob([csvOf(u, first, names)], { type: 'text/csv' }));
}
