import { expect, test } from 'vitest';
import { checkDrift } from '../check-drift.js';
import { withTree } from './tree.js';

const CLEAN = {
  'README.md':
    'Up to 64 KiB in 10 s: `npx mayfly serve --http-port 8080`, or MAYFLY_HTTP_PORT. With mayfly you wait.\n',
  'CONTRIBUTING.md':
    'Imports go one way: `main → smtp, http → mail, store`. `smtp` and `http` do not know each other, and neither do `mail` and `store`.\n',
  'SECURITY.md':
    '| Attack | What | Where |\n| --- | --- | --- |\n| Smuggling | No | `packages/server/src/smtp/`, `packages/server/src/a.ts#MAX_BYTES` |\n',
  'packages/server/src/a.ts':
    'const MAX_BYTES = 64 * 1024;\nconst BOUNDS = { total: 4_000, perClient: 400 } as const;\n',
  'packages/server/src/smtp/b.ts': '',
};

const PARTS = {
  main: { uses: ['smtp', 'http'] },
  smtp: { uses: ['mail'] },
  http: { uses: ['mail', 'store'] },
  mail: { uses: [] },
  store: { uses: [] },
};

const OPTIONS = {
  known: {
    flags: new Set(['http-port']),
    commands: new Set(['serve']),
    variables: new Set(['MAYFLY_HTTP_PORT']),
  },
  values: { s: () => '20/10s' },
  documents: ['README.md'],
  figures: { 'README.md': [({ c }) => `${c('packages/server/src/a.ts', 'MAX_BYTES') / 1024} KiB in ${10} s`] },
  parts: PARTS,
};

function breachesWith(planted, options = {}) {
  return withTree({ ...CLEAN, ...planted }, (base) => checkDrift(base, { ...OPTIONS, ...options }));
}

test('a clean tree passes', async () => {
  expect(await breachesWith({})).toEqual([]);
});

const imports = (line) => ({ 'CONTRIBUTING.md': `Imports go one way: \`${line}\`.\n` });
const place = (where) => ({ 'SECURITY.md': `| Smuggling | No | \`${where}\` |\n` });

test.each([
  [
    'a figure that has changed',
    { 'packages/server/src/a.ts': 'export const MAX_BYTES = 32 * 1024;\n' },
    'README.md should say: 32 KiB in 10 s',
  ],
  [
    'a constant that has gone',
    { 'packages/server/src/a.ts': '' },
    'tools/figures.js, of README.md: packages/server/src/a.ts has no number MAX_BYTES',
  ],
  ['a flag', { 'README.md': '64 KiB in 10 s\n`--https-port`\n' }, 'README.md:2: nothing has the flag --https-port'],
  ['a command', { 'README.md': '64 KiB in 10 s `mayfly serv`\n' }, 'README.md:1: there is no command serv'],
  [
    'a command in a shell',
    { 'README.md': '64 KiB in 10 s\nnpx mayfly-inbox start\n' },
    'README.md:2: there is no command start',
  ],
  ['a variable', { 'README.md': '64 KiB in 10 s MAYFLY_PORT=1\n' }, 'README.md:1: nothing reads MAYFLY_PORT'],
  [
    'a part that has gone',
    imports('main → pop3 → mail'),
    'CONTRIBUTING.md: its line of imports names pop3, which is no part',
  ],
  [
    'an import back',
    imports('main → mail → smtp'),
    'CONTRIBUTING.md: nothing before smtp in the line of imports imports it',
  ],
  [
    'the wrong way round',
    imports('mail → smtp'),
    'CONTRIBUTING.md: nothing before smtp in the line of imports imports it',
  ],
  [
    'parts that do know each other',
    { 'CONTRIBUTING.md': `${CLEAN['CONTRIBUTING.md']}\`http\` and \`store\` do not know each other.\n` },
    'CONTRIBUTING.md: http and store do know each other',
  ],
  ['no line of imports', { 'CONTRIBUTING.md': '' }, 'CONTRIBUTING.md has lost its line of imports'],
  ['a place', place('packages/server/src/gone.ts'), 'SECURITY.md: there is no packages/server/src/gone.ts'],
  [
    'a symbol of a place',
    place('packages/server/src/a.ts#MIN_BYTES'),
    'SECURITY.md: packages/server/src/a.ts has no MIN_BYTES',
  ],
  ['no places', { 'SECURITY.md': '' }, 'SECURITY.md names no places'],
])('%s is a breach', async (_, planted, sentence) => {
  expect(await breachesWith(planted)).toContainEqual(sentence);
});

test('a part that imports one before it is a breach', async () => {
  const parts = { ...PARTS, mail: { uses: ['smtp'] } };
  expect(await breachesWith({}, { parts })).toEqual([
    'CONTRIBUTING.md: mail stands behind smtp in the line of imports, but imports it',
  ]);
});

test('a property of an object is a constant, too', async () => {
  const figures = { 'README.md': [({ c }) => `${c('packages/server/src/a.ts', 'BOUNDS.perClient')} at a time`] };
  expect(await breachesWith({}, { figures })).toEqual(['README.md should say: 400 at a time']);
});
