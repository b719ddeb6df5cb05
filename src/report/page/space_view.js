// The motion in space: three.js, an orbit camera, bodies as their shapes, rods, joints, coils, trails, ground, gravity.
import {
  ArrowHelper,
  Box3,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  GridHelper,
  Group,
  HemisphereLight,
  Line,
  LineBasicMaterial,
  Mesh,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  ShadowMaterial,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { decoded } from './decode.js';
import { colour, palette } from './dom.js';
import { outline } from './figures.js';
import { colourOf, trailPoints, trailTime } from './look.js';
import { SpaceParts } from './space_parts.js';

const pieces = 360; // of a trail

export class SpaceView extends SpaceParts {
  // Throws where there is no WebGL.
  constructor(screen, motion) {
    super();
    this.motion = motion;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    this.canvas = screen.appendChild(this.renderer.domElement);
    this.trails = true;
    this.scene = new Scene();
    this.spot = new Float32Array(6);
    const g = motion.view.gravity;
    this.up = g ? new Vector3(-g[0], -g[1], -g[2]) : new Vector3(0, 0, 1);
    this.measure();
    this.camera = new PerspectiveCamera(32, 1, this.size / 100, this.size * 100);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener('change', () => this.render());
    this.build();
    this.resize();
    this.reset();
  }

  // The ball that everything happens in.
  measure() {
    const { motion } = this,
      { view } = motion,
      box = new Box3(),
      x = new Vector3();
    const shapes = (view.bodies || []).map((body) => (motion.places <= 60 ? outline(body, false).flat() : []));
    for (let n = 0; n < motion.frames; n += Math.ceil(motion.frames / 60)) {
      motion.at(motion.time(n));
      for (let p = 0; p < motion.places; ++p) {
        box.expandByPoint(x.set(motion.x[3 * p], motion.x[3 * p + 1], motion.x[3 * p + 2]));
        for (const X of shapes[p] || []) {
          motion.carried(p, X, this.spot, 0);
          box.expandByPoint(x.set(this.spot[0], this.spot[1], this.spot[2]));
        }
      }
    }
    for (const place of view.fixed || []) box.expandByPoint(x.set(...place));
    for (const joint of view.joints || [])
      joint.bodies.forEach((body, side) => {
        if (body < 0) box.expandByPoint(x.set(...joint.points[side]));
      });
    this.background = (view.background || []).map((curve) => decoded(curve.points, Float32Array));
    for (const curve of this.background)
      for (let k = 0; k < curve.length; k += 3) box.expandByPoint(x.set(curve[k], curve[k + 1], curve[k + 2]));
    if (box.isEmpty()) box.expandByPoint(x.set(0, 0, 0));
    this.box = box;
    this.centre = box.getCenter(new Vector3());
    this.size = box.getSize(new Vector3()).length() / 2 || 1;
  }

  reset() {
    // From the side, a little from above.
    const aside = new Vector3(1, 0, 0);
    if (Math.abs(this.up.x) > 0.5) aside.set(0, 1, 0);
    const across = new Vector3().crossVectors(this.up, aside).normalize();
    const from = aside.multiplyScalar(0.55).addScaledVector(across, -0.9).addScaledVector(this.up, 0.38).normalize();
    const right = new Vector3().crossVectors(this.up, from).normalize(),
      above = new Vector3().crossVectors(from, right);
    const steep = Math.tan((16 * Math.PI) / 180) * 0.9,
      corner = new Vector3();
    let far = 0; // so that every corner of the box is inside of the picture
    for (let k = 0; k < 8; ++k) {
      corner
        .set(
          k & 1 ? this.box.max.x : this.box.min.x,
          k & 2 ? this.box.max.y : this.box.min.y,
          k & 4 ? this.box.max.z : this.box.min.z,
        )
        .sub(this.centre);
      const across = Math.abs(corner.dot(right)) / this.camera.aspect,
        up = Math.abs(corner.dot(above));
      far = Math.max(far, Math.max(across, up) / steep + corner.dot(from));
    }
    this.camera.position.copy(this.centre).addScaledVector(from, far);
    this.controls.target.copy(this.centre);
    this.controls.update();
    this.render();
  }

  resize() {
    const box = this.canvas.parentElement.getBoundingClientRect();
    this.renderer.setSize(box.width, box.height);
    this.camera.aspect = box.width / box.height;
    this.camera.updateProjectionMatrix();
    for (const trail of this.trailLines || []) trail.line.material.resolution.set(box.width, box.height);
    this.render();
  }

  look() {
    this.scene.clear();
    this.build();
    this.draw(this.t);
  }

  build() {
    const { view } = this.motion;
    this.colours = palette().map((c) => new Color(c));
    this.ink = new Color(colour('ink'));
    this.soft = new Color(colour('soft'));
    this.paper = new Color(colour('stage'));
    this.updates = [];
    this.light();
    this.ground();
    for (const curve of this.background) this.scene.add(this.plainLine(curve));
    if (view.bodies) this.buildMechanism(view);
    else this.buildPoints(view);
    this.buildTrails();
  }

  light() {
    const sky = new HemisphereLight(0xffffff, 0xa8a39a, 2.6),
      sun = new DirectionalLight(0xffffff, 2.6);
    sky.position.copy(this.up);
    const aside = new Vector3(this.up.z, this.up.x, this.up.y);
    sun.position
      .copy(this.centre)
      .addScaledVector(this.up, 3 * this.size)
      .addScaledVector(aside, -1.2 * this.size)
      .addScaledVector(new Vector3().crossVectors(this.up, aside), -1.1 * this.size);
    sun.target.position.copy(this.centre);
    this.shadows = this.motion.places <= 200;
    if (this.shadows) {
      this.renderer.shadowMap.enabled = true;
      this.renderer.shadowMap.type = PCFShadowMap;
      sun.castShadow = true;
      sun.shadow.mapSize.set(1024, 1024);
      const reach = 1.25 * this.size;
      Object.assign(sun.shadow.camera, {
        left: -reach,
        right: reach,
        top: reach,
        bottom: -reach,
        near: this.size / 10,
        far: 8 * this.size,
      });
      sun.shadow.normalBias = this.size / 300;
      sun.shadow.radius = 3;
    }
    this.scene.add(sky, sun, sun.target);
  }

  ground() {
    const level = new Group(),
      step = 10 ** Math.floor(Math.log10(this.size)),
      unit = this.size / step < 2.5 ? step / 2 : step;
    const cells = Math.ceil((1.7 * this.size) / unit) * 2;
    const grid = new GridHelper(cells * unit, cells, this.soft, this.soft);
    grid.material.transparent = true;
    grid.material.opacity = 0.22;
    grid.material.depthWrite = false;
    const floor = new Mesh(new PlaneGeometry(cells * unit, cells * unit), new ShadowMaterial({ opacity: 0.16 }));
    floor.rotation.x = -Math.PI / 2;
    floor.receiveShadow = true;
    level.add(grid, floor);
    level.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    const corner = new Vector3(...['x', 'y', 'z'].map((k) => (this.up[k] > 0 ? this.box.min[k] : this.box.max[k])));
    level.position.copy(this.centre).addScaledVector(this.up, corner.sub(this.centre).dot(this.up) - 0.02 * this.size);
    this.scene.add(level);
    if (!this.motion.view.gravity) return;
    // Beside what moves, where the camera does not look through it.
    const aside = Math.abs(this.up.x) > 0.5 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
    const across = new Vector3().crossVectors(this.up, aside).normalize(),
      half = this.box.getSize(new Vector3()).multiplyScalar(0.5);
    const wide = (way) => Math.abs(way.x) * half.x + Math.abs(way.y) * half.y + Math.abs(way.z) * half.z;
    const from = this.centre
      .clone()
      .addScaledVector(aside, -0.9 * wide(aside) - 0.12 * this.size)
      .addScaledVector(across, -0.9 * wide(across))
      .addScaledVector(this.up, wide(this.up) - 0.05 * this.size);
    this.scene.add(
      new ArrowHelper(this.up.clone().negate(), from, 0.26 * this.size, this.soft, 0.08 * this.size, 0.045 * this.size),
    );
  }

  plainLine(numbers) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(numbers, 3));
    return new Line(geometry, new LineBasicMaterial({ color: this.soft, transparent: true, opacity: 0.6 }));
  }

  // ---- trails: fat lines that fade into the paper
  buildTrails() {
    const { motion } = this,
      box = this.canvas.parentElement.getBoundingClientRect();
    this.trailLines = trailPoints(motion).map((point) => {
      const geometry = new LineGeometry(),
        shades = new Float32Array(3 * (pieces + 1)),
        shade = new Color();
      for (let k = 0; k <= pieces; ++k)
        shade
          .copy(this.paper)
          .lerp(this.colours[colourOf(motion, point)], k / pieces)
          .toArray(shades, 3 * k);
      geometry.setPositions(new Float32Array(3 * (pieces + 1)));
      geometry.setColors(shades);
      const line = new Line2(geometry, new LineMaterial({ linewidth: 2.4, vertexColors: true, depthWrite: false }));
      line.material.resolution.set(box.width, box.height);
      line.frustumCulled = false;
      this.scene.add(line);
      return { point, line };
    });
    this.way = new Float32Array(3 * (pieces + 1));
  }
  drawTrails(t) {
    const { motion, way } = this,
      first = Math.max(Math.min(motion.first, motion.last), t - trailTime(motion));
    for (const { point, line } of this.trailLines) {
      line.visible = this.trails && t > first;
      if (!line.visible) continue;
      for (let k = 0; k <= pieces; ++k) motion.place(point, first + ((t - first) * k) / pieces, way, 3 * k);
      const segments = line.geometry.attributes.instanceStart.data; // begin and end of every piece
      for (let k = 0; k < pieces; ++k) for (let i = 0; i < 6; ++i) segments.array[6 * k + i] = way[3 * k + i];
      segments.needsUpdate = true;
    }
  }

  draw(t) {
    if (t === undefined) return;
    this.t = t;
    this.motion.at(t);
    for (const update of this.updates) update();
    this.drawTrails(t);
    this.render();
  }
  // Not before something has its place: instances without one would cover the screen.
  render() {
    if (this.t !== undefined) this.renderer.render(this.scene, this.camera);
  }
}
