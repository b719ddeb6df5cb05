// The recorded motion between its frames: places of points or bodies, and how bodies are turned, at any time.
import { decoded } from './decode.js';

export class Motion {
  constructor(view) {
    this.view = view;
    this.dimension = view.dimension;
    this.frames = view.frames;
    this.places = view.places;
    this.width = view.width;
    this.numbers = decoded(view.motion, Int16Array);
    this.times = view.times.each ? decoded(view.times.each, Float64Array) : null;
    this.x = new Float32Array(3 * view.places); // in the plane the third is 0
    this.turn = new Float32Array(4 * view.places); // unit quaternions (x, y, z, w)
    this.weights = new Float64Array(4);
    this.rows = new Int32Array(4);
    this.turned = view.width > view.places * view.dimension;
    this.at(this.first);
  }

  get first() {
    return this.time(0);
  }
  get last() {
    return this.time(this.frames - 1);
  }
  time(frame) {
    return this.times ? this.times[frame] : this.view.times.first + frame * this.view.times.step;
  }

  // The number of the frame at or before t, with the part of the way to the next one.
  frame(t) {
    const last = this.frames - 1;
    if (last === 0) return 0;
    const forward = this.last >= this.first;
    if (!this.times) return Math.min(last, Math.max(0, (t - this.view.times.first) / this.view.times.step));
    let low = 0,
      high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (forward ? this.times[middle] <= t : this.times[middle] >= t) low = middle;
      else high = middle;
    }
    const part = (t - this.times[low]) / (this.times[high] - this.times[low] || 1);
    return low + Math.min(1, Math.max(0, part));
  }

  // Between frames numbers lie on the cubic through four of them (Catmull and Rom): weights of the rows of numbers from
  // n - 1 on; beyond the ends the motion goes on straight.
  weigh(t) {
    const f = this.frame(t),
      n = Math.floor(f),
      s = f - n,
      last = this.frames - 1,
      w = this.weights;
    w[0] = (s / 2) * (-1 + s * (2 - s));
    w[1] = 1 + ((s * s) / 2) * (-5 + 3 * s);
    w[2] = (s / 2) * (1 + s * (4 - 3 * s));
    w[3] = ((s * s) / 2) * (s - 1);
    if (n + 2 > last) {
      w[1] -= w[3];
      w[2] += 2 * w[3];
      w[3] = 0;
    }
    if (n === 0) {
      w[1] += 2 * w[0];
      w[2] -= w[0];
      w[0] = 0;
    }
    this.row = n;
    this.part = s;
    const { rows, width } = this;
    for (let k = 0; k < 4; ++k) rows[k] = Math.min(last, Math.max(0, n - 1 + k)) * width;
  }

  place(point, t, out, at) {
    this.weigh(t);
    this.places3(point, point + 1, out, at);
  }
  // Points first .. end - 1, three numbers each.
  places3(first, end, out, at) {
    const {
      dimension,
      numbers,
      weights: [a, b, c, d],
      rows: [ra, rb, rc, rd],
      view: { low, scale },
    } = this;
    for (let p = first; p < end; ++p, at += 3) {
      for (let k = 0; k < dimension; ++k) {
        const i = p * dimension + k;
        out[at + k] =
          low[k] +
          scale[k] * (a * numbers[ra + i] + b * numbers[rb + i] + c * numbers[rc + i] + d * numbers[rd + i] + 32767);
      }
      if (dimension === 2) out[at + 2] = 0;
    }
  }

  at(t) {
    this.weigh(t);
    this.places3(0, this.places, this.x, 0);
    if (this.turned) this.turnAll(this.row, this.part);
  }
  turnAll(n, part) {
    const { numbers, width, places, dimension, turn } = this,
      begin = places * dimension;
    const next = Math.min(this.frames - 1, n + 1) * width + begin,
      here = n * width + begin;
    for (let p = 0; p < places; ++p) {
      if (dimension === 2) {
        const c = (1 - part) * numbers[here + 2 * p] + part * numbers[next + 2 * p];
        const s = (1 - part) * numbers[here + 2 * p + 1] + part * numbers[next + 2 * p + 1];
        const half = Math.atan2(s, c) / 2;
        turn.set([0, 0, Math.sin(half), Math.cos(half)], 4 * p);
        continue;
      }
      let along = 0,
        square = 0;
      for (let k = 0; k < 4; ++k) along += numbers[here + 4 * p + k] * numbers[next + 4 * p + k];
      const sign = along < 0 ? -1 : 1; // q and -q are the same turn
      for (let k = 0; k < 4; ++k) {
        const x = (1 - part) * numbers[here + 4 * p + k] + sign * part * numbers[next + 4 * p + k];
        turn[4 * p + k] = x;
        square += x * x;
      }
      const size = Math.sqrt(square) || 1;
      for (let k = 0; k < 4; ++k) turn[4 * p + k] /= size;
    }
  }

  // How fast it looks, per unit of time: of the place in the middle of all and of the fastest, on the average over the
  // run. A way as long as the picture counts 1, a whole turn 0.4. Where the picture goes along with what is as large as
  // this: its way beside the middle of all.
  pace(along = 0) {
    const { frames, places, dimension, numbers, width, view } = this,
      last = frames - 1,
      pairs = Math.min(last, 200),
      sums = new Float64Array(places),
      scale = [0, 1, 2].map((k) => {
        if (k >= dimension) return 0;
        if (along) return view.scale[k] / (2 * along);
        const whole = view.equal ? Math.hypot(...view.scale.slice(0, dimension)) : Math.SQRT2 * view.scale[k];
        return whole > 0 ? view.scale[k] / whole / 65534 : 0;
      });
    let time = 0;
    for (let pair = 0; pair < pairs; ++pair) {
      const n = Math.floor((pair * last) / pairs),
        here = n * width,
        next = here + width;
      time += Math.abs(this.time(n + 1) - this.time(n));
      const way = (p, k) => numbers[next + p * dimension + k] - numbers[here + p * dimension + k],
        middle = [0, 0, 0];
      if (along) for (let p = 0; p < places; ++p) for (let k = 0; k < dimension; ++k) middle[k] += way(p, k) / places;
      for (let p = 0; p < places; ++p) {
        let square = 0;
        for (let k = 0; k < dimension; ++k) square += (scale[k] * (way(p, k) - middle[k])) ** 2;
        const turns = this.turned ? this.turnBetween(here, next, p) / (2 * Math.PI) : 0;
        sums[p] += Math.max(Math.sqrt(square), 0.4 * turns);
      }
    }
    if (!(time > 0)) return { typical: 0, largest: 0 };
    const sorted = sums.map((sum) => sum / time).sort();
    return { typical: sorted[places >> 1], largest: sorted[places - 1] };
  }
  // The angle of the turn of a body from one row of numbers to another.
  turnBetween(here, next, p) {
    const { numbers, places, dimension } = this,
      size = dimension === 2 ? 2 : 4,
      at = places * dimension + size * p;
    let along = 0;
    for (let k = 0; k < size; ++k) along += (numbers[here + at + k] / 32767) * (numbers[next + at + k] / 32767);
    return dimension === 2 ? Math.acos(Math.min(1, Math.max(-1, along))) : 2 * Math.acos(Math.min(1, Math.abs(along)));
  }

  // A place that a body carries with it, in its own axes; body -1 is the ground.
  carried(body, X, out, at) {
    if (body < 0) {
      out[at] = X[0];
      out[at + 1] = X[1];
      out[at + 2] = X[2];
      return;
    }
    const [x, y, z] = X,
      q = this.turn,
      k = 4 * body;
    const qx = q[k],
      qy = q[k + 1],
      qz = q[k + 2],
      qw = q[k + 3];
    const ix = qw * x + qy * z - qz * y,
      iy = qw * y + qz * x - qx * z,
      iz = qw * z + qx * y - qy * x;
    const iw = -qx * x - qy * y - qz * z;
    out[at] = this.x[3 * body] + ix * qw - iw * qx - iy * qz + iz * qy;
    out[at + 1] = this.x[3 * body + 1] + iy * qw - iw * qy - iz * qx + ix * qz;
    out[at + 2] = this.x[3 * body + 2] + iz * qw - iw * qz - ix * qy + iy * qx;
  }
}

// The first and the last time of a view.
export function endsOf({ times, frames }) {
  if (!times.each) return [times.first, times.first + times.step * (frames - 1)];
  const each = decoded(times.each, Float64Array);
  return [each[0], each[each.length - 1]];
}
