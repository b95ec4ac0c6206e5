import { expect, test } from 'vitest';
import { checkCitations } from '../check-citations.js';
import { withTree } from './tree.js';

const DOCUMENTS = {
  'docs/decisions.md': '# Decisions\n\n### D1. Names\n\n### D2. Domains\n',
  'docs/interface.md': '# Interface\n\n## 4. Operations\n\n### 4.2 The stream\n\n## 8. Limits\n',
  'packages/server/src/smtp/engine.ts':
    '// MD5, D-1, 3D2, #D99 and https://a.test/D77 are no decisions. (D1, D2; interface sections 4.2 and 8)\n',
  'packages/server/src/smtp/wire/line.ts': '',
};

function breachesWith(planted) {
  const files = { ...DOCUMENTS, ...planted };
  return withTree(files, (base) => checkCitations(base, Object.keys(files)).breaches);
}

test('what is there may be referred to', async () => {
  const page =
    'D1. [Flow](docs/flow.md#in--out), [stream](docs/interface.md#42-the-stream), `npm run --silent check`, `packages/server/src/smtp/`, `smtp/engine.ts`, `engine.ts`, `application/json`, `a/b`, `/readyz`.\n';
  expect(
    await breachesWith({
      'README.md': page,
      'docs/flow.md':
        '## In & out\n[up](../README.md), [here](#in--out), [`engine.ts`](../packages/server/src/smtp/engine.ts)',
      'package.json': '{"scripts":{"check":"true"}}',
      'packages/server/src/a.ts': '// smtp/engine.ts, engine.ts, Node.js and https://a.test/a.js\n',
      'packages/server/src/smtp/wire/dot.ts': '// line.ts, ../engine.ts, ./line.ts and smtp/wire/line.ts\n',
    }),
  ).toEqual([]);
});

test('citations are counted', async () => {
  const { citations } = await withTree(DOCUMENTS, (base) =>
    checkCitations(base, ['packages/server/src/smtp/engine.ts']),
  );
  expect(citations).toBe(4);
});

test.each([
  [
    'a decision in source',
    'packages/server/src/a.ts',
    '/** Why (D3). */',
    /^packages\/server\/src\/a\.ts:1: there is no decision D3/,
  ],
  [
    'a decision in a test',
    'packages/server/test/a.test.ts',
    '\n// D2 and D31',
    /^packages\/server\/test\/a\.test\.ts:2: there is no decision D31/,
  ],
  ['a decision in a document', 'docs/a.md', 'See D35.', /no decision D35/],
  ['a decision in a conversation', 'packages/server/test/smtp/conversations/a.txt', '# Dots (D19)', /no decision D19/],
  ['a section', 'packages/client/src/a.ts', '// interface section 4.3', /no section 4\.3 in docs\/interface\.md/],
  ['one of several sections', 'packages/client/src/a.ts', '// interface sections 4.2, 5 and 8', /no section 5 in/],
  ['the notes by name', 'packages/client/src/a.ts', '// spec.md section 8', /"spec\.md" is not part of the project/],
  ['the other notes by name', 'README.md', 'See design.md.', /"design\.md" is not part of the project/],
  ['the notes by decision', 'packages/client/src/a.ts', '// (design D1)', /"design D1" is not part of the project/],
  ['a file in backticks', 'docs/a.md', 'In `smtp/server.ts` it', /^docs\/a\.md:1: there is no smtp\/server\.ts/],
  ['a bare file in backticks', 'docs/a.md', 'In `config.ts` it', /there is no config\.ts/],
  [
    'a folder in backticks',
    'docs/a.md',
    'In `packages/server/src/lmtp/` it',
    /there is no packages\/server\/src\/lmtp\//,
  ],
  ['a link', 'docs/a.md', '[Flow](flow.md)', /there is no flow\.md/],
  [
    'a heading of another document',
    'README.md',
    '[x](docs/interface.md#43-none)',
    /no heading #43-none in docs\/interface\.md/,
  ],
  [
    'a heading of the same document',
    'README.md',
    '# A\n[x](#b)',
    /^README\.md:2: there is no heading #b in README\.md/,
  ],
  ['an npm script', 'README.md', '`npm run tests`', /^README\.md:1: no package has the script tests/],
  [
    'a file in a comment',
    'packages/server/src/a.ts',
    '/** See `smtp/lmtp.ts`. */',
    /^packages\/server\/src\/a\.ts:1: there is no smtp\/lmtp\.ts/,
  ],
  [
    'a path in a comment that another ends with',
    'packages/client/src/a.ts',
    '// wire/line.ts',
    /there is no wire\/line\.ts/,
  ],
  ['a file beside a comment', 'packages/server/src/a.ts', '// ./engine.ts', /there is no \.\/engine\.ts/],
  ['a script of Redis in a comment', 'packages/server/src/a.ts', '// as append.lua does', /there is no append\.lua/],
  [
    'the notes by section',
    'packages/client/src/a.ts',
    '// (design section 4)',
    /"design section" is not part of the project/,
  ],
  ['a gap in the decisions', 'docs/decisions.md', '### D1. A\n### D3. C\n', /D2 is missing/],
  ['a decision that stands twice', 'docs/decisions.md', '### D1. A\n### D1. B\n### D2. C', /D1 stands twice/],
])('%s that is not there is a breach', async (_, file, text, sentence) => {
  expect(await breachesWith({ [file]: text })).toContainEqual(expect.stringMatching(sentence));
});
