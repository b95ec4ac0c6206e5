// Checks documents, comments, messages and names of tests for words typical of a translation, and for terms that we no
// longer use, with textlint. rules.yaml lists the words, exceptions.yaml the sentences that may contain one, and
// not-yet.json how many such words each part may still have; --write lowers these numbers. With paths as arguments,
// lists all such words in these files and folders. Exits with 1 and a line for each breach.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import patterns from '@textlint-rule/textlint-rule-pattern';
import { parse } from 'yaml';
import { trackedFiles } from '../needs.js';
import { optionsOf, refuse } from '../options.js';
import { proseOf } from './prose-of.js';

const NOT_YET = 'tools/prose/not-yet.json';
const CHECKED = /\.(?:md|py|[cm]?[jt]sx?)$/;
const NOT_PROSE = /\/(?:fixtures|corpus|conversations)\/|\.d\.ts$|^packages\/mail\/src\/words\/.*(?<!\.md)$/;
const DATA = Object.fromEntries(
  ['rules', 'exceptions'].map((name) => [name, parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8'))]),
);
const RULES = Object.entries(DATA.rules).map(([ruleId, { match, say, in: folders = [''] }]) => {
  const pattern = match.map((words) => `(?<![\\w-])(?:${words})(?![\\w-])`.replaceAll(' ', '\\s+')).join('|');
  const options = { patterns: [{ pattern: `/${pattern}/i`, message: `write ${say}` }] };
  return { folders, pattern, rule: { ruleId, rule: patterns.default ?? patterns, options } };
});
/** Matches if any rule does. Tested first, because each rule compiles its pattern again for each text. */
const ANY = new RegExp(RULES.map(({ pattern }) => pattern).join('|'), 'iu');
const KERNEL = new TextlintKernel();

class SourceProcessor {
  constructor({ parsed }) {
    this.parsed = parsed;
  }

  availableExtensions() {
    return ['.source'];
  }

  processor() {
    return { preProcess: () => this.parsed, postProcess: (messages, filePath) => ({ messages, filePath }) };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();

async function main() {
  const usage = 'Usage: node tools/prose/check.js [--write] [PATH]...';
  const { positionals: paths, write } = optionsOf(usage, { write: { type: 'boolean' } }, true);
  if (write && paths.length > 0) refuse('--write counts the whole project: give no paths');
  const files = trackedFiles('prose', '--', ...paths);
  const notYet = paths.length === 0 ? JSON.parse(readFileSync(NOT_YET, 'utf8')) : {};
  const { breaches, unused } = await breachesIn('.', files);
  const found = paths.length === 0 ? [...breaches, ...unused] : breaches;
  const { kept, lines } = judged(found, notYet);
  if (write) writeFileSync(NOT_YET, `${JSON.stringify(kept, null, 2)}\n`);
  for (const line of lines) console.error(line);
  console.log(`prose: ${files.length} files, ${lines.length} breaches (${found.length} with the allowed ones)`);
  return lines.length === 0 ? 0 : 1;
}

/** Returns the lines to print, and `notYet` with each count lowered to the current number of breaches in its part. */
export function judged(breaches, notYet) {
  const counts = {};
  for (const { part } of breaches) counts[part] = (counts[part] ?? 0) + 1;
  const lines = breaches.filter(({ part }) => !Object.hasOwn(notYet, part));
  const grown = Object.entries(notYet).filter(([part, count]) => counts[part] > count);
  const kept = Object.entries(notYet).map(([part, count]) => [part, Math.min(count, counts[part] ?? 0)]);
  return {
    kept: Object.fromEntries(kept.filter(([, count]) => count > 0)),
    lines: [
      ...lines.map(({ file, line, sentence }) => `${file}:${line}: ${sentence}`),
      ...grown.map(([part, count]) => {
        return `${part} has ${counts[part]} words typical of a translation, but ${NOT_YET} allows ${count}. "node tools/prose/check.js FILES" lists the words in the files that you changed.`;
      }),
    ],
  };
}

/** Resolves to the breaches in these files, and the exceptions that no file needs. */
export async function breachesIn(base, files, exceptions = DATA.exceptions) {
  const unused = new Set(exceptions);
  const breaches = [];
  for (const file of files.filter((name) => CHECKED.test(name) && !NOT_PROSE.test(name))) {
    const text = readFileSync(path.join(base, file), 'utf8');
    const lines = text.split('\n');
    for (const { ruleId, message, line, range } of await messagesFor(file, text)) {
      const exception = exceptions.find(
        (one) => one.rule === ruleId && file.startsWith(one.file) && lines[line - 1].includes(one.text ?? ''),
      );
      unused.delete(exception);
      if (exception !== undefined) continue;
      const words = text.slice(...range).replace(/\s+/g, ' ');
      breaches.push({ part: partOf(file), file, line, sentence: `"${words}": ${message} (${ruleId})` });
    }
  }
  const sentenceOf = ({ rule, text }) => `no line${text ? ` with "${text}"` : ''} needs the exception to rule ${rule}`;
  return {
    breaches,
    unused: [...unused].map((one) => ({ part: partOf(one.file), file: one.file, line: 1, sentence: sentenceOf(one) })),
  };
}

/** Returns the part whose count includes a file: a document itself, or a folder such as packages/server/src. */
function partOf(file) {
  if (file.endsWith('.md')) return file;
  const [top, ...folders] = path.dirname(file).split('/');
  const depth = top === 'packages' ? 2 : top === 'plugins' || top === 'clients' ? 1 : 0;
  return [top, ...folders.slice(0, depth)].join('/');
}

async function messagesFor(file, text) {
  const isSource = !file.endsWith('.md');
  const parsed = isSource ? parsedSource(file, text) : null;
  if (parsed?.ast.children.length === 0) return [];
  const rules = RULES.filter(({ folders }) => folders.some((folder) => file.startsWith(folder)));
  const { messages } = await KERNEL.lintText(text, {
    filePath: file,
    ext: isSource ? '.source' : '.md',
    plugins: [
      { pluginId: 'markdown', plugin: markdown.default ?? markdown },
      { pluginId: 'source', plugin: { Processor: SourceProcessor }, options: { parsed } },
    ],
    rules: rules.map(({ rule }) => rule),
  });
  return messages;
}

function parsedSource(file, source) {
  const { text, chunks } = proseOf(file, source);
  const children = chunks
    .map(({ start, end }) => node('Str', text, start, end, { value: text.slice(start, end) }))
    .filter(({ value }) => ANY.test(value));
  return { text, ast: node('Document', text, 0, text.length, { children }) };
}

/** Makes a node of textlint. Its `loc` is a placeholder, because the kernel computes positions from `range`. */
function node(type, text, start, end, more) {
  const loc = { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } };
  return { type, range: [start, end], raw: text.slice(start, end), loc, ...more };
}
