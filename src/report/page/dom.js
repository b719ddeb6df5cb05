// Elements out of words: whatever comes from a model goes in as text, never as markup.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function colour(name) {
  return getComputedStyle(document.documentElement)
    .getPropertyValue('--' + name)
    .trim();
}
export const palette = () => [0, 1, 2, 3, 4, 5, 6, 7].map((k) => colour('c' + k));

export const isDark = matchMedia('(prefers-color-scheme: dark)');
export const calm = matchMedia('(prefers-reduced-motion: reduce)');

const minus = (text) => text.replace(/-/g, '\u2212');
export function shown(x, digits = 6) {
  if (x === null || x === undefined || Number.isNaN(x)) return '\u2013';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-3) return minus(x.toExponential(Math.min(digits, 4) - 1).replace('e+', 'e'));
  return minus(String(Number(x.toPrecision(digits))));
}

const raised = {
  '-': '\u207b',
  0: '\u2070',
  1: '\u00b9',
  2: '\u00b2',
  3: '\u00b3',
  4: '\u2074',
  5: '\u2075',
  6: '\u2076',
  7: '\u2077',
  8: '\u2078',
  9: '\u2079',
};
export const powerOfTen = (exponent) => '10' + [...String(exponent)].map((c) => raised[c]).join('');

export function download(name, content) {
  const address = URL.createObjectURL(content);
  const link = element('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
export const fileName = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'plot';
