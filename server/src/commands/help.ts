import type { DescribedFlag } from 'mayfly-cli';
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

/** The settings that a command takes as flags, for its help. */
export function settingFlags({ settings = [] }: Command): DescribedFlag[] {
  return settings.map((name) => [flagOf(name), sentenceOf(name)]);
}

/** The table of all settings for docs/configuration.md. */
export function settingsTable(): string {
  const rows = (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const standard = SETTINGS[name].default;
    const cells = [
      `\`${flagOf(name)}\``,
      `\`${environmentName(name)}\``,
      standard === null ? 'none' : `\`${standard}\``,
    ];
    return `| ${[...cells, descriptionOf(name)].map((cell) => cell.replaceAll('|', '\\|').replaceAll('*', '\\*')).join(' | ')} |`;
  });
  return ['| Flag | Environment | Default | What it does |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function flagOf(name: SettingName): string {
  if (isOnByDefault(name)) return `--no-${name}`;
  return isToggle(name) ? `--${name}` : `--${name} ${SETTINGS[name].kind.placeholder}`;
}

function sentenceOf(name: SettingName): string {
  const standard = SETTINGS[name].default;
  const fallback = standard === null || isToggle(name) ? '' : ` Default: ${standard}.`;
  return `${descriptionOf(name)}${fallback} [${environmentName(name)}]`;
}

function descriptionOf(name: SettingName): string {
  const { description, several, kind }: Setting = SETTINGS[name];
  const most = kind.most === undefined ? '' : ` At most ${kind.most}.`;
  return description + most + (several ? ' May be given several times.' : '');
}
