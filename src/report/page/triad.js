// A corner of the view in space: where the axes point, and where things fall.
import { Vector3 } from 'three';
import { colour } from './dom.js';

const wide = 96,
  long = 27;

export class Triad {
  constructor(screen, gravity) {
    this.canvas = screen.appendChild(document.createElement('canvas'));
    this.canvas.className = 'triad';
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = this.canvas.height = wide * ratio;
    this.pen = this.canvas.getContext('2d');
    this.pen.scale(ratio, ratio);
    this.way = new Vector3();
    this.look();
    this.show(gravity);
  }
  look() {
    this.shades = ['c1', 'c2', 'c0', 'soft'].map(colour);
  }
  show(gravity) {
    const axes = [
      ['x', [1, 0, 0]],
      ['y', [0, 1, 0]],
      ['z', [0, 0, 1]],
    ];
    this.arrows = gravity ? [...axes, ['g', gravity]] : axes;
  }

  draw(camera) {
    const { pen, way } = this,
      drawn = this.arrows.map(([name, direction], k) => {
        way.set(...direction).transformDirection(camera.matrixWorldInverse);
        return { name, shade: this.shades[k], x: way.x, y: -way.y, near: way.z };
      });
    pen.clearRect(0, 0, wide, wide);
    pen.font = '600 11px system-ui, sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.lineWidth = 1.6;
    for (const { name, shade, x, y } of drawn.sort((a, b) => a.near - b.near)) {
      const size = Math.hypot(x, y) || 1e-9,
        middle = wide / 2,
        reach = name === 'g' ? 0.8 * long : long,
        [ex, ey] = [middle + reach * x, middle + reach * y],
        [ux, uy] = [(x / size) * 5, (y / size) * 5];
      pen.strokeStyle = pen.fillStyle = shade;
      pen.beginPath();
      pen.moveTo(middle, middle);
      pen.lineTo(ex, ey);
      pen.stroke();
      pen.beginPath();
      pen.moveTo(ex + ux, ey + uy);
      pen.lineTo(ex - uy * 0.7, ey + ux * 0.7);
      pen.lineTo(ex + uy * 0.7, ey - ux * 0.7);
      pen.fill();
      pen.fillText(name, ex + 2.6 * ux, ey + 2.6 * uy);
    }
  }
}
