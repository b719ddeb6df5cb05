// Outlines of bodies, coils of springs, marks of axes.
const circle = (radius, height, axis) =>
  Array.from({ length: 33 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 32,
      X = [0, 0, 0];
    X[axis] = height;
    X[(axis + 1) % 3] = radius * Math.cos(angle);
    X[(axis + 2) % 3] = radius * Math.sin(angle);
    return X;
  });
const rectangle = (a, b, z) => [
  [a, b, z],
  [-a, b, z],
  [-a, -b, z],
  [a, -b, z],
  [a, b, z],
];

// Lines in the body's own axes, from its centre of mass; the tip of a cone is at -3/4 of its length.
export function outline(body, plane, arms = []) {
  const { type, size, radius: r, length: l } = body.shape,
    [a, b, c] = size.map((x) => x / 2);
  const sides = (from, to) =>
    [
      [-r, 0],
      [r, 0],
      [0, -r],
      [0, r],
    ].map(([x, y]) => [from(x, y), to(x, y)]);
  switch (type) {
    case 'box':
      if (plane) return [rectangle(a, b, 0)];
      return [
        rectangle(a, b, -c),
        rectangle(a, b, c),
        ...[
          [a, b],
          [-a, b],
          [-a, -b],
          [a, -b],
        ].map(([x, y]) => [
          [x, y, -c],
          [x, y, c],
        ]),
      ];
    case 'plate':
      return [rectangle(a, b, 0)];
    case 'sphere':
      return [circle(r, 0, 0), circle(r, 0, 1), circle(r, 0, 2)];
    case 'disc':
      return [
        circle(r, 0, 2),
        [
          [0, 0, 0],
          [r, 0, 0],
        ],
      ];
    case 'cylinder':
      return [
        circle(r, -l / 2, 2),
        circle(r, l / 2, 2),
        ...sides(
          (x, y) => [x, y, -l / 2],
          (x, y) => [x, y, l / 2],
        ),
      ];
    case 'cone':
      return [
        circle(r, l / 4, 2),
        ...sides(
          () => [0, 0, (-3 * l) / 4],
          (x, y) => [x, y, l / 4],
        ),
      ];
    case 'rod':
      return [
        plane
          ? [
              [-l / 2, 0, 0],
              [l / 2, 0, 0],
            ]
          : [
              [0, 0, -l / 2],
              [0, 0, l / 2],
            ],
      ];
    case 'point':
      return [];
    default: // without a shape: its arms and, with less than two of these, its axes, as long as it is wide
      if (arms.length > 1) return [];
      return body.reach
        .slice(0, plane ? 2 : 3)
        .map((width, k) => [-1, 1].map((side) => [0, 1, 2].map((i) => (i === k ? side * width : 0))));
  }
}

// A spring as a zigzag, a damper as a bar in a sleeve, from a to b on the page.
export function coilPoints(a, b, coil) {
  const dx = b[0] - a[0],
    dy = b[1] - a[1],
    length = Math.hypot(dx, dy) || 1;
  const across = [-dy / length, dx / length],
    at = (s, w) => [a[0] + s * dx + w * across[0], a[1] + s * dy + w * across[1]];
  if (!coil)
    return [a, at(0.4, 0), at(0.4, 6), at(0.75, 6), at(0.4, 6), at(0.4, -6), at(0.75, -6), at(0.4, -6), at(0.4, 0), b];
  const points = [a],
    turns = 10;
  for (let k = 0; k <= 2 * turns; ++k)
    points.push(at(0.12 + (0.76 * k) / (2 * turns), k === 0 || k === 2 * turns ? 0 : k % 2 ? 7 : -7));
  points.push(b);
  return points;
}

// Multiples of 1, 2 or 5 times a power of ten between two numbers, about so many.
export function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted),
    power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((f) => f * power >= 0.75 * rough);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high; ++k) found.push(Number((k * step).toPrecision(12)));
  return found;
}
