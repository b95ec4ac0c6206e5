import { expect, test } from 'vitest';
import { checkRegexes } from '../check-regexes.js';
import { withTree } from './tree.js';

const FILE = 'packages/server/src/http/planted.ts';

const OTHERS = {
  ...{ 'plugins/mailpit/src/a.ts': '', 'plugins/send-apis/src/a.ts': '', 'packages/cli/src/a.ts': '' },
  ...{ 'packages/client/src/a.ts': '', 'packages/mcp/src/a.ts': '', 'packages/web/src/a.tsx': '' },
};

const withText = (text, exceptions = []) =>
  withTree({ ...OTHERS, [FILE]: text }, (base) => checkRegexes(base, exceptions));

test('checkRegexes accepts expressions that take linear time, however they are written', async () => {
  const text = `
    export const a = [/^a+$/i, /\\d{1,4} ?;/gu, new RegExp('\\\\d{4,8}'), RegExp(\`^\\\\d\`, 'g')];
    export const is = (text: string) => text.search('c|d') >= 0 || text.match(a[0]);`;
  expect(await withText(text)).toEqual({ regexes: 5, breaches: [] });
});

test('checkRegexes accepts bounded repetition in each of three runs with random attack texts', async () => {
  const bounded = 'export const a = /(?:^|[^\\w.-])(?:localhost|[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,8}):$/;';
  for (let run = 0; run < 3; run++) expect((await withText(bounded)).breaches).toEqual([]);
});

test.each([
  ['exponential time', 'export const a = /^(a+)+$/;', /\/\^\(a\+\)\+\$\/ takes exponential time/],
  ['quadratic time', 'export const a = /\\s+$/;', /takes 2nd degree polynomial time/],
  ['cubic time', 'export const a = /^\\s*\\s*\\s*$/;', /takes 3rd degree polynomial time/],
  [
    'an expression that once blocked the service',
    'export const a = /^Bearer(?: +(.*))?$/i;',
    /takes 2nd degree polynomial time/,
  ],
  ['nested repeats with bounds', 'export const a = /^(?:a{1,60}){1,60}$/;', /takes .* time/],
  ['alternatives that overlap', 'export const a = /^(?:a|a)*b$/;', /takes exponential time/],
  ['the constructor', `export const a = new RegExp('(a+)+$');`, /takes exponential time/],
  ['the constructor as a function', `export const a = RegExp('(a+)+$');`, /takes exponential time/],
  ['the constructor in a function', `export const f = () => new RegExp('(a+)+$');`, /takes exponential time/],
  [
    'constants that a function concatenates',
    `const A = '(a+)';\nexport const a = () => new RegExp(\`\${A}+\` + '$');`,
    /:2: .* so it cannot be checked/,
  ],
  ['a string that a method compiles', `export const a = 'x'.match('(a+)+$');`, /takes exponential time/],
  [
    'an expression of a component',
    'export const A = () => <p title={String(/(a+)+$/.test("")) } />;',
    /exponential/,
    'packages/web/src/a.tsx',
  ],
  [
    'an expression that is known only when the code runs',
    'export const f = (text: string) => new RegExp(text);',
    /so it cannot be checked/,
  ],
  [
    'an expression that only an unbuilt module computes at load time',
    `export const a = new RegExp(['a'].join());`,
    /cannot be checked/,
  ],
])('checkRegexes flags %s', async (_, text, sentence, file = FILE) => {
  const files = { ...OTHERS, 'packages/server/src/a.ts': '', [file]: text };
  const { breaches } = await withTree(files, checkRegexes);
  expect(breaches).toEqual([expect.stringMatching(sentence)]);
});

test('checkRegexes checks regular expressions that a compiled module builds when it is loaded', async () => {
  const source = `export const a = new RegExp(['(a+)+', '$'].join(''));`;
  const files = { ...OTHERS, 'packages/server/src/a.ts': source, 'packages/server/dist/a.js': source };
  const { breaches } = await withTree({ ...files, 'package.json': '{"type":"module"}' }, checkRegexes);
  expect(breaches).toEqual([expect.stringMatching(/takes exponential time/)]);
});

test('checkRegexes applies an exception to one expression in one file, and reports an unused exception', async () => {
  const exception = { file: FILE, source: '/(a+)+$/', reason: 'a test' };
  expect((await withText('export const a = /(a+)+$/;', [exception])).breaches).toEqual([]);
  expect((await withText('export const a = /(b+)+$/;', [exception])).breaches).toEqual([
    expect.stringMatching(/\/\(b\+\)\+\$\/ takes exponential time/),
    expect.stringMatching(/\/\(a\+\)\+\$\/ is an unused exception in tools\/check-regexes\.yaml$/),
  ]);
});
