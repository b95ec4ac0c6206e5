import { readFileSync } from 'node:fs';
import { commandHelp } from 'mayfly-cli';
import { describe, expect, test } from 'vitest';
import { grouped, readArguments, settingFlags } from '../../src/commands/command.js';
import { serve } from '../../src/commands/serve.js';

import '../../src/plugin/installed.js';
import { environmentName, readSettings, settingsOfEnvironment } from '../../src/settings/reading.js';
import { optionName, readStartOptions } from '../../src/settings/start-options.js';
import { GROUPS, renamedSettings, settingNames, settingOf } from '../../src/settings/table.js';

const DOCUMENT = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');

/** The hand-written text before the generated table. */
const [HOW_IT_IS_WRITTEN = ''] = DOCUMENT.split('<!-- made');
const lists = [...HOW_IT_IS_WRITTEN.matchAll(/^- (.*?): /gm)].flatMap(([, names = '']) =>
  names.replaceAll('`', '').split(', '),
);

test.each(settingNames())('docs/configuration.md describes the values of --%s', (name) => {
  const { placeholder } = settingOf(name).kind;
  if (placeholder === '') expect(HOW_IT_IS_WRITTEN).toContain('\n- on or off: ');
  else expect(lists).toContain(placeholder);
});

test('a setting that is on by default has a --no- flag in the help', () => {
  const help = commandHelp(serve, settingFlags(serve));
  expect(help).toContain('  --no-page\n      Do not serve the inbox page at / and /inbox/NAME. [MAYFLY_PAGE=false]\n');
  expect(DOCUMENT).toContain('\n- `--no-page`: Do not serve the inbox page');
});

test('the help has each setting in exactly one group, and no empty group', () => {
  const groups = grouped(settingNames());
  expect(groups.map(({ group }) => group)).toEqual(Object.keys(GROUPS));
  expect(groups.flatMap(({ names }) => names).sort()).toEqual([...settingNames()].sort());
  const help = commandHelp(serve, settingFlags(serve));
  const titles = [...help.matchAll(/^([A-Z].*):$/gm)].map(([, title]) => title);
  expect(titles).toEqual([...Object.keys(GROUPS), 'Options']);
  for (const name of settingNames()) expect(help).toMatch(new RegExp(`^  --(?:no-)?${name}\\b`, 'm'));
});

describe.each([...renamedSettings()])('the setting --%s, which was renamed --%s', (old, name) => {
  const value = { 'compat-api': 'mailpit', 'compat-api-callers': '10.0.0.1', 'compat-api-root': '/m' }[name] ?? 'true';
  const text = { RATE: '7/1s', SIZE: '20MiB', NUMBER: '3' }[settingOf(name).kind.placeholder] ?? value;
  const needed = settingOf(name).needs?.setting;
  const others = needed === undefined ? [] : [`--${needed}=${needed === 'compat-api' ? 'mailpit' : 'true'}`];
  const { settings: flags } = readArguments(serve, [...others, `--${old}=${text}`]);
  const { settings: without } = readArguments(serve, others);
  const current = readSettings(readArguments(serve, [...others, `--${name}=${text}`]).settings, new Map());

  test('still works under its old name as a flag, a variable and an option', () => {
    expect(readSettings(flags, new Map())).toEqual(current);
    expect(readSettings(without, settingsOfEnvironment({ [environmentName(old)]: text }))).toEqual(current);
    const options = Object.fromEntries([...without].map(([one, [first]]) => [optionName(one), first]));
    expect(readStartOptions({ ...options, [optionName(old)]: text })).toMatchObject({
      [name]: current[name as 'host'],
    });
  });

  test('is rejected if set under both names, and the help omits the old name', () => {
    const both = settingsOfEnvironment({ [environmentName(old)]: text, [environmentName(name)]: text });
    const sentence = `${environmentName(old)} is the old name of ${environmentName(name)}, and both are set. Remove ${environmentName(old)}.`;
    expect(() => readSettings(without, both)).toThrow(sentence);
    expect(commandHelp(serve, settingFlags(serve))).not.toMatch(
      new RegExp(`--${old}\\b(?!-)|${environmentName(old)}\\b`),
    );
    expect(DOCUMENT).toContain(`\n- \`--${old}\`: \`--${name}\`\n`);
  });
});
