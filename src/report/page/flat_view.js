// The motion on a flat canvas: systems in the plane, phase portraits, and space where there is no WebGL.
import { FlatCamera } from './camera.js';
import { decoded } from './decode.js';
import { colour, palette, shown } from './dom.js';
import { coilPoints, outline, ticks } from './figures.js';
import { armsOf, colourOf, pointRadius, trailBegin, trailPoints } from './look.js';

export class FlatView {
  constructor(screen, motion) {
    this.canvas = screen.appendChild(document.createElement('canvas'));
    this.canvas.className = 'flat';
    this.trails = true;
    this.resize();
    const { view } = motion,
      g = view.gravity,
      up = g ? g.map((x) => -x) : [0, 0, 1];
    this.camera = new FlatCamera(this.canvas, view.dimension === 3, up, view.equal);
    this.camera.changed = () => this.draw(this.t);
    this.spot = new Float32Array(3);
    this.look();
    this.show(motion);
  }

  // A motion, or more of one; the camera stays as it is.
  show(motion) {
    this.motion = motion;
    const { view } = motion,
      inSpace = view.dimension === 3;
    this.background = (view.background || []).map((curve) => decoded(curve.points, Float32Array));
    this.outlines = (view.bodies || []).map((body, b) => {
      const arms = armsOf(view, b),
        two = body.shape.type === 'none' && arms.length === 2;
      return [
        ...outline(body, !inSpace, arms),
        ...(two ? [[arms[0], [0, 0, 0], arms[1]]] : arms.map((X) => [[0, 0, 0], X])),
      ];
    });
    this.setHome();
  }

  look() {
    this.colours = palette();
    this.paper = colour('card');
    this.ink = colour('ink');
    this.soft = colour('soft');
    this.grid = colour('grid');
  }
  reset() {
    this.camera.reset();
  }
  resize() {
    const ratio = devicePixelRatio || 1,
      box = this.canvas.parentElement.getBoundingClientRect();
    this.width = box.width;
    this.height = box.height;
    this.canvas.width = Math.round(box.width * ratio);
    this.canvas.height = Math.round(box.height * ratio);
    this.pen = this.canvas.getContext('2d');
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  // What the motion, its fixed places and its background need; bodies reach over their centres.
  setHome() {
    const { motion } = this,
      low = [Infinity, Infinity],
      high = [-Infinity, -Infinity];
    const include = (x, y, z) => {
      const p = this.camera.flat(x, y, z);
      for (let k = 0; k < 2; ++k) {
        low[k] = Math.min(low[k], p[k]);
        high[k] = Math.max(high[k], p[k]);
      }
    };
    const { view } = motion,
      top = view.low.map((x, k) => x + 65534 * view.scale[k]);
    for (let corner = 0; corner < 8; ++corner)
      include(...[0, 1, 2].map((k) => (k < view.dimension ? ((corner >> k) & 1 ? top[k] : view.low[k]) : 0)));
    for (const place of view.fixed || []) include(...place);
    for (const curve of this.background)
      for (let k = 0; k < curve.length; k += 3) include(curve[k], curve[k + 1], curve[k + 2]);
    for (let n = 0; n < motion.frames && this.outlines.length > 0; n += Math.ceil(motion.frames / 40)) {
      motion.at(motion.time(n));
      const spot = [0, 0, 0];
      this.outlines.forEach((lines, body) =>
        lines.forEach((line) =>
          line.forEach((X) => {
            motion.carried(body, X, spot, 0);
            include(...spot);
          }),
        ),
      );
      for (const s of view.springs || [])
        s.points.forEach((X, k) => {
          motion.carried(s.bodies[k], X, spot, 0);
          include(...spot);
        });
    }
    for (let k = 0; k < 2; ++k)
      if (!(high[k] > low[k])) {
        low[k] -= 0.5;
        high[k] += 0.5;
      }
    this.camera.setHome(low, high);
  }

  draw(t) {
    if (t === undefined) return;
    this.t = t;
    const { pen, motion } = this,
      { view } = motion;
    motion.at(t);
    this.map = this.camera.fit(this.width, this.height);
    pen.clearRect(0, 0, this.width, this.height);
    pen.lineJoin = pen.lineCap = 'round';
    if (!this.camera.inSpace) this.drawGrid(view.labels || ['x', 'y']);
    pen.lineWidth = 1.5;
    this.background.forEach((curve) => this.line(curve, this.soft, 0.7));
    if (this.trails) this.drawTrails(t);
    if (view.bodies) this.drawMechanism(view);
    else this.drawPoints(view);
    if (view.gravity) this.drawGravity(view.gravity);
  }

  page(x, y, z) {
    const p = this.camera.flat(x, y, z),
      { sx, sy, x0, y0 } = this.map;
    return [x0 + p[0] * sx, y0 - p[1] * sy];
  }
  line(numbers, stroke, alpha = 1) {
    const { pen } = this;
    pen.beginPath();
    for (let k = 0; k < numbers.length; k += 3) {
      const [x, y] = this.page(numbers[k], numbers[k + 1], numbers[k + 2]);
      if (k === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    }
    pen.globalAlpha = alpha;
    pen.strokeStyle = stroke;
    pen.stroke();
    pen.globalAlpha = 1;
  }
  dot(x, y, z, radius, fill) {
    const { pen } = this,
      [px, py] = this.page(x, y, z);
    pen.beginPath();
    pen.arc(px, py, radius, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.fill();
    pen.lineWidth = 1;
    pen.strokeStyle = this.paper;
    pen.stroke();
  }

  drawGrid(labels) {
    const { pen, width, height } = this,
      { sx, sy, x0, y0 } = this.map;
    pen.font = '12px system-ui, sans-serif';
    pen.lineWidth = 1;
    pen.strokeStyle = this.grid;
    pen.fillStyle = this.soft;
    pen.beginPath();
    const across = ticks(-x0 / sx, (width - x0) / sx, width / 110),
      up = ticks((y0 - height) / sy, y0 / sy, height / 80);
    for (const x of across) {
      pen.moveTo(x0 + x * sx, 0);
      pen.lineTo(x0 + x * sx, height);
    }
    for (const y of up) {
      pen.moveTo(0, y0 - y * sy);
      pen.lineTo(width, y0 - y * sy);
    }
    pen.stroke();
    pen.textAlign = 'center';
    for (const x of across)
      if (x0 + x * sx > 52 && x0 + x * sx < width - 40) pen.fillText(shown(x), x0 + x * sx, height - 6);
    pen.textAlign = 'left';
    for (const y of up) if (y0 - y * sy > 38 && y0 - y * sy < height - 24) pen.fillText(shown(y), 6, y0 - y * sy - 3);
    pen.fillStyle = this.ink;
    pen.font = '600 13px system-ui, sans-serif';
    pen.fillText(labels[1], 8, 18);
    pen.textAlign = 'right';
    pen.fillText(labels[0], width - 8, height - 22);
  }

  drawTrails(t) {
    const { pen, motion, spot } = this,
      pieces = motion.view.kind === 'phase' ? 600 : 200,
      first = trailBegin(motion, t, pieces);
    if (t === first) return;
    pen.lineWidth = 2;
    pen.lineCap = 'butt'; // pieces that overlap would show
    for (const point of trailPoints(motion)) {
      pen.strokeStyle = this.colours[colourOf(motion, point)];
      let before = null;
      for (let k = 0; k <= pieces; ++k) {
        motion.place(point, first + ((t - first) * k) / pieces, spot, 0);
        const here = this.page(spot[0], spot[1], spot[2]);
        if (before) {
          pen.globalAlpha = (0.75 * k) / pieces;
          pen.beginPath();
          pen.moveTo(...before);
          pen.lineTo(...here);
          pen.stroke();
        }
        before = here;
      }
    }
    pen.globalAlpha = 1;
    pen.lineCap = 'round';
  }

  drawPoints(view) {
    const { pen, motion, spot } = this,
      many = motion.places > 60,
      { x } = motion;
    const end = (k, at) => (k < 0 ? view.fixed[-1 - k][at] : x[3 * k + at]);
    pen.lineWidth = many ? 1.5 : 3;
    for (const [a, b] of view.rods)
      this.line([end(a, 0), end(a, 1), end(a, 2), end(b, 0), end(b, 1), end(b, 2)], this.soft);
    for (const place of view.fixed) this.square(place);
    const radius = view.radius
      ? view.radius * this.map.sx
      : Math.max(1.5, pointRadius(motion) * Math.min(this.width, this.height));
    for (let p = 0; p < motion.places; ++p)
      this.dot(
        x[3 * p],
        x[3 * p + 1],
        x[3 * p + 2],
        view.radius ? Math.max(1, radius) : radius,
        this.colours[colourOf(motion, p)],
      );
    if (motion.places > 1 && motion.places <= 12) this.drawNames(view.names, radius);
  }
  drawNames(names, radius) {
    const { pen, motion } = this;
    pen.font = '12px system-ui, sans-serif';
    pen.fillStyle = this.soft;
    pen.textAlign = 'left';
    names.forEach((name, p) => {
      const [px, py] = this.page(motion.x[3 * p], motion.x[3 * p + 1], motion.x[3 * p + 2]);
      if (name) pen.fillText(name, px + radius + 4, py - radius);
    });
  }
  square(place) {
    const { pen } = this,
      [x, y] = this.page(...place);
    pen.fillStyle = this.ink;
    pen.fillRect(x - 4, y - 4, 8, 8);
  }

  drawMechanism(view) {
    const { pen, motion, spot } = this;
    view.bodies.forEach((body, b) => {
      const stroke = this.colours[colourOf(motion, b)];
      pen.lineWidth = body.shape.type === 'rod' || body.shape.type === 'none' ? 5 : 2;
      if (view.bodies.length > 60) pen.lineWidth = 1.5;
      for (const X of this.outlines[b]) {
        pen.beginPath();
        X.forEach((corner, k) => {
          motion.carried(b, corner, spot, 0);
          const [x, y] = this.page(spot[0], spot[1], spot[2]);
          if (k === 0) pen.moveTo(x, y);
          else pen.lineTo(x, y);
        });
        if (!this.camera.inSpace && X.length > 2) {
          pen.fillStyle = stroke;
          pen.globalAlpha = 0.25;
          pen.fill();
          pen.globalAlpha = 1;
        }
        pen.strokeStyle = stroke;
        pen.stroke();
      }
      if (body.shape.type === 'point' || this.outlines[b].length === 0)
        this.dot(motion.x[3 * b], motion.x[3 * b + 1], motion.x[3 * b + 2], 6, stroke);
    });
    pen.lineWidth = 1.8;
    for (const s of view.springs) {
      const ends = new Float32Array(6);
      motion.carried(s.bodies[0], s.points[0], ends, 0);
      motion.carried(s.bodies[1], s.points[1], ends, 3);
      const a = this.page(ends[0], ends[1], ends[2]),
        b = this.page(ends[3], ends[4], ends[5]);
      pen.beginPath();
      coilPoints(a, b, s.coil).forEach(([x, y], k) => (k === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
      pen.strokeStyle = this.ink;
      pen.stroke();
    }
    for (const joint of view.joints.filter(({ type }) => type === 'distance')) {
      const ends = [0, 0, 0, 0, 0, 0];
      for (const k of [0, 1]) motion.carried(joint.bodies[k], joint.points[k], ends, 3 * k);
      this.line(ends, this.soft);
    }
    for (const joint of view.joints) {
      motion.carried(joint.bodies[joint.side], joint.points[joint.side], spot, 0);
      if (joint.bodies.includes(-1)) this.square(joint.points[joint.bodies.indexOf(-1)]);
      this.dot(spot[0], spot[1], spot[2], view.joints.length > 60 ? 1.5 : 3.5, this.paper);
      pen.strokeStyle = this.ink;
      pen.stroke();
    }
  }

  drawGravity(g) {
    const { pen } = this,
      p = this.camera.flat(...g),
      size = Math.hypot(...p) || 1;
    const x = this.width - 34,
      y = 26,
      dx = (p[0] / size) * 26,
      dy = (-p[1] / size) * 26;
    pen.strokeStyle = pen.fillStyle = this.soft;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + dx, y + dy);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(x + dx * 1.25, y + dy * 1.25);
    pen.lineTo(x + dx - dy * 0.16, y + dy + dx * 0.16);
    pen.lineTo(x + dx + dy * 0.16, y + dy - dx * 0.16);
    pen.fill();
    pen.font = '12px system-ui, sans-serif';
    pen.textAlign = 'left';
    pen.fillText('g', x + 10, y + 12);
  }
}
