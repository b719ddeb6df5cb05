// The motion in space: three.js, an orbit camera, bodies as their shapes, rods, joints, coils, trails, ground, gravity.
import {
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
import { colourOf, trailBegin, trailPoints } from './look.js';
import { SpaceParts } from './space_parts.js';
import { Triad } from './triad.js';

const pieces = 360; // of a trail

export class SpaceView extends SpaceParts {
  // Throws where there is no WebGL.
  constructor(screen, motion) {
    super();
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    this.canvas = screen.appendChild(this.renderer.domElement);
    this.trails = true;
    this.scene = new Scene();
    this.spot = new Float32Array(6);
    const g = motion.view.gravity;
    this.up = g ? new Vector3(-g[0], -g[1], -g[2]) : new Vector3(0, 0, 1);
    this.camera = new PerspectiveCamera(32, 1, 1, 100);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener('change', () => this.render());
    this.controls.addEventListener('start', () => {
      this.turned = true;
    });
    this.turned = false; // by hand: then it stays as it is
    this.middle = new Vector3();
    this.at = new Vector3();
    this.triad = new Triad(screen, g);
    this.show(motion);
    this.resize();
  }

  // A motion, or more of one.
  show(motion) {
    this.motion = motion;
    this.measure();
    if (this.follows === undefined) this.follows = this.roams;
    this.rebuild();
    if (!this.turned) this.reset();
  }

  // What must be seen: all places that anything comes to, and the same from the middle of those of its time.
  measure() {
    const { motion } = this,
      { view } = motion,
      box = new Box3(),
      x = new Vector3(),
      all = [],
      beside = [];
    const include = (x) => {
      box.expandByPoint(x);
      all.push(x.clone());
    };
    const shapes = (view.bodies || []).map((body) => (motion.places <= 60 ? outline(body, false).flat() : []));
    const drawn = motion.places + shapes.flat().length,
      samples = Math.min(1500, Math.max(8, Math.floor(20000 / drawn)));
    for (let n = 0; n < motion.frames; n += Math.ceil(motion.frames / samples)) {
      motion.at(motion.time(n));
      const begin = all.length;
      for (let p = 0; p < motion.places; ++p) {
        include(x.set(motion.x[3 * p], motion.x[3 * p + 1], motion.x[3 * p + 2]));
        for (const X of shapes[p] || []) {
          motion.carried(p, X, this.spot, 0);
          include(x.set(this.spot[0], this.spot[1], this.spot[2]));
        }
      }
      this.findMiddle();
      for (let k = begin; k < all.length; ++k) beside.push(all[k].clone().sub(this.middle));
    }
    const moving = all.length;
    for (const place of view.fixed || []) include(x.set(...place));
    for (const part of [...(view.joints || []), ...(view.springs || [])])
      part.bodies.forEach((body, side) => {
        if (body < 0) include(x.set(...part.points[side]));
      });
    this.background = (view.background || []).map((curve) => decoded(curve.points, Float32Array));
    for (const curve of this.background)
      for (let k = 0; k < curve.length; k += 3) include(x.set(curve[k], curve[k + 1], curve[k + 2]));
    this.box = box;
    this.centre = box.getCenter(new Vector3());
    for (const place of all) place.sub(this.centre);
    const whole = box.getSize(new Vector3()).length() / 2 || 1,
      own = beside.reduce((most, place) => Math.max(most, place.length()), 0);
    // What goes far and has nothing around it is small in a picture of its whole way.
    this.roams = all.length === moving && own > 0 && own < 0.12 * whole;
    this.size = this.roams ? own : whole;
    this.seen = { whole: all, own: beside };
    this.camera.near = this.size / 100;
    this.camera.far = 100 * whole;
  }
  findMiddle() {
    const { places, x } = this.motion;
    this.middle.set(0, 0, 0);
    for (let p = 0; p < places; ++p) this.middle.add(this.at.set(x[3 * p], x[3 * p + 1], x[3 * p + 2]));
    this.middle.divideScalar(places);
  }

  // The camera goes along with what moves, or looks at the whole way.
  toggleFollow() {
    this.follows = !this.follows;
    this.reset();
  }
  reset() {
    this.turned = false;
    // From the side, a little from above.
    const aside = new Vector3(1, 0, 0);
    if (Math.abs(this.up.x) > 0.5) aside.set(0, 1, 0);
    const across = new Vector3().crossVectors(this.up, aside).normalize();
    const from = aside.multiplyScalar(0.55).addScaledVector(across, -0.9).addScaledVector(this.up, 0.38).normalize();
    const right = new Vector3().crossVectors(this.up, from).normalize(),
      above = new Vector3().crossVectors(from, right);
    // As near as can be with all in the picture. A place (a, b, c), to the right, above and towards the camera, is seen
    // from (u, v, far) if |a - u| <= (far - c) s and |b - v| <= (far - c) s', s the slopes of the picture's edges:
    //   far s + u >= max(a + c s) ,   far s - u >= max(-a + c s) ,   and the same with b, v and s'.
    const steep = 0.86 * Math.tan((16 * Math.PI) / 180),
      wide = steep * this.camera.aspect,
      most = [0, 0, 0, 0].fill(-Infinity);
    for (const place of this.follows ? this.seen.own : this.seen.whole) {
      const a = place.dot(right),
        b = place.dot(above),
        c = place.dot(from);
      [a + c * wide, -a + c * wide, b + c * steep, -b + c * steep].forEach((x, k) => {
        most[k] = Math.max(most[k], x + 0.03 * this.size);
      });
    }
    const far = Math.max((most[0] + most[1]) / (2 * wide), (most[2] + most[3]) / (2 * steep), 0.8 * this.size);
    if (this.follows) this.findMiddle();
    this.controls.target
      .copy(this.follows ? this.middle : this.centre)
      .addScaledVector(right, (most[0] - most[1]) / 2)
      .addScaledVector(above, (most[2] - most[3]) / 2);
    this.followed = this.middle.clone();
    this.camera.position.copy(this.controls.target).addScaledVector(from, far);
    this.controls.update();
    this.render();
  }

  resize() {
    const box = this.canvas.parentElement.getBoundingClientRect();
    this.renderer.setSize(box.width, box.height);
    this.camera.aspect = box.width / box.height;
    this.camera.updateProjectionMatrix();
    for (const trail of this.trailLines || []) trail.line.material.resolution.set(box.width, box.height);
    if (this.turned) this.render();
    else this.reset();
  }

  look() {
    this.triad.look();
    this.rebuild();
    this.draw(this.t);
  }
  rebuild() {
    this.scene.traverse((part) => {
      part.geometry?.dispose();
      part.material?.dispose();
      if (part.isInstancedMesh || part.isLight) part.dispose();
    });
    this.scene.clear();
    this.build();
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
    this.shadows = this.motion.places <= 200 && !this.roams;
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
    if (this.roams) return;
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
      first = trailBegin(motion, t, pieces);
    for (const { point, line } of this.trailLines) {
      line.visible = this.trails && t !== first;
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
    this.drawTrails(t);
    this.motion.at(t);
    for (const update of this.updates) update();
    if (this.follows) {
      this.findMiddle();
      this.at.subVectors(this.middle, this.followed);
      this.camera.position.add(this.at);
      this.controls.target.add(this.at);
      this.followed.copy(this.middle);
      this.controls.update();
    }
    this.render();
  }
  // Not before something has its place: instances without one would cover the screen.
  render() {
    if (this.t === undefined || this.asked) return;
    this.asked = true; // once a frame, however often
    requestAnimationFrame(() => {
      this.asked = false;
      this.renderer.render(this.scene, this.camera);
      this.triad.draw(this.camera);
    });
  }
}
