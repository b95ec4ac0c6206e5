// Checks that documents say what the code says: figures (figures.js), flags, commands and environment variables that
// they name, the line of imports in CONTRIBUTING.md, and the places that SECURITY.md names. Exits with 1 and a line for
// each breach.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FIGURES } from './figures.js';
import { PARTS } from './parts.js';

/** Where the words of each language stand in a file of its own. */
const LANGUAGES = 'packages/mail/src/words';

/** Flags of other programs that our documents name: npm, curl, Docker, Postfix, Redis, Playwright and the like. */
const OTHERS_FLAGS = new Set(
  [
    'cap-drop compressed data-urlencode detach fail ignore-scripts mail-from mail-rcpt no-deps no-save now prefix proxy-header wait',
    'experimental-vm-modules read-only replicaof retry retry-connrefused retry-delay rm save-dev security-opt test transport webroot yes',
  ].flatMap((names) => names.split(' ')),
);

/** Variables that are the reader's own. */
const READERS_VARIABLES = ['MAYFLY_KEY'];

/** What is asked of every command. */
const EVERYWHERE = ['help', 'version'];

/** Words that follow the name of the command in prose. */
const NO_COMMANDS = new Set(['help']);

const FLAG = /(?<![\w-])--([a-z][a-z-]*[a-z])/g;
const VARIABLE = /\bMAYFLY_[A-Z_]*[A-Z]\b/g;
const COMMAND = /(?:`|^\s*|\$\()(?:npx )?(?:mayfly|npx mayfly-(?:inbox|client)(?:@[\d.]+)?) ([a-z][a-z-]*)/g;

/** A number, or a product of numbers. */
const PRODUCT = /^\d[\d_]*(?:\s*\*\s*\d[\d_]*)*$/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { known, values, documents } = await project();
  const breaches = checkDrift('.', { known, values, documents, figures: FIGURES, parts: PARTS });
  for (const breach of breaches) console.error(breach);
  console.log(`drift: ${documents.length} documents, ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}

/** Checks the documents of a folder. Returns a sentence for each breach. */
export function checkDrift(base, { known, values, documents, figures, parts }) {
  return [
    ...figureBreaches(base, figures, values),
    ...documents.flatMap((document) => nameBreaches(document, read(base, document), known)),
    ...importLineBreaches(read(base, 'CONTRIBUTING.md'), parts),
    ...placeBreaches(base, read(base, 'SECURITY.md')),
  ];
}

/** What the built project knows: settings, commands, flags and variables. */
async function project() {
  const { SETTINGS } = await import('../packages/server/dist/settings/table.js');
  const { environmentName } = await import('../packages/server/dist/settings/reading.js');
  const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
  const files = tracked.filter((file) => file !== '' && existsSync(file));
  const code = files.filter((file) =>
    /^(?:(?:packages|plugins)\/[\w-]+\/src|action|bench|tools|examples|(?:packages\/server|plugins\/[\w-]+)\/test)\/.*\.(?:[cm]?[jt]sx?|py|rb|go|java)$/.test(
      file,
    ),
  );
  const programs = code.filter((file) => !/\/test\/|^examples/.test(file));
  const textOf = (chosen) => chosen.map((file) => readFileSync(file, 'utf8')).join('\n');
  const commands = textOf(programs.filter((file) => /^packages\/(?:cli\/src|server\/src\/commands)\//.test(file)));
  const settings = Object.keys(SETTINGS);
  return {
    documents: files.filter(
      (file) => file.endsWith('.md') && file !== 'CHANGELOG.md' && !file.startsWith('packages/server/test/'),
    ),
    values: {
      s: (name) => SETTINGS[name].default,
      languages: readdirSync(LANGUAGES).filter((file) => /^(?!mul)[a-z]{2,3}\.txt$/.test(file)).length,
    },
    known: {
      flags: new Set([
        ...EVERYWHERE,
        ...settings,
        ...settings.map((name) => `no-${name}`),
        ...OTHERS_FLAGS,
        ...optionsIn(textOf(programs)),
        ...commandOptionsIn(commands),
      ]),
      commands: new Set([...(await commandsOf()), ...NO_COMMANDS]),
      variables: new Set([
        ...settings.map(environmentName),
        ...READERS_VARIABLES,
        ...code.flatMap((file) => readFileSync(file, 'utf8').match(VARIABLE) ?? []),
      ]),
    },
  };
}

/** Options as tools and benchmarks declare them: `name: {` with a type or the like, or a text with `--name`. */
function optionsIn(text) {
  const declared = [
    ...text.matchAll(/(?:^|[\s{,])'?([a-z][a-z-]*)'?: \{\s*(?:type|value|description|short|metavar)\b/g),
  ];
  return [...declared.map(([, name]) => name), ...[...text.matchAll(FLAG)].map(([, name]) => name)];
}

/** Options of the commands: rows of a table, each with its description, or with more. */
function commandOptionsIn(text) {
  return [...text.matchAll(/^ {4}'?([a-z][a-z-]*)'?:(?: \{|$)/gm)].map(([, name]) => name);
}

/** The names of all commands of the service's command line, which has those of the client, too. */
async function commandsOf() {
  const { CLIENT_COMMANDS } = await import('../packages/cli/dist/client-commands.js');
  const own = readFileSync('packages/server/src/main.ts', 'utf8').match(/const COMMANDS[^{]*\{([^}]*)\}/)[1];
  return [...Object.keys(CLIENT_COMMANDS), ...[...own.matchAll(/^ *(\w+)[:,]/gm)].map(([, name]) => name)];
}

/** Documents hold the texts that are made of constants and defaults. A constant that is not there is a breach, too. */
function figureBreaches(base, figures, values) {
  return Object.entries(figures).flatMap(([document, texts]) => {
    const text = read(base, document);
    return texts.flatMap((make) => {
      try {
        const wanted = make({ ...values, c: (file, name) => constantIn(read(base, file), name, file) });
        return text.includes(wanted) ? [] : [`${document} should say: ${wanted}`];
      } catch (error) {
        return [`tools/figures.js, of ${document}: ${error.message}`];
      }
    });
  });
}

/** `NAME`, or `NAME.property` of an object, whose value is a number or a product of numbers. */
function constantIn(text, name, file) {
  const [constant, property] = name.split('.');
  const written = new RegExp(`^(?:export )?const ${constant}(?::[^=]*)? = ([^;]*);`, 'm').exec(text)?.[1];
  const value =
    property === undefined ? written : new RegExp(`\\b${property}: ([^,}]*[^,}\\s])`).exec(written ?? '')?.[1];
  if (!PRODUCT.test(value ?? '')) throw new Error(`${file} has no number ${name}`);
  return value.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

function nameBreaches(document, text, known) {
  return text
    .split('\n')
    .flatMap((line, at) => [
      ...unknown(line, FLAG, known.flags).map((name) => `${document}:${at + 1}: nothing has the flag --${name}`),
      ...unknown(line, COMMAND, known.commands).map((name) => `${document}:${at + 1}: there is no command ${name}`),
      ...unknown(line, VARIABLE, known.variables).map((name) => `${document}:${at + 1}: nothing reads ${name}`),
    ]);
}

function unknown(line, pattern, names) {
  return [...line.matchAll(pattern)].map(([whole, name = whole]) => name).filter((name) => !names.has(name));
}

/**
 * No part in the line of imports may import one before it, and parts that "do not know each other" may not import each
 * other.
 */
function importLineBreaches(text, parts) {
  const [, line] = /^Imports go one way: `([^`]*)`/m.exec(text) ?? [];
  if (line === undefined) return ['CONTRIBUTING.md has lost its line of imports'];
  const steps = line.split(' → ').map((step) => step.split(', '));
  const gone = steps.flat().filter((name) => !Object.hasOwn(parts, name));
  if (gone.length > 0)
    return gone.map((name) => `CONTRIBUTING.md: its line of imports names ${name}, which is no part`);
  const back = steps.flatMap((step, at) => {
    const before = steps.slice(0, at).flat();
    return step.flatMap((name) =>
      before.filter((other) => parts[name].uses.includes(other)).map((other) => [name, other]),
    );
  });
  const apart = steps.slice(1).flatMap((step, at) => {
    return step.filter((name) => !steps[at].some((before) => parts[before].uses.includes(name)));
  });
  const strangers = [
    ...text.matchAll(/`(\w+)` and `(\w+)`(?: do not know each other)?(?=, and neither do| do not know|\.)/g),
  ]
    .map(([, one, other]) => [one, other])
    .filter(([one, other]) => parts[one]?.uses.includes(other) || parts[other]?.uses.includes(one));
  return [
    ...back.map(
      ([name, other]) => `CONTRIBUTING.md: ${name} stands behind ${other} in the line of imports, but imports it`,
    ),
    ...apart.map((name) => `CONTRIBUTING.md: nothing before ${name} in the line of imports imports it`),
    ...strangers.map(([one, other]) => `CONTRIBUTING.md: ${one} and ${other} do know each other`),
  ];
}

/** Each place in the table of SECURITY.md is there. */
function placeBreaches(base, text) {
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  const places = rows.flatMap((row) =>
    [
      ...row
        .split('|')
        .at(-2)
        .matchAll(/`([^`]+)`/g),
    ].map(([, place]) => place),
  );
  const found = places.length > 0 ? [] : ['SECURITY.md names no places'];
  return [...found, ...places.flatMap((place) => missingPlace(base, place))];
}

/** `file`, or `file#symbol`: the file is there, and holds the symbol as a word. */
function missingPlace(base, place) {
  const [file, symbol] = place.split('#');
  if (!existsSync(path.join(base, file))) return [`SECURITY.md: there is no ${file}`];
  if (symbol === undefined || new RegExp(`\\b${symbol}\\b`).test(read(base, file))) return [];
  return [`SECURITY.md: ${file} has no ${symbol}`];
}

function read(base, file) {
  return readFileSync(path.join(base, file), 'utf8');
}
