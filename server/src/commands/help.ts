import type { DescribedFlag, FlagSection } from 'mayfly-cli';
import { grouped } from '../settings/groups.js';
import { environmentName } from '../settings/reading.js';
import { SETTINGS, type Setting, type SettingName } from '../settings/table.js';
import { type Command, isOnByDefault, isToggle } from './command.js';

/** What `mayfly --help` of the service says below its commands. */
export const FIRST_CODE = [
  'A first code in three commands:',
  '  npx mayfly-inbox serve',
  "  printf 'Subject: Hello\\r\\n\\r\\nYour code is 482913\\r\\n' |",
  '    curl smtp://127.0.0.1:2525 --mail-from app@example.test --mail-rcpt demo@inbox.test -T -',
  '  curl http://127.0.0.1:8080/api/inbox/demo',
];

const MOST_UNGROUPED = 12;

/** A command's settings as flags of its help, by group if there are many. */
export function settingFlags({ settings = [], settingsAreElsewhere = false }: Command): FlagSection[] {
  if (settingsAreElsewhere) return [];
  const described = (names: readonly SettingName[]) =>
    names.map((name): DescribedFlag => [flagOf(name), sentenceOf(name)]);
  if (settings.length <= MOST_UNGROUPED) return [{ title: null, flags: described(settings) }];
  return grouped(settings).map(({ group, names }) => ({ title: group, flags: described(names) }));
}

/** All settings for docs/configuration.md: a table for each group. */
export function settingsTables(): string {
  const tables = grouped(Object.keys(SETTINGS) as SettingName[]);
  return tables.map(({ group, names }) => `### ${group}\n\n${settingsTable(names)}`).join('\n\n');
}

function settingsTable(names: readonly SettingName[]): string {
  const rows = names.map((name) => {
    const standard = SETTINGS[name].default;
    const cells = [`\`${flagOf(name)}\``, `\`${variableOf(name)}\``, standard === null ? 'none' : `\`${standard}\``];
    return `| ${[...cells, descriptionOf(name)].map((cell) => cell.replaceAll('|', '\\|').replaceAll('*', '\\*')).join(' | ')} |`;
  });
  return ['| Flag | Environment | Default | What it does |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function flagOf(name: SettingName): string {
  if (isOnByDefault(name)) return `--no-${name}`;
  return isToggle(name) ? `--${name}` : `--${name} ${SETTINGS[name].kind.placeholder}`;
}

/** The variable with the flag's effect; `=false` turns off what is on by default. */
function variableOf(name: SettingName): string {
  return isOnByDefault(name) ? `${environmentName(name)}=false` : environmentName(name);
}

function sentenceOf(name: SettingName): string {
  const standard = SETTINGS[name].default;
  const fallback = standard === null || isToggle(name) ? '' : ` Default: ${standard}.`;
  return `${descriptionOf(name)}${fallback} [${variableOf(name)}]`;
}

function descriptionOf(name: SettingName): string {
  const { description, several, kind }: Setting = SETTINGS[name];
  const most = kind.most === undefined ? '' : ` At most ${kind.most}.`;
  const sentence = isOnByDefault(name)
    ? `Do not ${description.charAt(0).toLowerCase()}${description.slice(1)}`
    : description;
  return sentence + most + (several ? ' May be given several times.' : '');
}
