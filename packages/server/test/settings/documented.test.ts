import { readFileSync } from 'node:fs';
import { commandHelp } from 'mayfly-cli';
import { expect, test } from 'vitest';
import { grouped, settingFlags } from '../../src/commands/command.js';
import { serve } from '../../src/commands/serve.js';

import '../../src/plugin/installed.js';
import { GROUPS, settingNames, settingOf } from '../../src/settings/table.js';

const DOCUMENT = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');

/** The hand-written text before the generated table. */
const [HOW_IT_IS_WRITTEN = ''] = DOCUMENT.split('<!-- made');

test.each(settingNames())('docs/configuration.md describes the values of --%s', (name) => {
  const { placeholder } = settingOf(name).kind;
  if (placeholder === '') expect(HOW_IT_IS_WRITTEN).toContain('| on or off |');
  else expect(HOW_IT_IS_WRITTEN).toContain(`\n| \`${placeholder}\` |`);
});

test('a setting that is on by default has a --no- flag in the help', () => {
  const help = commandHelp(serve, settingFlags(serve));
  expect(help).toContain('  --no-page\n      Do not serve the inbox page at / and /inbox/NAME. [MAYFLY_PAGE=false]\n');
  expect(DOCUMENT).toContain('| `--no-page` | `MAYFLY_PAGE=false` | `true` | Do not serve the inbox page');
});

test('each setting is in exactly one group of the help, and no group is empty', () => {
  const groups = grouped(settingNames());
  expect(groups.map(({ group }) => group)).toEqual(Object.keys(GROUPS));
  expect(groups.flatMap(({ names }) => names).sort()).toEqual([...settingNames()].sort());
  const help = commandHelp(serve, settingFlags(serve));
  const titles = [...help.matchAll(/^([A-Z].*):$/gm)].map(([, title]) => title);
  expect(titles).toEqual([...Object.keys(GROUPS), 'Options']);
  for (const name of settingNames()) expect(help).toMatch(new RegExp(`^  --(?:no-)?${name}\\b`, 'm'));
});
