// Plots over time in groups that open and close: hover, zoom linked over all, the playhead in each.
import uPlot from 'uplot';
import { axis, logRange, plainRange } from './axes.js';
import { decoded } from './decode.js';
import { colour, element, isDark, palette, shown } from './dom.js';
import { save } from './export.js';

const height = 210;

// Curves that were thinned one by one have times of their own: all times, and undefined where a curve has no point.
function together(curves, t0) {
  if (curves.length === 1) return [curves[0].t.map((t) => t + t0), curves[0].v];
  return uPlot.join(curves.map((curve) => [curve.t.map((t) => t + t0), curve.v]));
}

class TimePlot {
  constructor(group, plot) {
    this.group = group;
    this.plot = plot;
    this.all = group.all;
    this.names = plot.curves.map((curve) => curve.name);
    this.values = plot.curves.map(() => element('span', { class: 'value' }));
    this.body = element('div', { class: 'plot' });
    const units = [...new Set(plot.curves.map((curve) => curve.unit || ''))];
    this.unit = units.length === 1 ? units[0] : '';
    const keys = plot.curves.map((curve, k) =>
      element(
        'span',
        { class: `key c${k % 8}`, title: curve.about || null },
        curve.name + (curve.unit && !this.unit ? ` (${curve.unit})` : ''),
        ' ',
        this.values[k],
      ),
    );
    this.note = element('span', { class: 'note' });
    this.switch = plot.error ? element('button', { type: 'button', class: 'word', onclick: () => this.turn() }) : null;
    const saves = ['SVG', 'PNG', 'CSV'].map((kind) =>
      element(
        'button',
        {
          type: 'button',
          class: 'word',
          title: `Download as ${kind}`,
          onclick: () => save(kind, this.u, plot.title, 't', this.names),
        },
        kind,
      ),
    );
    this.seen = true; // until it is known that it is not
    this.figure = element(
      'figure',
      { class: 'live' },
      element(
        'figcaption',
        {},
        element(
          'div',
          { class: 'head' },
          element('b', {}, plot.title + (this.unit ? ` (${this.unit})` : '')),
          element('span', { class: 'tools' }, this.switch, ...saves),
        ),
        ...keys,
        this.note,
      ),
      this.body,
    );
  }

  // Whether sizes are worth powers of ten: those of the curves, or of the parts of the run, differ by a factor of 30.
  spread() {
    const [t, ...columns] = this.raw,
      parts = 8,
      largest = columns.map(() => new Float64Array(parts));
    columns.forEach((column, c) => {
      for (let i = 1; i < t.length; ++i) {
        const part = Math.min(parts - 1, Math.floor((parts * i) / t.length)),
          size = Math.abs(column[i]);
        if (Number.isFinite(size)) largest[c][part] = Math.max(largest[c][part], size);
      }
    });
    const wide = (sizes) => {
      const some = sizes.filter((x) => x > 0);
      return some.length > 1 && Math.max(...some) > 30 * Math.min(...some);
    };
    return wide(largest.map((sizes) => Math.max(...sizes))) || largest.some((sizes) => wide([...sizes]));
  }

  // The numbers as they are shown: of errors on a logarithmic axis the size; what is 0 has no place there.
  data() {
    const [t, ...columns] = this.raw;
    this.zeros = false;
    if (!this.logarithmic)
      return [
        t,
        ...columns.map((column) =>
          Array.from(column, (x) => (x === undefined ? undefined : Number.isFinite(x) ? x : null)),
        ),
      ];
    return [
      t,
      ...columns.map((column) =>
        Array.from(column, (x, i) => {
          if (x === undefined) return undefined;
          if (x === 0 && i > 0) this.zeros = true; // at the start every error is 0
          return Number.isFinite(x) && x !== 0 ? Math.abs(x) : null;
        }),
      ),
    ];
  }

  draw() {
    const { plot, all } = this;
    if (!this.raw) {
      const numbers = (text) => {
        const row = Array.from(decoded(text, Float32Array));
        return all.back ? row.reverse() : row;
      };
      const curves = plot.curves.map((curve) => ({ v: numbers(curve.v), t: curve.t ? numbers(curve.t) : null }));
      this.raw = all.t ? [all.t, ...curves.map((curve) => curve.v)] : together(curves, all.t0);
      this.logarithmic = plot.error && this.spread();
    }
    if (this.u) this.u.destroy();
    const data = this.data(),
      colours = palette(),
      { logarithmic } = this;
    const zero = this.raw.slice(1).every((column) => column.every((x) => x === undefined || x === 0));
    if (this.switch) {
      this.switch.textContent = logarithmic ? 'log' : 'linear';
      this.switch.title = logarithmic ? 'Sizes; click for a linear axis' : 'Click for sizes on a logarithmic axis';
    }
    this.note.textContent = [
      plot.note,
      logarithmic && this.zeros ? 'what is exactly 0 is not drawn' : '',
      plot.error && zero ? 'exactly 0' : '',
    ]
      .filter(Boolean)
      .join('; ');
    const steps = uPlot.paths.linear();
    this.u = new uPlot(
      {
        width: this.body.clientWidth || 380,
        height,
        legend: { show: false },
        pxAlign: false,
        cursor: {
          sync: {
            key: 'time',
            scales: ['x', null],
            filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
          },
          drag: { x: true, y: false },
          points: { size: 6 },
          focus: { prox: -1 },
        },
        scales: {
          x: { time: false, range: () => all.zoom || all.span },
          y: logarithmic ? { distr: 3, range: logRange } : { range: plainRange },
        },
        series: [
          {},
          ...plot.curves.map((curve, k) => ({
            stroke: colours[k % 8],
            width: 1.5,
            spanGaps: false,
            paths: steps,
            points: { show: false },
          })),
        ],
        axes: [axis(false, true, ''), axis(logarithmic, false, '')],
        hooks: {
          setSelect: [
            (u) => {
              if (u.select.width > 3)
                all.setZoom(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
            },
          ],
          setCursor: [(u) => this.hover(u)],
          draw: [(u) => this.drawEvents(u)],
        },
      },
      data,
      this.body,
    );
    this.u.over.addEventListener('dblclick', () => all.setZoom());
    let pressed = 0; // a drag ends with a click, too
    this.u.over.addEventListener('mousedown', (event) => {
      pressed = event.clientX;
    });
    this.u.over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - pressed) <= 3) all.seek(this.u.posToVal(event.offsetX, 'x'));
    });
    this.head = element('div', { class: 'playhead' });
    this.u.over.append(this.head);
    this.show(all.now);
  }
  turn() {
    this.logarithmic = !this.logarithmic;
    this.draw();
  }
  resize() {
    if (this.u && this.body.clientWidth) this.u.setSize({ width: this.body.clientWidth, height });
  }

  drawEvents(u) {
    const { events } = this.all;
    if (!events.length) return;
    const { ctx, bbox } = u;
    ctx.save();
    ctx.strokeStyle = colour('bad');
    ctx.globalAlpha = 0.45;
    ctx.setLineDash([3, 4]);
    ctx.beginPath();
    // One line for each column of the screen that has events.
    const columns = new Set(events.map((event) => Math.round(u.valToPos(event.t, 'x', true))));
    for (const at of columns) {
      if (at < bbox.left || at > bbox.left + bbox.width) continue;
      ctx.moveTo(at + 0.5, bbox.top);
      ctx.lineTo(at + 0.5, bbox.top + bbox.height);
    }
    ctx.stroke();
    ctx.restore();
  }

  // The value of a curve at or before a time.
  value(k, t) {
    const times = this.u.data[0],
      column = this.u.data[k + 1];
    let low = 0,
      high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t * (1 + 1e-12) || times[middle] <= t) low = middle;
      else high = middle - 1;
    }
    while (low > 0 && column[low] === undefined) --low;
    return column[low];
  }
  write(t) {
    this.values.forEach((span, k) => {
      span.textContent = shown(this.value(k, t), 5);
    });
  }
  hover(u) {
    this.hovered = u.cursor.left >= 0 && u.cursor.idx !== null;
    this.write(this.hovered ? u.posToVal(u.cursor.left, 'x') : this.all.now);
  }
  show(t) {
    if (!this.u || !this.seen) return;
    const at = this.u.valToPos(t, 'x'),
      inside = at >= 0 && at <= this.u.over.clientWidth;
    this.head.style.transform = `translateX(${at.toFixed(1)}px)`;
    this.head.hidden = !inside;
    const now = performance.now(); // words ten times a second, nobody reads faster
    if (this.hovered || (this.all.playing && now - (this.told || 0) < 100)) return;
    this.told = now;
    this.write(t);
  }
}

export class Plots {
  constructor(place, data, seek) {
    this.place = place;
    this.seek = seek;
    this.zoom = null;
    this.now = data.span[0];
    this.opened = new Map();
    this.shown = new Map(); // plots by figure
    this.eyes = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const plot = this.shown.get(target);
          if (plot) {
            plot.seen = isIntersecting;
            plot.show(this.now);
          }
        }
      },
      { rootMargin: '200px' },
    );
    this.show(data);
    isDark.addEventListener('change', () => this.each((plot) => plot.draw()));
    addEventListener('resize', () => this.each((plot) => plot.resize()));
  }

  show(data) {
    const { plots } = data;
    this.eyes.disconnect();
    this.shown.clear();
    this.events = data.events;
    this.span = data.span[0] <= data.span[1] ? data.span : [data.span[1], data.span[0]];
    this.t0 = plots.t0;
    this.t = plots.t ? Array.from(decoded(plots.t, Float64Array)) : null;
    this.back = data.span[0] > data.span[1]; // drawn from left to right all the same
    if (this.back) this.t?.reverse();
    this.groups = plots.groups.map((group) => this.group(group));
    const rows = data.rows.toLocaleString('en');
    const how = plots.parts
      ? `Curves of long runs keep the lowest and the highest value of each of ${plots.parts} equal parts of the ` +
        `${rows} recorded rows, at the times where they stand.`
      : data.rows === 1
        ? 'There is one recorded row: the start.'
        : `All ${rows} recorded rows are drawn.`;
    const unit = data.time_unit ? ` Time is in ${data.time_unit}.` : '';
    this.reset = element(
      'button',
      { type: 'button', class: 'word', hidden: !this.zoom, onclick: () => this.setZoom() },
      'whole time',
    );
    const list = data.events.length ? this.eventList(data.events) : null;
    this.place.replaceChildren(
      element(
        'p',
        { class: 'hint' },
        'Drag across a plot to look closer, in all of them; double-click for the whole. A click moves the ' +
          `view there.${unit} ${how} `,
        this.reset,
      ),
      ...this.groups.map((group) => group.details),
      list ?? '',
    );
    this.each((plot) => plot.draw());
  }

  group(given) {
    const open = this.opened.get(given.title) ?? given.open;
    const figures = element('div', { class: 'figures' });
    const details = element(
      'details',
      { open, class: 'group' },
      element(
        'summary',
        {},
        element('h2', {}, given.title),
        element('span', { class: 'note' }, `${given.plots.length} plot${given.plots.length === 1 ? '' : 's'}`),
      ),
      figures,
    );
    const group = { all: this, details, plots: [] };
    group.plots = given.plots.map((plot) => new TimePlot(group, plot));
    figures.append(...group.plots.map((plot) => plot.figure));
    for (const plot of group.plots) {
      this.shown.set(plot.figure, plot);
      this.eyes.observe(plot.figure);
    }
    details.addEventListener('toggle', () => {
      this.opened.set(given.title, details.open);
      if (details.open)
        for (const plot of group.plots)
          if (!plot.u) plot.draw();
          else plot.resize();
    });
    return group;
  }
  eventList(events) {
    const rows = events
      .slice(0, 500)
      .map((event) =>
        element(
          'tr',
          {},
          element(
            'td',
            {},
            element('button', { type: 'button', class: 'word', onclick: () => this.seek(event.t) }, shown(event.t, 8)),
          ),
          element('td', {}, event.kind),
          element('td', {}, event.name),
        ),
      );
    return element(
      'details',
      { class: 'group events', open: events.length <= 12 },
      element(
        'summary',
        {},
        element('h2', {}, 'Events'),
        element(
          'span',
          { class: 'note' },
          `${events.length}${events.length > 500 ? ', the first 500 are listed' : ''}`,
        ),
      ),
      element(
        'div',
        { class: 'card' },
        element(
          'table',
          {},
          element('thead', {}, element('tr', {}, ...['t', 'what', 'where'].map((word) => element('th', {}, word)))),
          element('tbody', {}, ...rows),
        ),
      ),
    );
  }

  each(call) {
    for (const group of this.groups) if (group.details.open) for (const plot of group.plots) call(plot);
  }
  setZoom(low, high) {
    this.zoom = low === undefined ? null : [Math.max(low, this.span[0]), Math.min(high, this.span[1])];
    this.reset.hidden = !this.zoom;
    const [min, max] = this.zoom || this.span;
    for (const group of this.groups)
      for (const plot of group.plots)
        if (plot.u) {
          plot.u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          plot.u.setScale('x', { min, max });
          plot.show(this.now);
        }
  }
  at(t, playing) {
    this.now = t;
    this.playing = playing;
    this.each((plot) => {
      if (plot.u) plot.show(t);
    });
  }
}
