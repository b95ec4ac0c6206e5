import { environmentName } from '../settings/reading.js';
import { SETTINGS, type Setting, type SettingName } from '../settings/table.js';
import { type Command, isOnByDefault, isToggle } from './command.js';

/** Width of the lines that help is wrapped to. */
const WIDTH = 100;

/** How far the sentence of a flag is indented. */
const INDENT = 6;

/** What `mayfly --help` says. */
export function overview(commands: Readonly<Record<string, Command>>): string {
  const widest = Math.max(...Object.values(commands).map(({ usage }) => usage.length));
  return [
    'Mayfly: disposable inboxes for automated tests. Mail comes in over SMTP, and a few milliseconds',
    'later your test reads its one-time code and magic link over HTTP.',
    '',
    'Usage:',
    ...Object.values(commands).map(({ usage, summary }) => `  mayfly ${usage.padEnd(widest)}  ${summary}`),
    '  mayfly help COMMAND',
    '  mayfly --version',
    '',
    'A first code in three commands:',
    '  mayfly serve',
    "  printf 'Subject: Hello\\r\\n\\r\\nYour code is 482913\\r\\n' |",
    '    curl smtp://127.0.0.1:2525 --mail-from app@example.test --mail-rcpt demo@inbox.test -T -',
    '  curl http://127.0.0.1:8080/api/inbox/demo',
    '',
  ].join('\n');
}

/** What `mayfly COMMAND --help` says. */
export function commandHelp(command: Command): string {
  const flags = command.settings.flatMap((name) => describeFlag(flagOf(name), sentenceOf(name)));
  const switches = Object.entries(command.switches).flatMap(([name, description]) =>
    describeFlag(`--${name}`, description),
  );
  const options = Object.entries(command.options ?? {}).flatMap(([name, { placeholder, description }]) =>
    describeFlag(`--${name} ${placeholder}`, description),
  );
  const help = describeFlag('--help', 'Shows this text.');
  return [
    `Usage: mayfly ${command.usage}`,
    '',
    ...wrap(command.description, 0),
    '',
    'Options:',
    ...switches,
    ...options,
    ...flags,
    ...help,
    '',
  ].join('\n');
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

function describeFlag(flag: string, description: string): string[] {
  return [`  ${flag}`, ...wrap(description, INDENT)];
}

function wrap(text: string, indent: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (indent + line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => ' '.repeat(indent) + line);
}
