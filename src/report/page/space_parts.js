// Parts of the view in space: points and rods, bodies, joints, springs.
import {
  BoxGeometry,
  ConeGeometry,
  Curve,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from 'three';
import { armsOf, colourOf, pointRadius } from './look.js';

const yAxis = new Vector3(0, 1, 0),
  zAxis = new Vector3(0, 0, 1);

// A spring along z from 0 to its length.
const turns = 10,
  straight = 0.08; // of the length, at both ends
class Helix extends Curve {
  constructor(length, wide) {
    super();
    this.length = length;
    this.wide = wide;
  }
  getPoint(s, out = new Vector3()) {
    const wound = Math.min(1, Math.max(0, (s - straight) / (1 - 2 * straight))),
      angle = 2 * Math.PI * turns * wound;
    const wide = this.wide * Math.min(1, 12 * Math.min(wound, 1 - wound));
    return out.set(wide * Math.cos(angle), wide * Math.sin(angle), this.length * s);
  }
}

// What is drawn, made once and moved by `updates`, functions without arguments. Whoever extends it has: motion, scene,
// size (of the picture), spot (six numbers), colours, ink, soft, paper, shadows.
export class SpaceParts {
  paint(shade, more = {}) {
    if (this.motion.places > 200) return new MeshLambertMaterial({ color: shade, ...more });
    return new MeshStandardMaterial({ color: shade, roughness: 0.55, metalness: 0.08, ...more });
  }
  solid(geometry, shade, parent = this.scene) {
    const mesh = new Mesh(geometry, this.paint(shade));
    mesh.castShadow = mesh.receiveShadow = this.shadows;
    parent.add(mesh);
    return mesh;
  }
  many(geometry, shade, count) {
    const mesh = new InstancedMesh(geometry, this.paint(shade), Math.max(1, count));
    mesh.count = count;
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = this.shadows;
    this.scene.add(mesh);
    return mesh;
  }

  // ---- points and rods: instances whose matrices are written in place
  buildPoints(view) {
    const { motion } = this,
      few = motion.places <= 60;
    const radius = view.radius || 2.2 * pointRadius(motion) * this.size,
      thin = radius * (few ? 0.26 : 0.45);
    const balls = this.many(
      few ? new SphereGeometry(1, 28, 18) : new SphereGeometry(1, 8, 6),
      0xffffff,
      motion.places,
    );
    for (let p = 0; p < motion.places; ++p) balls.setColorAt(p, this.colours[colourOf(motion, p)]);
    const rods = this.many(
      new CylinderGeometry(thin, thin, 1, few ? 14 : 5, 1, !few).rotateX(Math.PI / 2),
      this.soft,
      view.rods.length,
    );
    for (const place of view.fixed) {
      const mount = this.solid(new BoxGeometry(2.2 * radius, 2.2 * radius, 2.2 * radius), this.soft);
      mount.position.set(...place);
    }
    // Ends of rods by numbers: the points, and behind them the places that stay.
    const ends = Int32Array.from(view.rods.flat(), (k) => 3 * (k < 0 ? motion.places - 1 - k : k));
    const all = new Float32Array([...motion.x, ...view.fixed.flat()]);
    this.updates.push(() => {
      const { x } = motion,
        a = balls.instanceMatrix.array,
        b = rods.instanceMatrix.array;
      for (let p = 0; p < motion.places; ++p) {
        const at = 16 * p;
        a[at] = a[at + 5] = a[at + 10] = radius;
        a[at + 12] = x[3 * p];
        a[at + 13] = x[3 * p + 1];
        a[at + 14] = x[3 * p + 2];
        a[at + 15] = 1;
      }
      all.set(x);
      for (let r = 0; r < view.rods.length; ++r) this.writeRod(b, 16 * r, all, ends[2 * r], ends[2 * r + 1]);
      balls.instanceMatrix.needsUpdate = rods.instanceMatrix.needsUpdate = true;
    });
  }
  // The matrix that takes z from -1/2 to 1/2 to the way from one end to the other, with any two directions across it.
  writeRod(m, at, x, from, to) {
    const ax = x[from],
      ay = x[from + 1],
      az = x[from + 2],
      bx = x[to],
      by = x[to + 1],
      bz = x[to + 2];
    const dx = bx - ax,
      dy = by - ay,
      dz = bz - az,
      length = Math.sqrt(dx * dx + dy * dy + dz * dz) || 1e-12;
    const nx = dx / length,
      ny = dy / length,
      nz = dz / length;
    // Across: n x e with the e that n is farthest from.
    let ux, uy, uz;
    if (Math.abs(nz) < 0.7) {
      ux = ny;
      uy = -nx;
      uz = 0;
    } else {
      ux = 0;
      uy = nz;
      uz = -ny;
    }
    const size = Math.sqrt(ux * ux + uy * uy + uz * uz);
    ux /= size;
    uy /= size;
    uz /= size;
    m[at] = ux;
    m[at + 1] = uy;
    m[at + 2] = uz;
    m[at + 3] = 0;
    m[at + 4] = ny * uz - nz * uy;
    m[at + 5] = nz * ux - nx * uz;
    m[at + 6] = nx * uy - ny * ux;
    m[at + 7] = 0;
    m[at + 8] = dx;
    m[at + 9] = dy;
    m[at + 10] = dz;
    m[at + 11] = 0;
    m[at + 12] = (ax + bx) / 2;
    m[at + 13] = (ay + by) / 2;
    m[at + 14] = (az + bz) / 2;
    m[at + 15] = 1;
  }

  // ---- mechanisms
  buildMechanism(view) {
    const { motion } = this,
      same = this.instances(view);
    const parts = same
      ? []
      : view.bodies.map((body, b) =>
          this.body(body, armsOf(view, b), this.colours[colourOf(motion, b)], view.bodies.length),
        );
    const place = new Vector3(),
      turn = new Quaternion(),
      one = new Vector3(1, 1, 1),
      matrix = new Matrix4();
    this.updates.push(() => {
      const { x, turn: q } = motion;
      for (let b = 0; b < view.bodies.length; ++b) {
        place.set(x[3 * b], x[3 * b + 1], x[3 * b + 2]);
        turn.set(q[4 * b], q[4 * b + 1], q[4 * b + 2], q[4 * b + 3]);
        if (same) same.setMatrixAt(b, matrix.compose(place, turn, one));
        else {
          parts[b].position.copy(place);
          parts[b].quaternion.copy(turn);
        }
      }
      if (same) same.instanceMatrix.needsUpdate = true;
    });
    this.buildJoints(view);
    this.buildDistances(view);
    this.buildSprings(view);
  }
  // Many bodies of one shape are one mesh.
  instances(view) {
    const first = JSON.stringify(view.bodies[0].shape);
    if (view.bodies.length < 30 || view.bodies.some((body) => JSON.stringify(body.shape) !== first)) return null;
    const geometry = this.geometry(view.bodies[0].shape);
    if (!geometry) return null;
    const mesh = this.many(geometry, 0xffffff, view.bodies.length);
    view.bodies.forEach((_, b) => mesh.setColorAt(b, this.colours[b % 2 === 0 ? 0 : 5]));
    return mesh;
  }
  geometry({ type, size, radius, length }) {
    const thin = this.size / 200;
    switch (type) {
      case 'box':
        return new BoxGeometry(...size);
      case 'plate':
        return new BoxGeometry(size[0], size[1], thin);
      case 'sphere':
        return new SphereGeometry(radius, 40, 26);
      case 'cylinder':
        return new CylinderGeometry(radius, radius, length, 48).rotateX(Math.PI / 2);
      case 'disc':
        return new CylinderGeometry(radius, radius, 2 * thin, 48).rotateX(Math.PI / 2);
      case 'cone':
        return new ConeGeometry(radius, length, 56).rotateX(-Math.PI / 2).translate(0, 0, -length / 4);
      case 'rod':
        return new CylinderGeometry(1.6 * thin, 1.6 * thin, length, 14).rotateX(Math.PI / 2);
      default:
        return null;
    }
  }
  body(body, arms, shade, bodies) {
    const group = new Group(),
      { shape } = body,
      thin = this.size / 130 / Math.max(1, Math.sqrt(bodies / 20));
    const geometry = this.geometry(shape);
    this.scene.add(group);
    if (geometry) this.solid(geometry, shade, group);
    if (shape.type === 'cone' || shape.type === 'cylinder' || shape.type === 'sphere') this.stripe(shape, group);
    if (!geometry) this.solid(new SphereGeometry(2.2 * thin, 22, 16), shade, group);
    const bar = (from, to) => {
      const way = new Vector3().subVectors(to, from),
        mesh = this.solid(new CylinderGeometry(thin, thin, way.length(), 12), shade, group);
      mesh.position.addVectors(from, to).multiplyScalar(0.5);
      mesh.quaternion.setFromUnitVectors(yAxis, way.normalize());
    };
    for (const X of arms) bar(new Vector3(), new Vector3(...X));
    if (shape.type === 'none') {
      if (arms.length < 2)
        body.reach.forEach((width, k) => {
          const end = new Vector3().setComponent(k, width);
          if (width > 0) bar(end.clone().negate(), end);
        });
    }
    return group;
  }
  // A round body shows by a stripe that it turns.
  stripe({ type, radius, length }, group) {
    const r = radius,
      w = 0.11 * r,
      bar = (x, y, z, sx, sy, sz) => this.solid(new BoxGeometry(sx, sy, sz), this.paper, group).position.set(x, y, z);
    if (type === 'cone') bar(r / 2, 0, length / 4, r, w, w);
    if (type === 'cylinder') {
      bar(r / 2, 0, length / 2, r, w, w);
      bar(r / 2, 0, -length / 2, r, w, w);
    }
    if (type === 'sphere') bar(0, 0, 0, 2.02 * r, w, w);
  }
  buildJoints(view) {
    const { motion } = this,
      radius = this.size / 62 / Math.max(1, Math.sqrt(view.joints.length / 12)),
      X = this.spot;
    const turning = view.joints.filter((joint) =>
      ['revolute', 'cylindrical', 'prismatic', 'planar'].includes(joint.type),
    );
    const balls = view.joints.filter((joint) => !turning.includes(joint));
    const pins = this.many(
      new CylinderGeometry(0.75 * radius, 0.75 * radius, 4.6 * radius, 18).rotateX(Math.PI / 2),
      this.ink,
      turning.length,
    );
    const dots = this.many(new SphereGeometry(1.25 * radius, 18, 12), this.ink, balls.length);
    const matrix = new Matrix4(),
      place = new Vector3(),
      turn = new Quaternion(),
      own = new Quaternion(),
      one = new Vector3(1, 1, 1);
    const lying = turning.map((joint) =>
      new Quaternion().setFromUnitVectors(zAxis, new Vector3(...joint.axis).normalize()),
    );
    for (const joint of view.joints.filter((j) => j.bodies.includes(-1))) {
      const side = joint.bodies.indexOf(-1),
        mount = this.solid(new BoxGeometry(3.4 * radius, 3.4 * radius, 3.4 * radius), this.soft);
      mount.position.set(...joint.points[side]);
    }
    this.updates.push(() => {
      const put = (mesh, k, joint, lies) => {
        const body = joint.bodies[joint.side];
        motion.carried(body, joint.points[joint.side], X, 0);
        if (body >= 0) own.fromArray(motion.turn, 4 * body);
        else own.identity();
        if (lies) turn.multiplyQuaternions(own, lies);
        else turn.copy(own);
        mesh.setMatrixAt(k, matrix.compose(place.set(X[0], X[1], X[2]), turn, one));
      };
      turning.forEach((joint, k) => put(pins, k, joint, lying[k]));
      balls.forEach((joint, k) => put(dots, k, joint, null));
      pins.instanceMatrix.needsUpdate = dots.instanceMatrix.needsUpdate = true;
    });
  }
  // A distance that is kept is a rod without mass.
  buildDistances(view) {
    const { motion } = this,
      kept = view.joints.filter((joint) => joint.type === 'distance');
    if (kept.length === 0) return;
    const thin = this.size / 220,
      rods = this.many(new CylinderGeometry(thin, thin, 1, 8).rotateX(Math.PI / 2), this.soft, kept.length);
    const ends = new Float32Array(6);
    this.updates.push(() => {
      kept.forEach((joint, k) => {
        motion.carried(joint.bodies[0], joint.points[0], ends, 0);
        motion.carried(joint.bodies[1], joint.points[1], ends, 3);
        this.writeRod(rods.instanceMatrix.array, 16 * k, ends, 0, 3);
      });
      rods.instanceMatrix.needsUpdate = true;
    });
  }
  buildSprings(view) {
    const { motion } = this,
      X = this.spot,
      from = new Vector3(),
      way = new Vector3();
    const look = (spring) => {
      motion.carried(spring.bodies[0], spring.points[0], X, 0);
      motion.carried(spring.bodies[1], spring.points[1], X, 3);
      from.set(X[0], X[1], X[2]);
      way.set(X[3], X[4], X[5]).sub(from);
      return way.length() || 1e-9;
    };
    // Made as long as they become and pressed together from there, so that a turn never runs into the next.
    const longest = view.springs.map(() => 0),
      apart = Math.ceil(motion.frames / 200);
    for (let n = 0; n < motion.frames; n += apart) {
      motion.at(motion.time(n));
      view.springs.forEach((spring, k) => {
        longest[k] = Math.max(longest[k], look(spring));
      });
    }
    view.springs.forEach((spring, k) => {
      const most = longest[k],
        wide = Math.min(this.size / 28, most / 6),
        wire = Math.min(0.16 * wide, (0.2 * most * (1 - 2 * straight)) / turns);
      const geometry = spring.coil
        ? new TubeGeometry(new Helix(most, wide), 400, wire, 7)
        : new CylinderGeometry(0.35 * wide, 0.35 * wide, most, 12).rotateX(Math.PI / 2).translate(0, 0, most / 2);
      const mesh = this.solid(geometry, this.ink);
      this.updates.push(() => {
        const length = look(spring);
        mesh.position.copy(from);
        mesh.scale.set(1, 1, length / most);
        mesh.quaternion.setFromUnitVectors(zAxis, way.divideScalar(length));
      });
    });
  }
}
