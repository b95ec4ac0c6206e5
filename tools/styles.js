// What may be wrong with the styles of the page beyond what the linter sees.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './source-files.js';

const ROOT = 'packages/web/src';

/** It lists the others, in the order in which they apply. */
const LIST = `${ROOT}/style.css`;

const MAX_LINES = 350;

/** Checks the tree in a folder, of which `sources` are the source files. Returns a sentence for each breach. */
export function styleBreaches(base, sources) {
  if (!existsSync(path.join(base, LIST))) return [];
  const textOf = (file) => readFileSync(path.join(base, file), 'utf8').replace(/\/\*.*?\*\//gs, '');
  const listed = [...textOf(LIST).matchAll(/@import "\.\/(.+?)"/g)].map(([, name]) => `${ROOT}/${name}`);
  const page = sources.filter((source) => source.path.startsWith(`${ROOT}/`)).map(({ text }) => text);
  const words = new Set(page.join('\n').match(/[a-z][\w-]*/g));
  return filesBelow(base, ROOT, /\.css$/).flatMap((file) => {
    const text = textOf(file);
    const lines = text.split('\n').length;
    const unused = classesIn(text).filter((name) => !words.has(name));
    return [
      ...(file === LIST || listed.includes(file) ? [] : [`${file}: ${LIST} does not import it`]),
      ...(lines > MAX_LINES ? [`${file}: ${lines} lines, more than ${MAX_LINES}`] : []),
      ...unused.map((name) => `${file}: no element has the class ${name}`),
    ];
  });
}

/** The classes that selectors name. */
function classesIn(text) {
  const selectors = text.match(/[^{};]+(?=\{)/g) ?? [];
  return [...new Set(selectors.flatMap((selector) => selector.match(/(?<=\.)[a-z][\w-]*/g) ?? []))];
}
