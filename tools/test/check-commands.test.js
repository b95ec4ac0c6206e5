import { expect, test } from 'vitest';
import { breachesIn } from '../check-commands.js';

const shell = (line) => `\`\`\`sh\n${line}\n\`\`\`\n`;
const INSTALL = shell('npm install --save-dev mayfly-client');

test.each([
  ['what needs nothing', shell('npx mayfly-inbox serve\nnpx --yes mayfly-client@0.2 new')],
  ['what is installed', `${INSTALL}${shell('npx mayfly new\naddress=$(npx mayfly new)')}`],
  ['what a clone has', `${shell('npm ci && npm start')}Then \`npx mayfly new\`.`],
  ['what is said to be installed', 'Where `mayfly-inbox` is installed, `npx mayfly help` lists all.'],
  ['names that only begin alike', shell('npm i mayfly-inbox ./mayfly-inbox-0.1.0.tgz @other/mayfly\nmayfly-data ls')],
  ['what is no command', 'The command is `mayfly`; `mayfly serve` reads it. See https://github.com/OWNER/mayfly.'],
  ['an output', '```\nmayfly new\n```\n'],
  ['our own imports', `import { Mayfly } from 'mayfly-client';\nimport { startMayfly } from "mayfly-inbox";`],
])('%s may be told', (_, text) => {
  expect(breachesIn('docs/a.md', text)).toEqual([]);
});

const STRANGER = /^docs\/a\.md:\d+: the npm package "mayfly" is somebody else's/;
const NOTHING_INSTALLED = /^docs\/a\.md:\d+: "npx mayfly" runs a stranger's program/;
const BARE = /^docs\/a\.md:2: no shell knows/;

test.each([
  ['npx where nothing is installed', shell('npx mayfly serve'), NOTHING_INSTALLED],
  ['the same in a sentence', 'Run `npx mayfly new`.', NOTHING_INSTALLED],
  ['the same before it is installed', `${shell('npx mayfly new')}${INSTALL}`, NOTHING_INSTALLED],
  [
    'the same where something else is installed',
    `${shell('npm i nodemailer')}${shell('npx mayfly new')}`,
    NOTHING_INSTALLED,
  ],
  ['another version', `${INSTALL}${shell('npx mayfly@latest serve')}`, STRANGER],
  ['npx with a flag', `${INSTALL}${shell('npx --yes mayfly serve')}`, STRANGER],
  ['an installation', shell('npm install --save-dev nodemailer mayfly'), STRANGER],
  ['a short one with a version', shell('npm i -D mayfly@^0.1.0'), STRANGER],
  ['npm exec', 'Use `npm exec mayfly serve`.', STRANGER],
  ['pnpm', shell('pnpm dlx mayfly serve'), STRANGER],
  ['yarn', shell('yarn add mayfly'), STRANGER],
  ['bun', shell('bunx mayfly serve'), STRANGER],
  ['an import', `import { startMayfly } from 'mayfly';`, STRANGER],
  ['a require', `const { startMayfly } = require("mayfly");`, STRANGER],
  ['a bare command', shell('mayfly serve'), BARE],
  ['a bare command within another', shell('code=$(mayfly wait demo --otp)'), BARE],
])('%s is a breach', (_, text, sentence) => {
  expect(breachesIn('docs/a.md', text)).toEqual([expect.stringMatching(sentence)]);
});
