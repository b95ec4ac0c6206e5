import { expect, test } from 'vitest';
import { breachesIn, judged } from '../prose/check.js';
import { withTree } from './tree.js';

const foundIn = (file, text, exceptions = []) =>
  withTree({ [file]: text }, async (base) => {
    const { breaches, unused } = await breachesIn(base, [file], exceptions);
    return [...breaches, ...unused].map(({ line, sentence }) => `${line} ${sentence}`);
  });

test.each([
  ['a document', 'docs/a.md', '# Filters\n\nNobody reads it.\n', 3, 'nobody'],
  ['a table of a document', 'docs/a.md', '| Word | Meaning |\n| --- | --- |\n| reader | two mails |\n', 3, 'mails'],
  ['a comment', 'tools/a.js', '1;\n/**\n * The inbox,\n * too.\n */\n2;\n', 4, 'trailing too'],
  ['a comment over two lines', 'packages/mail/src/a.ts', 'let a; // It ends at\n       // once.\n', 1, 'at once'],
  ['a comment in TSX', 'packages/web/src/a.tsx', 'const a = <b>{/* in vain */}</b>;\n', 1, 'in vain'],
  ['text in TSX', 'packages/web/src/a.tsx', 'const a = <b>Waits in vain</b>;\n', 1, 'in vain'],
  ['a string', 'packages/cli/src/a.ts', `const a = 'The client is told of it.';\n`, 1, 'told'],
  ['a template', 'packages/cli/src/a.ts', `const a = \`A place of its own: \${c}\`;\n`, 1, 'of its own'],
  ['the name of a test', 'bench/test/a.test.js', `test('rejects a mail', () => 'a mail');\n`, 1, 'mails'],
  ['the name of tests', 'bench/test/a.test.ts', `describe.each([1])('a rehearsal of %s', run);\n`, 1, 'rehearsal'],
  ['a comment in Python', 'clients/python/src/a.py', 'a = 1\n# It belongs\n# to b.\n', 2, 'belongs to'],
  ['a docstring', 'clients/python/src/a.py', 'def a():\n    """Two mails."""\n', 2, 'mails'],
  ['a string in Python', 'clients/python/src/a.py', `a = f"no {none} of {b} stands here"\n`, 1, 'stands'],
  ['the name of a test in Python', 'clients/python/tests/test_a.py', 'def test_ends_at_once():\n', 1, 'at once'],
])('the check rejects a planted word in %s', async (_, file, text, line, rule) => {
  expect(await foundIn(file, text)).toEqual([expect.stringMatching(`^${line} ".*": write .* \\(${rule}\\)$`)]);
});

test.each([
  ['code in a document', 'docs/a.md', 'Call `mails`:\n\n```js\n// at once\n```\n'],
  ['code and URLs in a comment', 'tools/a.js', '// See `two mails` and https://a.test/at%20once?told\n'],
  ['names and keys', 'packages/mail/src/a.ts', `const mails = told['mails'];\n`],
  ['the contents of mail in a test', 'packages/mail/test/a.test.ts', `send('We told nobody.');\n`],
  ['a service behind a proxy', 'docs/a.md', 'Run it behind a trusted proxy.\n'],
])('the prose check accepts a refused word in %s', async (_, file, text) => {
  expect(await foundIn(file, text)).toEqual([]);
});

test('an exception allows a refused word, and an exception that no line needs is reported', async () => {
  const exceptions = [{ rule: 'budget', file: 'tools/', text: 'lines', reason: 'not of mail' }];
  expect(await foundIn('tools/a.js', '// A budget of lines.\n', exceptions)).toEqual([]);
  expect(await foundIn('tools/a.js', '// A budget of mail.\n', exceptions)).toEqual([
    expect.stringContaining('"budget"'),
    expect.stringContaining('no line with "lines" needs the exception to rule budget'),
  ]);
});

test('the allowed number of refused words in a file can only decrease', () => {
  const breaches = ['docs/a.md', 'docs/a.md'].map((part) => ({ part, file: part, line: 1, sentence: '"told"' }));
  expect(judged(breaches, { 'docs/a.md': 3 })).toEqual({ kept: { 'docs/a.md': 2 }, lines: [] });
  expect(judged(breaches, { 'docs/a.md': 1 }).lines).toEqual([expect.stringContaining('docs/a.md has 2 words')]);
  expect(judged(breaches, {}).lines).toEqual(['docs/a.md:1: "told"', 'docs/a.md:1: "told"']);
  expect(judged([], { 'docs/a.md': 1 }).kept).toEqual({});
});
