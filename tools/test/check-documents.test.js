import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { checkDocuments } from '../check-documents.js';
import { withTree } from './tree.js';

const TREE = {
  'docs/internals/decisions.md': '# Decisions\n\n### D1. Names\n',
  'docs/flow.md': '## In & out\n[up](../README.md), [here](#in--out)\n',
  'README.md': '# Mayfly\n',
  'package.json': '{\n  "scripts": {\n    "check": "node check.js"\n  }\n}\n',
  'packages/server/src/table.ts': `export const SETTINGS = { 'smtp-port': 1, variable: 'MAYFLY_URL' }; // otp save-dev silent yes\n`,
};
const shell = (line) => `\`\`\`sh\n${line}\n\`\`\`\n`;
const INSTALL = shell('npm install --save-dev mayfly-client');

const breachesIn = (text, file = 'docs/a.md') =>
  withTree({ ...TREE, [file]: text }, (base) => checkDocuments(base, [...Object.keys(TREE), file]));

test.each([
  [
    'existing links, files, scripts, flags, variables and decisions',
    '[a](flow.md#in--out), `packages/server/src/table.ts`, `npm run --silent check`, `--smtp-port`, `--no-smtp-port`, `MAYFLY_SMTP_PORT`, `MAYFLY_URL`, D1',
  ],
  ['generated files', '`packages/server/dist/main.js`, `packages/server/sbom.cdx.json`'],
  ['commands that need no installation', shell('npx mayfly-inbox serve\nnpx --yes mayfly-client@0.2 new')],
  ['commands of an installed package', `${INSTALL}${shell('npx mayfly new\naddress=$(npx mayfly new)')}`],
  ['commands in a clone', `${shell('npm ci && npm start')}Then \`npx mayfly new\`.`],
  ['names that begin alike', shell('npm i mayfly-inbox ./mayfly-inbox-0.1.0.tgz @other/mayfly\nmayfly-data ls')],
  ['the name outside of a shell command', 'The command is `mayfly`; `mayfly serve` reads it.'],
])('documents may contain %s', async (_, text) => {
  expect(await breachesIn(text)).toEqual([]);
});

const STRANGER = 'someone else owns the npm package "mayfly"';
const NOTHING_INSTALLED = '"npx mayfly" downloads another package';

test.each([
  ['a missing link', '[a](gone.md)', 'there is no docs/gone.md'],
  ['a missing heading', '[a](flow.md#gone)', 'there is no heading #gone in docs/flow.md'],
  ['a missing file', 'In `packages/server/src/gone.ts` it', 'there is no packages/server/src/gone.ts'],
  ['a missing script', 'Run `npm run gone`.', 'no package has the script gone'],
  ['a missing flag', 'With `--smpt-port`', 'no command has the flag --smpt-port'],
  ['a missing variable', '`MAYFLY_SMPT_PORT`', 'no code reads MAYFLY_SMPT_PORT'],
  ['a missing decision', 'See D2.', 'there is no decision D2'],
  ['npx without an installation', shell('npx mayfly serve'), NOTHING_INSTALLED],
  ['npx before the installation', `Run \`npx mayfly new\`. ${INSTALL}`, NOTHING_INSTALLED],
  ['the other package by its version', `${INSTALL}Run \`npx mayfly@latest serve\`.`, STRANGER],
  ['an installation of the other package', shell('npm install --save-dev nodemailer mayfly'), STRANGER],
  ['npm exec of the other package', 'Use `npm exec mayfly serve`.', STRANGER],
  ['an import of the other package', `import { startMayfly } from 'mayfly';`, STRANGER],
  ['a bare command', shell('code=$(mayfly wait demo --otp)'), '"mayfly" is not on the path'],
])('documents must not contain %s', async (_, text, sentence) => {
  expect(await breachesIn(text)).toEqual([expect.stringContaining(sentence)]);
});

test('a message must not link to a page or a heading that does not exist', async () => {
  const found = (source) => breachesIn(source, 'packages/server/src/a.ts');
  expect(await found(`docsUrl('flow'); docsUrl('flow#in--out'); docsUrl('');`)).toEqual([]);
  expect(await found(`docsUrl('gone');`)).toEqual([expect.stringContaining('there is no docs/gone.md')]);
  expect(await found(`docsUrl('flow#gone');`)).toEqual([expect.stringContaining('no heading #gone in docs/flow.md')]);
});

test('source must not cite a decision that does not exist', async () => {
  expect(await breachesIn('/** Why (D3). */', 'packages/server/src/a.ts')).toEqual([
    expect.stringMatching(/^packages\/server\/src\/a\.ts:1: there is no decision D3/),
  ]);
});

test.each(['check-documents', 'check-size', 'prose/check'])('%s skips its checks if git is not installed', (name) => {
  const env = { ...process.env, PATH: '', CI: '' };
  const said = execFileSync(process.execPath, [`tools/${name}.js`], { env, encoding: 'utf8' });
  expect(said).toMatch(/^\w+: skipped, because git is not installed\n$/);
});
