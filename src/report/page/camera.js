// How space is laid on a flat picture: the plane as it is, space seen from the side and a little from above.
// Dragging turns or shifts it, wheel and pinch bring it closer.
export class FlatCamera {
  constructor(canvas, inSpace, up, equal) {
    this.inSpace = inSpace;
    this.up = up;
    this.equal = equal;
    this.home = { low: [0, 0], high: [1, 1] };
    this.changed = () => {};
    this.reset();
    this.listen(canvas);
  }
  reset() {
    this.around = 0.9;
    this.above = 0.35;
    this.zoom = 1;
    this.shift = [0, 0];
    this.changed();
  }
  setHome(low, high) {
    this.home = { low, high };
  }

  // Across and up, in units of the model.
  flat(x, y, z) {
    if (!this.inSpace) return [x, y];
    const u = this.up,
      k = Math.abs(u[0]) > 0.5 ? 0 : Math.abs(u[1]) > 0.5 ? 1 : 2,
      c = [x, y, z];
    const height = c[k] * Math.sign(u[k]),
      a = c[(k + 1) % 3],
      b = c[(k + 2) % 3];
    const cos = Math.cos(this.around),
      sin = Math.sin(this.around);
    return [-sin * a + cos * b, Math.cos(this.above) * height - Math.sin(this.above) * (cos * a + sin * b)];
  }

  // From such units to pixels of a canvas of this size.
  fit(width, height) {
    const margin = 46,
      { low, high } = this.home;
    const across = (width - 2 * margin) / (high[0] - low[0] || 1),
      up = (height - 2 * margin) / (high[1] - low[1] || 1);
    const scale = this.equal ? [Math.min(across, up), Math.min(across, up)] : [across, up];
    const sx = scale[0] * this.zoom,
      sy = scale[1] * this.zoom;
    const cx = (low[0] + high[0]) / 2,
      cy = (low[1] + high[1]) / 2;
    return { sx, sy, x0: width / 2 - cx * sx + this.shift[0], y0: height / 2 + cy * sy + this.shift[1] };
  }

  listen(canvas) {
    const pointers = new Map();
    canvas.addEventListener('pointerdown', (e) => {
      pointers.set(e.pointerId, [e.clientX, e.clientY]);
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener('pointermove', (e) => {
      const before = pointers.get(e.pointerId);
      if (!before) return;
      const dx = e.clientX - before[0],
        dy = e.clientY - before[1];
      if (pointers.size === 2) {
        const other = [...pointers].find(([id]) => id !== e.pointerId)[1];
        const was = Math.hypot(before[0] - other[0], before[1] - other[1]);
        this.zoom *= Math.hypot(e.clientX - other[0], e.clientY - other[1]) / (was || 1);
      } else if (this.inSpace && !e.shiftKey) {
        this.around -= dx / 150;
        this.above = Math.min(1.5, Math.max(-1.5, this.above + dy / 150));
      } else {
        this.shift = [this.shift[0] + dx, this.shift[1] + dy];
      }
      pointers.set(e.pointerId, [e.clientX, e.clientY]);
      this.changed();
    });
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, (e) => pointers.delete(e.pointerId));
    canvas.addEventListener(
      'wheel',
      (e) => {
        e.preventDefault();
        const factor = Math.exp(-e.deltaY / 500),
          box = canvas.getBoundingClientRect();
        const x = e.clientX - box.left - box.width / 2,
          y = e.clientY - box.top - box.height / 2;
        this.shift = [x + (this.shift[0] - x) * factor, y + (this.shift[1] - y) * factor];
        this.zoom *= factor;
        this.changed();
      },
      { passive: false },
    );
  }
}
