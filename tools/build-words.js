// Makes the words by which mail is read, the .txt files in packages/mail/src/words, into files that the service
// has with it wherever it is run: two modules beside them. README.md there describes the format, and what the headings
// are for.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { wordTree } from './word-tree.js';

const FOLDER = 'packages/mail/src/words';

/** The words of several languages together (ISO 639-2). */
const MIXED = 'mul.txt';
const LINGUA_FRANCA = 'en.txt';
const CHARSET_LABELS = 'charset-labels.txt';

/** Headings of words that are looked for one by one, and the role that these have. */
const ROLES = {
  code: 'code',
  'shown-digits': 'code',
  enter: 'enter',
  action: 'action',
  other: 'other',
  'other-codes': 'other',
  'other-kinds': 'kind',
  spent: 'spent',
  denials: 'denial',
  'own-denials': 'denial',
  leave: 'leave',
  aside: 'aside',
  footer: 'footer',
  common: 'common',
};

/** Which role counts of several: `Gutscheincode` is another code, `Bestätigungscode` a code. */
const PRECEDENCE = 'kind other code leave footer aside action enter denial spent common'.split(' ');
const TIME_UNITS = 'time-units';
const SHARED_UNITS = 'shared-units';

/** Headings of words that become one regular expression. */
const EXPRESSIONS = [
  'verifying copula password resets one-time names sale trade pickup thing handling ordering sent and',
  'but example wrote original-message places securing deletion becomes purpose never phones cards',
].flatMap((words) => words.split(' '));

const MADE = '// Made by tools/build-words.js of the .txt files beside it; README.md says what they hold.';

/** To read and compile all of them takes V8 a tenth of a start, and most mail needs a few. */
const EXPRESSION = `/** A regular expression that is made at its first use. */
class Expression {
  readonly #make: () => RegExp;
  #made: RegExp | null = null;

  constructor(make: () => RegExp) {
    this.#make = make;
  }

  get source(): string {
    return this.#make().source;
  }

  test(text: string): boolean {
    this.#made ??= this.#make();
    return this.#made.test(text);
  }

  exec(text: string): RegExpExecArray | null {
    this.#made ??= this.#make();
    return this.#made.exec(text);
  }
}
`;

const HEADINGS = [...Object.keys(ROLES), TIME_UNITS, SHARED_UNITS, ...EXPRESSIONS];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));
  try {
    const sources = wordSources(names.map((name) => [name, readFileSync(path.join(FOLDER, name), 'utf8')]));
    for (const [name, source] of Object.entries(sources)) {
      const target = path.join(FOLDER, name);
      if (!existsSync(target) || readFileSync(target, 'utf8') !== source) writeFileSync(target, source);
    }
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** The modules that files of words, `[name, text]`, make. Throws with a sentence for each line that is wrong. */
export function wordSources(files) {
  const faults = [];
  const entries = files.flatMap(([name, text]) => entriesOf(name, text, faults));
  const isLabel = ({ file }) => file === CHARSET_LABELS;
  faults.push(...withTwoRoles(entries.filter((entry) => !isLabel(entry))), ...givenTwice(entries.filter(isLabel)));
  if (faults.length > 0) throw new Error(faults.map(({ at, sentence }) => `${at}: ${sentence}`).join('\n'));
  const under = (heading) => entries.filter((entry) => entry.heading === heading).map(({ word }) => word);
  const expressions = EXPRESSIONS.map(
    (heading) =>
      `export const ${heading.toUpperCase().replaceAll('-', '_')} = new Expression(() => ${expressionOf(under(heading))});\n`,
  );
  const labels = entries.filter(isLabel).map(({ word, heading }) => [word, heading]);
  return {
    'words.ts': `${MADE}
${EXPRESSION}
export const TIME_UNITS: readonly string[] = ${JSON.stringify(under(TIME_UNITS).flatMap(spelledOut))};
export const SHARED_UNITS: readonly string[] = ${JSON.stringify(under(SHARED_UNITS).flatMap(spelledOut))};

${expressions.join('')}
/** The encoding that a label means. */
export const CHARSET_LABELS: ReadonlyMap<string, string> = new Map(${JSON.stringify(labels)});
`,
    'tree.ts': treeSource(under, languageSets(entries)),
  };
}

function treeSource(under, { sets, numberOf }) {
  const wordsOf = (role) => Object.keys(ROLES).filter((heading) => ROLES[heading] === role);
  const roles = PRECEDENCE.map((role) => wordsOf(role).flatMap(under).flatMap(spelledOut));
  const { nodes, table } = wordTree(roles, numberOf);
  return `${MADE}
/** What words mean, in the order in which it counts. */
export const ROLES = ${JSON.stringify(PRECEDENCE)} as const;

/** Which languages an entry is of, by the number in the tree; none if it needs no other word of its language. */
export const LANGUAGES: readonly (readonly string[])[] = ${JSON.stringify(sets)};
export const NODES = ${nodes};
export const TABLE = '${table}';
`;
}

/**
 * The sets of languages that entries belong to, and the number of the set of entries. Number 0 has no language: the
 * script of a word that is not of Latin letters is evidence enough, and English stands in mail of any language.
 */
function languageSets(entries) {
  const filesOf = new Map();
  for (const { word, heading, file } of entries) {
    if (!(heading in ROLES)) continue;
    for (const one of spelledOut(word)) filesOf.set(one, (filesOf.get(one) ?? new Set()).add(file));
  }
  const sets = [[]];
  const numbers = new Map([['', 0]]);
  const numberOf = (words) => {
    const files = new Set(words.flatMap((word) => [...filesOf.get(word)]));
    const isEverywhere = !/\p{Script=Latin}/u.test(words[0]) || files.has(LINGUA_FRANCA) || files.has(MIXED);
    const languages = isEverywhere ? [] : [...files].map((file) => path.parse(file).name).toSorted();
    const key = languages.join();
    if (!numbers.has(key)) numbers.set(key, sets.push(languages) - 1);
    return numbers.get(key);
  };
  return { sets, numberOf };
}

/** The entries of a file, each with its heading and line. Adds faulty lines to the faults. */
function entriesOf(file, text, faults) {
  const entries = [];
  const headings = [];
  for (const [i, line] of text.split('\n').entries()) {
    const at = `${FOLDER}/${file}:${i + 1}`;
    if (/^\s*(?:#|$)/.test(line)) continue;
    const named = /^(\S+):$/.exec(line)?.[1];
    if (named !== undefined)
      faults.push(...faultsOfHeading(file, named, headings).map((sentence) => ({ at, sentence })));
    if (named !== undefined) headings.push(named);
    else for (const word of line.trim().split(/\s+/)) entries.push({ word, heading: headings.at(-1), file, at });
  }
  const wrong = entries.map(({ word, heading, at }) => ({ at, sentence: faultOf(file, word, heading) }));
  faults.push(...wrong.filter(({ sentence }) => sentence !== null));
  checkLanguage(file, headings, faults);
  return entries;
}

function faultsOfHeading(file, heading, before) {
  if (before.includes(heading)) return [`The heading "${heading}" stands here a second time.`];
  if (file === CHARSET_LABELS)
    return isEncoding(heading)
      ? []
      : [`"${heading}" is no name that the WHATWG Encoding Standard gives to an encoding.`];
  return HEADINGS.includes(heading) ? [] : [`"${heading}" is no heading. Headings are ${HEADINGS.join(', ')}.`];
}

function isEncoding(name) {
  try {
    return new TextDecoder(name).encoding === name;
  } catch {
    return false;
  }
}

function checkLanguage(name, headings, faults) {
  if (name === CHARSET_LABELS) return;
  const at = `${FOLDER}/${name}`;
  if (!/^[a-z]{2,3}\.txt$/.test(name))
    faults.push({ at, sentence: 'A file has the code of its language for a name, such as "de.txt".' });
  // A link that undoes what a mail tells of would else be the link to follow, in this language.
  else if (name !== MIXED && !headings.includes('denials'))
    faults.push({ at, sentence: 'The heading "denials" is missing: every language says "that was not me".' });
}

function faultOf(file, word, heading) {
  if (heading === undefined) return `"${word}" stands before the first heading, which is a line like "code:".`;
  if (file === CHARSET_LABELS)
    return /^[a-z0-9]+$/.test(word) ? null : `"${word}" is no label in lower case without punctuation.`;
  return HEADINGS.includes(heading) ? faultOfWord(word, heading) : null;
}

function faultOfWord(word, heading) {
  if (word !== word.toLowerCase()) return `"${word}" has capital letters.`;
  if (!/^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/.test(word)) return `"${word}" has a brace without its other half.`;
  const [plain, ...barred] = word.split('!');
  if (
    barred.length > 0 &&
    (!EXPRESSIONS.includes(heading) || barred.length > 1 || !/\*$/.test(plain) || /[{}*]/.test(barred[0]))
  )
    return `"${word}": a "!" stands only behind "*", under ${EXPRESSIONS.join(', ')}, and names letters.`;
  if (/,/.test(plain.replace(/\{[^{}]*\}/g, ''))) return `"${word}" has a comma outside of braces.`;
  if (!spelledOut(plain).every((one) => /^\*?[^*_]+(?:_[^*_]+)*\*?$/.test(one)))
    return `"${word}": a "*" stands only at an end, a "_" only between words, and there are letters beside them.`;
  if (heading in ROLES || !plain.startsWith('*') || (plain.endsWith('*') && heading !== TIME_UNITS)) return null;
  return `"${word}" cannot begin with "*" under "${heading}"${heading === TIME_UNITS ? '' : ' without ending with one'}.`;
}

/** A word means one thing to extraction, whatever language it is of. */
function withTwoRoles(entries) {
  const known = new Map();
  const words = entries.flatMap((entry) => spelledOut(entry.word).map((word) => ({ ...entry, word })));
  return words.flatMap(({ word, heading, at }) => {
    if (!(heading in ROLES)) return [];
    if (!known.has(word)) known.set(word, { heading, at });
    const first = known.get(word);
    if (ROLES[first.heading] === ROLES[heading]) return [];
    return [{ at, sentence: `"${word}" stands under "${heading}", and under "${first.heading}" at ${first.at}.` }];
  });
}

/** A label has one encoding. */
function givenTwice(labels) {
  return labels.flatMap(({ word, at }, i) => {
    const first = labels.findIndex((one) => one.word === word);
    return first === i ? [] : [{ at, sentence: `"${word}" stands here a second time, after ${labels[first].at}.` }];
  });
}

/** The words that one with braces stands for: `{a,b}_c` for `a_c` and `b_c`. */
function spelledOut(word) {
  return word.split(/[{}]/).reduce(
    (begun, piece, i) => {
      const choices = i % 2 === 1 ? piece.split(',') : [piece];
      return begun.flatMap((beginning) => choices.map((choice) => beginning + choice));
    },
    [''],
  );
}

/** For words and beginnings of words; and for those that stand anywhere, which are of scripts without spaces. */
function expressionOf(words) {
  const anywhere = words.filter((word) => word.startsWith('*')).map(lettersOf);
  const spaced = words.filter((word) => !word.startsWith('*'));
  if (spaced.length > 0) anywhere.unshift(`(?<!\\p{L})${spacedOf(spaced)}`);
  return anywhere.length === 0 ? '/(?!)/u' : `/${anywhere.join('|')}/u`;
}

function spacedOf(words) {
  if (!words.some((word) => word.includes('*'))) return `(?:${words.map(lettersOf).join('|')})(?!\\p{L})`;
  return `(?:${words.map((word) => lettersOf(word) + endOf(word)).join('|')})`;
}

function lettersOf(word) {
  return word
    .replace(/!.*$|\*/g, '')
    .replace(/[.?+()[\]^$|\\/]/g, '\\$&')
    .replaceAll('_', ' ')
    .replace(/\{([^{}]*)\}/g, (_, choices) => `(?:${choices.replaceAll(',', '|')})`);
}

function endOf(word) {
  const barred = word.split('!')[1];
  if (barred !== undefined) return `(?!${barred.replaceAll(',', '|')})`;
  return word.endsWith('*') ? '' : '(?!\\p{L})';
}
