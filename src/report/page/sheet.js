// The page of a study: its figures, whose data lie beside their still pictures, become plots to look closer at.
import uPlot from 'uplot';
import { axis, logRange } from './axes.js';
import { decoded } from './decode.js';
import { element, isDark, palette, shown } from './dom.js';
import { save } from './export.js';

class StudyPlot {
  constructor(figure, data) {
    this.data = data;
    for (const curve of data.curves) for (const k of ['x', 'y']) curve[k] = Array.from(decoded(curve[k], Float32Array));
    this.figure = figure;
    this.names = data.curves.map((curve) => curve.name || 'curve');
    this.body = element('div', { class: 'plot' });
    this.values = data.curves.map(() => element('span', { class: 'value' }));
    figure.querySelector('svg').replaceWith(this.body);
    figure.classList.add('live');
    const caption = figure.querySelector('figcaption'),
      tools = element('span', { class: 'tools' });
    for (const kind of ['SVG', 'PNG', 'CSV'])
      tools.append(
        element(
          'button',
          {
            type: 'button',
            class: 'word',
            title: `Download as ${kind}`,
            onclick: () => save(kind, this.u, data.title, data.x_label, this.names),
          },
          kind,
        ),
      );
    caption.append(tools);
    this.hint = element('p', { class: 'note reading' });
    figure.append(this.hint);
    this.draw();
  }
  draw() {
    const { data } = this,
      colours = palette();
    const positive = (x, log) => (x !== null && Number.isFinite(x) && (!log || x > 0) ? x : null);
    const tables = data.curves.map((curve) => {
      const order = curve.x
        .map((_, k) => k)
        .filter((k) => positive(curve.x[k], data.x_log) !== null)
        .sort((a, b) => curve.x[a] - curve.x[b]);
      return [order.map((k) => curve.x[k]), order.map((k) => positive(curve.y[k], data.log))];
    });
    if (this.u) this.u.destroy();
    this.u = this.made(uPlot.join(tables.map(([x, y]) => distinct(x, y))), colours);
  }
  made(joined, colours) {
    const { data } = this,
      few = data.curves.every((curve) => curve.x.length <= 24);
    return new uPlot(
      {
        width: this.body.clientWidth || 420,
        height: 320,
        legend: { show: false },
        pxAlign: false,
        cursor: { drag: { x: true, y: true, uni: 12 }, points: { size: 7 } },
        scales: {
          x: {
            time: false,
            distr: data.x_log ? 3 : 1,
            range: data.x_log ? (u, low, high) => [low / 1.4, high * 1.4] : undefined,
          },
          y: data.log ? { distr: 3, range: logRange } : {},
        },
        series: [
          {},
          ...data.curves.map((curve) => ({
            stroke: colours[curve.colour % 8],
            width: curve.guide ? 1 : 1.6,
            dash: curve.guide ? [5, 5] : undefined,
            spanGaps: true,
            points: { show: few && !curve.guide, size: 6, fill: colours[curve.colour % 8] },
          })),
        ],
        axes: [axis(data.x_log, true, data.x_label), axis(data.log, false, data.y_label)],
        hooks: { setCursor: [(u) => this.read(u)] },
      },
      joined,
      this.body,
    );
  }
  read(u) {
    const i = u.cursor.idx;
    if (i === null || i === undefined) {
      this.hint.textContent = '';
      return;
    }
    const words = this.names
      .map((name, k) => [name, u.data[k + 1][i]])
      .filter(([, y]) => y !== null && y !== undefined)
      .map(([name, y]) => `${name}: ${shown(y, 5)}`);
    this.hint.textContent = `${this.data.x_label} ${shown(u.data[0][i], 5)}   ${words.join('   ')}`;
  }
  resize() {
    if (this.u && this.body.clientWidth) this.u.setSize({ width: this.body.clientWidth, height: 320 });
  }
}

// uPlot needs ascending abscissas: of equal ones the last counts.
function distinct(x, y) {
  const xs = [],
    ys = [];
  x.forEach((value, k) => {
    if (xs.length && xs[xs.length - 1] === value) ys[ys.length - 1] = y[k];
    else {
      xs.push(value);
      ys.push(y[k]);
    }
  });
  return [xs, ys];
}

const plots = [...document.querySelectorAll('figure > script[type="application/json"]')]
  .map((script) => ({ figure: script.parentElement, data: JSON.parse(script.textContent) }))
  .filter(({ data }) => !data.path)
  .map(({ figure, data }) => new StudyPlot(figure, data));
isDark.addEventListener('change', () => plots.forEach((plot) => plot.draw()));
addEventListener('resize', () => plots.forEach((plot) => plot.resize()));
window.livens = { plots };
