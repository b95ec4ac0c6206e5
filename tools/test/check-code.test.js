import { expect, test } from 'vitest';
import { checkCode } from '../check-code.js';
import { withTree } from './tree.js';

const CLEAN = {
  'catchers/src/catchers.ts': `import { row } from '../../server/dist/store/rows.js';\nrow();`,
  'cli/src/main.ts': `import { line } from './line.js';\nline();`,
  'cli/src/line.ts': `export const line = () => {};`,
  'client/package.json': '{ "exports": { ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" } } }',
  'client/src/index.ts': `export * from './names.js';`,
  'client/src/names.ts': `export const newName = () => '';`,
  'client/test/names.test.ts': `import { newName } from '../src/names.js';\nnewName();`,
  'client/test/packed.ts': `export const packed = 1;`,
  'mcp/src/tools.ts': 'export {};',
  'send-apis/src/send-apis.ts': 'export {};',
  'server/src/store/rows.ts': `export interface Row {}\nexport const row = (): Row => ({});`,
  'server/src/http/rows.ts': `import { row } from '../store/rows.js';\nconst load = () => import('./later.js');\nload(row());`,
  'server/src/http/later.ts': `export const later = 1;`,
  'server/test/rows.test.ts': `import '../../client/test/packed.js';\nconst doc = new URL('../../README.md', import.meta.url);`,
  'server/test/looking.ts': `import { setTimeout as delay } from 'node:timers/promises';\nawait delay(1);`,
  'server/test/turns.test.ts': `import { setImmediate as turn } from 'node:timers/promises';\nawait turn();`,
  'web/src/main.tsx': `// It is drawn once (see below); what changes later is drawn by itself.\nexport const main = 'button';`,
  'web/src/style.css': '@import "./ui/button.css";\n',
  'web/src/ui/button.css': '/* .lost */\n.button:hover {\n  margin: 0.5rem;\n}\n',
};

const RULES = {
  SAME_NAMES: { 'rows.ts': 'a test' },
  ENTRIES: [
    'catchers/src/catchers.ts',
    'cli/src/main.ts',
    'mcp/src/tools.ts',
    'send-apis/src/send-apis.ts',
    'server/src/http/rows.ts',
    'web/src/main.tsx',
  ].map((file) => ({
    file,
    reason: 'a test',
  })),
  TESTS_ACROSS: [{ from: 'server/test/', to: 'client/test/packed.ts', reason: 'a test' }],
  TEST_TIMERS: [{ file: 'server/test/looking.ts', reason: 'a test' }],
};

function breachesWith(planted, rules = RULES) {
  return withTree({ ...CLEAN, ...planted }, (base) => checkCode(base, rules).breaches);
}

test('a clean tree passes', async () => {
  expect(await breachesWith({})).toEqual([]);
});

test('what the tests have installed is passed over, whatever it holds', async () => {
  const installed = 'client/test/consumers/node_modules/package/index.d.cts';
  expect(await breachesWith({ [installed]: 'export class { no; syntax' })).toEqual([]);
});

test.each([
  [
    'a name that stands twice',
    'server/src/http/sum.ts',
    { 'server/src/store/sum.ts': '' },
    '',
    /^sum\.ts is the name of several files: server\/src\/http\/sum\.ts, server\/src\/store\/sum\.ts$/,
  ],
  [
    'a file that nothing imports',
    'cli/src/lost.ts',
    {},
    'export const x = 1;',
    /^cli\/src\/lost\.ts: no source imports it/,
  ],
  [
    'a file that only a test imports',
    'cli/src/lost.ts',
    { 'cli/test/a.test.ts': `import { x } from '../src/lost.js';\nx();` },
    'export const x = 1;',
    /^cli\/src\/lost\.ts: no source imports it/,
  ],
  [
    'an export that nothing uses',
    'cli/src/line.ts',
    {},
    'export const line = () => {};\nexport const other = line;',
    /^cli\/src\/line\.ts: no other file uses its export other$/,
  ],
  [
    'a type that nothing uses',
    'cli/src/line.ts',
    {},
    'export const line = () => {};\nexport interface Other {}',
    /no other file uses its export Other$/,
  ],
  [
    'code in a comment',
    'cli/src/line.ts',
    {},
    '// line(1);\nexport const line = 1;',
    /^cli\/src\/line\.ts:1: a comment that/,
  ],
  [
    'code in several comments',
    'cli/test/a.test.ts',
    {},
    '1;\n// if (line) {\n//   line();\n// }',
    /^cli\/test\/a\.test\.ts:2: a comment that is code/,
  ],
  [
    'a wide comment',
    'tools/a.js',
    {},
    `export {};\n// ${'a '.repeat(60)}`,
    /^tools\/a\.js:2: a comment in more than 120/,
  ],
  [
    'a wide comment of the service',
    'server/src/http/rows.ts',
    {},
    `import { row } from '../store/rows.js';\nconst load = () => import('./later.js');\nload(row());\n// ${'a '.repeat(60)}`,
    /^server\/src\/http\/rows\.ts:4: a comment in more than/,
  ],
  [
    'a wide line of one',
    'bench/a.js',
    {},
    `/**\n * ${'a '.repeat(60)}\n */`,
    /^bench\/a\.js:2: a comment in more than/,
  ],
  [
    'a test that is skipped without a word',
    'cli/test/a.test.ts',
    {},
    '1;\ntest.skipIf(true).each([1])("x", () => {});',
    /^cli\/test\/a\.test\.ts:2: a test is skipped by tools\/needs\.js/,
  ],
  ['code in a block', 'tools/a.js', {}, '/*\n * const x = line();\n */', /^tools\/a\.js:1: a comment that is code/],
  ['a style that is not listed', 'web/src/lost.css', {}, 'p {}', /^web\/src\/lost\.css: web\/src\/style\.css does not/],
  [
    'a long style',
    'web/src/ui/button.css',
    {},
    '\n'.repeat(350),
    /^web\/src\/ui\/button\.css: 351 lines, more than 350$/,
  ],
  [
    'a style of a class that nothing has',
    'web/src/ui/button.css',
    {},
    '.button {}\n@media (min-width: 1rem) {\n  .button > .lost[a="b"] {}\n}',
    /^web\/src\/ui\/button\.css: no element has the class lost$/,
  ],
  [
    'a test that reaches into another workspace',
    'web/test/a.test.ts',
    {},
    `import '../../client/test/packed.js';`,
    /^web\/test\/a\.test\.ts:1: a test of web must not import client\/test\/packed\.js by its path$/,
  ],
  [
    'one that reaches there when it runs',
    'web/test/a.test.ts',
    {},
    `await import('../../server/dist/service.js');`,
    /a test of web must not import server\/dist\/service\.js/,
  ],
  [
    'a sleep',
    'web/test/a.test.ts',
    {},
    'await new Promise((resolve) => setTimeout(resolve, 100));',
    /must not wait for a/,
  ],
  [
    'a sleep of a promise',
    'web/test/a.test.ts',
    {},
    `import { setTimeout as x } from 'timers/promises';`,
    /must not wait/,
  ],
  [
    'a sleep of the module',
    'web/test/a.test.ts',
    {},
    `import * as timers from 'node:timers/promises';`,
    /must not wait/,
  ],
  ['a sleep that is required', 'web/test/a.cjs', {}, `const { x } = require('node:timers/promises');`, /must not wait/],
  ['a sleep of util', 'web/test/a.test.ts', {}, `const sleep = promisify(setTimeout);`, /must not wait for a time/],
  ['a sleep that blocks', 'web/test/a.test.ts', {}, 'Atomics.wait(new Int32Array(1), 0, 0, 1);', /must not wait for a/],
])('%s is a breach', async (_, file, more, text, sentence) => {
  expect(await breachesWith({ [file]: text, ...more })).toContainEqual(expect.stringMatching(sentence));
});

test('prose is no code', async () => {
  const prose = [
    '// See the table (below); it has all.',
    '/** `a = 1` is set; what follows is not. */',
    '// biome-ignore lint/a: b(c);',
    '// RFC 5321 section 4.5.3: at most 512 bytes (with CRLF).',
  ];
  expect(await breachesWith({ 'tools/a.js': prose.join('\nexport {};\n') })).toEqual([]);
});

test('an exception that nothing needs is a breach', async () => {
  expect(
    await breachesWith({
      'server/src/http/rows.ts': '',
      'server/src/store/rows.ts': '',
      'server/test/rows.test.ts': '',
      'server/test/looking.ts': '',
    }),
  ).toEqual(
    expect.arrayContaining([
      'server/test/ is allowed client/test/packed.ts in tools/code-rules.js, but does not import it',
      'server/test/looking.ts may use timers by tools/code-rules.js, but does not',
    ]),
  );
  const SAME_NAMES = { ...RULES.SAME_NAMES, 'line.ts': 'a test' };
  const ENTRIES = [...RULES.ENTRIES, { file: 'cli/src/gone.ts', reason: 'a test' }];
  expect(await breachesWith({}, { ...RULES, SAME_NAMES, ENTRIES })).toEqual([
    'line.ts is excepted in tools/code-rules.js, but not the name of several files',
    'cli/src/gone.ts is an entry in tools/code-rules.js, but there is no such file',
  ]);
});
