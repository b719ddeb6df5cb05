// Colours, sizes and trails that the flat view and the one in space share.
export function colourOf(motion, number) {
  return motion.places <= 12 ? number % 8 : 0; // a chain has one colour
}

// Of a point, as a part of the picture.
export function pointRadius(motion) {
  return 0.016 / Math.max(1, Math.sqrt(motion.places / 8));
}

// Every point of a few; of a chain the last.
export function trailPoints(motion) {
  const { places } = motion;
  if (places <= 8) return [...Array(places).keys()];
  return [places - 1];
}

// As stated; else two seconds of watching, of a phase portrait all that was, as far as so many pieces are a smooth
// curve.
function trailTime(motion, pieces) {
  if (motion.view.trail !== undefined) return motion.view.trail;
  const span = Math.abs(motion.last - motion.first),
    smooth = motion.fastest > 0 ? (0.02 * pieces) / motion.fastest : span,
    watched = (motion.view.kind === 'phase' ? 40 : 2.5) * (motion.speed || 1);
  return Math.min(span, watched, smooth);
}
// Where the trail at a time begins; time may run back.
export function trailBegin(motion, t, pieces) {
  const time = trailTime(motion, pieces);
  return motion.last >= motion.first ? Math.max(motion.first, t - time) : Math.min(motion.first, t + time);
}

// Where a body is held, in its own axes: what lies outside of its shape is reached by an arm.
export function armsOf(view, body) {
  const { shape } = view.bodies[body],
    inside = Math.max(Math.hypot(...shape.size) / 2, shape.radius, shape.length / 2) * 1.001;
  const arms = [];
  for (const part of [...view.joints, ...view.springs])
    part.bodies.forEach((held, side) => {
      const X = part.points[side],
        far = Math.hypot(...X);
      if (held === body && far > 0 && (shape.type === 'none' || far > inside)) arms.push(X);
    });
  return arms;
}
