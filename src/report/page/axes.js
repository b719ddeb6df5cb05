// Axes of uPlot in the style of the page: powers of ten where scales are logarithmic, true minus signs.
import uPlot from 'uplot';
import { colour, powerOfTen, shown } from './dom.js';

const font = '12px system-ui, -apple-system, "Segoe UI", sans-serif';

// Whole powers of ten, about so many; between two neighbours also 2 and 5 times the lower.
function powers(low, high, wanted) {
  const first = Math.ceil(Math.log10(low) - 1e-9),
    last = Math.floor(Math.log10(high) + 1e-9);
  if (last - first < 2) {
    const found = [];
    for (let k = first - 1; k <= last + 1; ++k)
      for (const f of [1, 2, 5]) if (f * 10 ** k >= low && f * 10 ** k <= high) found.push(f * 10 ** k);
    return found;
  }
  const step = Math.max(1, Math.ceil((last - first + 1) / wanted)),
    found = [];
  for (let k = Math.ceil(first / step) * step; k <= last; k += step) found.push(Number(`1e${k}`));
  return found;
}

function labels(splits) {
  return splits.map((x) => {
    if (x === null) return '';
    const exponent = Math.round(Math.log10(x)),
      part = x / 10 ** exponent;
    return Math.abs(part - 1) < 1e-6 ? powerOfTen(exponent) : shown(x, 3);
  });
}

// One power of ten for all marks of a linear axis, with at most one decimal.
function plain(u, splits) {
  const largest = Math.max(...splits.map(Math.abs));
  if (largest === 0 || (largest < 1e5 && largest >= 1e-2)) return splits.map((x) => shown(x));
  let exponent = Math.floor(Math.log10(largest) + 1e-9);
  const short = (x) => Math.abs((10 * x) / 10 ** exponent - Math.round((10 * x) / 10 ** exponent)) < 1e-6;
  if (!splits.every(short)) --exponent;
  return splits.map((x) =>
    x === 0 ? '0' : `${shown(Number((x / 10 ** exponent).toPrecision(4)))}\u00b7${powerOfTen(exponent)}`,
  );
}

export function axis(logarithmic, across, label, more = {}) {
  const made = {
    stroke: colour('soft'),
    font,
    grid: { stroke: colour('grid'), width: 1 },
    ticks: { show: false },
    gap: 6,
    ...(across ? { space: 62 } : {}),
    ...more,
  };
  if (across) made.size = label ? 44 : 28;
  else made.size = (u, values) => Math.max(44, 14 + 7 * Math.max(0, ...(values || []).map((v) => v.length)));
  if (label) Object.assign(made, { label, labelFont: '600 12px system-ui, sans-serif', labelSize: 18, labelGap: 0 });
  if (logarithmic) {
    made.splits = (u, index, low, high) => powers(low, high, across ? 7 : 6);
    made.filter = (u, splits) => splits;
    made.values = (u, splits) => labels(splits);
  } else {
    made.values = plain;
  }
  return made;
}

// What does not change, but for round-off, is a line in the middle.
export function plainRange(u, low, high) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > 1e-12 * size) return uPlot.rangeNum(low, high, 0.1, true);
  return size === 0 ? [-1, 1] : [low - size / 2, high + size / 2];
}

// Powers of ten around the numbers.
export function logRange(u, low, high) {
  if (!(low > 0) || !(high > 0)) return [1e-17, 1e-15];
  const deepest = Math.max(low, high * 1e-40);
  let first = Math.floor(Math.log10(deepest)),
    last = Math.ceil(Math.log10(high));
  if (last - first < 2) first = last - 2;
  return [Number(`1e${first}`), Number(`1e${last}`)];
}
