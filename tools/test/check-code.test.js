import { expect, test } from 'vitest';
import { checkCode } from '../check-code.js';
import { withTree } from './tree.js';

const CLEAN = {
  'plugins/catchers/src/catchers.ts': `import { row } from '../../../packages/server/dist/store/rows.js';\nrow();`,
  'packages/cli/src/main.ts': `import { line } from './line.js';\nline();`,
  'packages/cli/src/line.ts': `export const line = () => {};`,
  'packages/client/package.json':
    '{ "exports": { ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" } } }',
  'packages/client/src/index.ts': `export * from './names.js';`,
  'packages/client/src/wait/names.ts': `export const newName = () => '';`,
  'packages/client/test/names.test.ts': `import { newName } from '../src/names.js';\nnewName();`,
  'packages/client/test/packed.ts': `export const packed = 1;`,
  'packages/mcp/src/tools.ts': 'export {};',
  'plugins/send-apis/src/send-apis.ts': 'export {};',
  'packages/server/src/store/rows.ts': `export interface Row {}\nexport const row = (): Row => ({});`,
  'packages/server/src/http/rows.ts': `import { row } from '../store/rows.js';\nconst load = () => import('./later.js');\nload(row());`,
  'packages/server/src/http/later.ts': `export const later = 1;`,
  'packages/server/test/rows.test.ts': `import '../../client/test/packed.js';\nconst doc = new URL('../../README.md', import.meta.url);`,
  'packages/server/test/looking.ts': `import { setTimeout as delay } from 'node:timers/promises';\nawait delay(1);`,
  'packages/server/test/turns.test.ts': `import { setImmediate as turn } from 'node:timers/promises';\nawait turn();`,
  'packages/web/src/main.tsx': `// It is drawn once (see below); what changes later is drawn by itself.\nexport const main = 'button';`,
  'packages/web/src/style.css': '@import "./ui/button.css";\n',
  'packages/web/src/ui/button.css': '/* .lost */\n.button:hover {\n  margin: 0.5rem;\n}\n',
};

const SAME_NAMES = { 'rows.ts': 'a test' };

function breachesWith(planted, sameNames = SAME_NAMES) {
  return withTree({ ...CLEAN, ...planted }, (base) => checkCode(base, sameNames).breaches);
}

test('a clean tree passes', async () => {
  expect(await breachesWith({})).toEqual([]);
});

test('what the tests have installed is passed over, whatever it holds', async () => {
  const installed = 'packages/client/test/consumers/node_modules/package/index.d.cts';
  expect(await breachesWith({ [installed]: 'export class { no; syntax' })).toEqual([]);
});

test.each([
  [
    'a name that stands twice',
    'packages/server/src/http/sum.ts',
    { 'packages/server/src/store/sum.ts': '' },
    '',
    /^sum\.ts is the name of several files: packages\/server\/src\/http\/sum\.ts, packages\/server\/src\/store\/sum\.ts$/,
  ],
  [
    'code in a comment',
    'packages/cli/src/line.ts',
    {},
    '// line(1);\nexport const line = 1;',
    /^packages\/cli\/src\/line\.ts:1: a comment that/,
  ],
  [
    'code in several comments',
    'packages/cli/test/a.test.ts',
    {},
    '1;\n// if (line) {\n//   line();\n// }',
    /^packages\/cli\/test\/a\.test\.ts:2: a comment that is code/,
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
    'packages/server/src/http/rows.ts',
    {},
    `import { row } from '../store/rows.js';\nconst load = () => import('./later.js');\nload(row());\n// ${'a '.repeat(60)}`,
    /^packages\/server\/src\/http\/rows\.ts:4: a comment in more than/,
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
    'packages/cli/test/a.test.ts',
    {},
    '1;\ntest.skipIf(true).each([1])("x", () => {});',
    /^packages\/cli\/test\/a\.test\.ts:2: a test is skipped by tools\/needs\.js/,
  ],
  ['code in a block', 'tools/a.js', {}, '/*\n * const x = line();\n */', /^tools\/a\.js:1: a comment that is code/],
  [
    'a style that is not listed',
    'packages/web/src/lost.css',
    {},
    'p {}',
    /^packages\/web\/src\/lost\.css: packages\/web\/src\/style\.css does not/,
  ],
  [
    'a long style',
    'packages/web/src/ui/button.css',
    {},
    '\n'.repeat(350),
    /^packages\/web\/src\/ui\/button\.css: 351 lines, more than 350$/,
  ],
  [
    'a style of a class that nothing has',
    'packages/web/src/ui/button.css',
    {},
    '.button {}\n@media (min-width: 1rem) {\n  .button > .lost[a="b"] {}\n}',
    /^packages\/web\/src\/ui\/button\.css: no element has the class lost$/,
  ],
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
  expect(await breachesWith({}, { ...SAME_NAMES, 'line.ts': 'a test' })).toEqual([
    'line.ts is excepted in tools/check-code.js, but not the name of several files',
  ]);
});
