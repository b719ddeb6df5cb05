// The time that everything on the page shows: played, scrubbed, stepped.
import { calm } from './dom.js';

// 1, 2 or 5 times a power of ten.
function round(x) {
  const power = 10 ** Math.floor(Math.log10(x)),
    part = x / power;
  return (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power;
}

export class Clock {
  constructor(first, last) {
    this.listeners = [];
    this.playing = false;
    this.setSpan(first, last);
    this.t = first;
    this.speed = this.natural = 1; // units of time per second
    this.before = 0;
    this.frames = 0; // drawn while playing, and the milliseconds of script that they took
    this.spent = 0;
  }
  setSpan(first, last) {
    this.first = first;
    this.last = last;
  }
  // So fast that what moves crosses more than half of the picture in a second, all in three or four seconds at least;
  // as it is, if that comes near. Whoever has chosen a speed keeps it.
  setPace(pace) {
    const chosen = this.speed !== this.natural,
      span = Math.abs(this.last - this.first) || 1,
      wanted = pace > 0 ? Math.min(0.6 / pace, span / 3) : span / 20;
    this.natural = wanted >= 0.4 && wanted <= 2.5 ? 1 : round(Math.min(wanted, span / 4));
    if (!chosen) this.speed = this.natural;
  }
  listen(call) {
    this.listeners.push(call);
  }
  tell() {
    for (const call of this.listeners) call(this.t, this.playing);
  }

  seek(t) {
    const [low, high] = this.first < this.last ? [this.first, this.last] : [this.last, this.first];
    this.t = Math.min(high, Math.max(low, t));
    this.tell();
  }
  play() {
    if (this.playing) return;
    if (this.t === this.last) this.t = this.first;
    this.playing = true;
    this.before = performance.now();
    const next = (now) => {
      if (!this.playing) return;
      const passed = Math.min(0.1, Math.max(0, (now - this.before) / 1000)) * this.speed;
      this.before = now;
      const forward = this.last >= this.first;
      let t = this.t + (forward ? passed : -passed);
      if (forward ? t >= this.last : t <= this.last) t = this.follows ? this.last : this.first; // once more
      const begin = performance.now();
      this.seek(t);
      ++this.frames;
      this.spent += performance.now() - begin;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    this.tell();
  }
  pause() {
    this.playing = false;
    this.tell();
  }
  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
  start() {
    if (!calm.matches) this.play();
  }
}
