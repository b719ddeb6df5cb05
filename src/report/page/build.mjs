// ./dev page: our sources, three.js and uPlot into the files that the program holds, dist/*, each headed by a check sum of
// what it was made from (tests/report/bundle.cpp compares).
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const sources = readdirSync('.')
  .filter((name) => /\.(js|mjs|css)$/.test(name) || name === 'package-lock.json')
  .sort();
const hash = createHash('sha256');
for (const name of sources) hash.update(readFileSync(name));
const sum = hash.digest('hex');
const licence = (name) => readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim();
const header = (names) =>
  `/* Livens: made by ./dev page from src/report/page.\nsources: ${sum}\n\n${names
    .map(
      (name) => `${name} ${JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version}\n\n${licence(name)}`,
    )
    .join('\n\n')}\n*/\n`;

mkdirSync('dist', { recursive: true });
for (const [entry, names] of [
  ['page.js', ['three', 'uplot']],
  ['sheet.js', ['uplot']],
  ['page.css', ['uplot']],
]) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'iife',
    charset: 'utf8',
    target: 'es2022',
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
    define: { __THREE_DEVTOOLS__: 'undefined' },
  });
  const text = result.outputFiles[0].text.trim();
  if (/\beval\(|new Function\(/.test(text)) throw new Error(`${entry}: the bundle evaluates text`);
  if (/<\/script|<!--/i.test(text)) throw new Error(`${entry}: the bundle would end its own element`);
  writeFileSync(`dist/${entry}`, header(names) + text + '\n');
  console.log(`dist/${entry}: ${Math.round(text.length / 1024)} kB`);
}
