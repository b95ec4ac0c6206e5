import { parseArgs } from 'node:util';
import {
  type Command as AnyCommand,
  type Invocation as AnyInvocation,
  type DescribedFlag,
  type FlagSection,
  readArguments as readOwnArguments,
  valueless,
} from 'mayfly-cli';
import { PROGRAM } from '../own-package.js';
import { environmentName, SettingsError, type WrittenSettings } from '../settings/reading.js';
import { GROUPS, renamedSettings, settingNames, settingOf } from '../settings/table.js';

export interface Invocation extends AnyInvocation {
  readonly settings: WrittenSettings;
}

export interface Command extends AnyCommand {
  readonly settings?: readonly string[];
  /** Whether another command's help lists the settings; this command's description then refers to that help. */
  readonly settingsAreElsewhere?: boolean;
  run(invocation: Invocation): Promise<number>;
}

export function readArguments(command: Command, args: readonly string[]): Omit<Invocation, 'environment'> {
  const { settings: current = [] } = command;
  const names = [...current, ...[...renamedSettings()].flatMap(([old, name]) => (current.includes(name) ? old : []))];
  const settings = new Map<string, string[]>();
  const add = (name: string, text: string) => settings.set(name, [...(settings.get(name) ?? []), text]);
  const types = Object.fromEntries(names.map((name) => [name, isToggle(name) ? 'boolean' : 'string'] as const));
  const take = (flag: string, value: string | undefined) => {
    const setting = names.find((name) => name === flag);
    const negated = names.find((name) => mayBeOn(name) && `no-${name}` === flag);
    if (setting !== undefined) {
      const text = value ?? (isToggle(setting) ? 'true' : undefined);
      if (text === undefined) throw new SettingsError(`--${setting} needs a value: ${settingOf(setting).kind.rule}.`);
      add(setting, text);
    } else if (negated === undefined) return false;
    else if (value !== undefined) throw valueless(flag);
    else add(negated, 'false');
    return true;
  };
  const flags = current.flatMap((name) => (mayBeOn(name) ? [name, `no-${name}`] : [name]));
  return { ...readOwnArguments(command, args, { types, names: flags, take }), settings };
}

export function pluginsGiven(args: readonly string[], { MAYFLY_PLUGIN: variable }: NodeJS.ProcessEnv): string[] {
  const { plugin } = parseArgs({
    args: [...args],
    strict: false,
    options: { plugin: { type: 'string', multiple: true } },
  }).values;
  const given = (plugin as (string | boolean)[] | undefined)?.filter((one) => typeof one === 'string');
  const texts = given ?? (variable === undefined ? [] : [variable]);
  return texts.flatMap((text) => text.split(',').map((part) => part.trim())).filter((part) => part !== '');
}

function isOnByDefault(name: string): boolean {
  return isToggle(name) && settingOf(name).default === 'true';
}

/** Whether the setting is a switch that is on by default, always or only for a local service. */
function mayBeOn(name: string): boolean {
  return isToggle(name) && settingOf(name).default !== 'false';
}

function isToggle(name: string): boolean {
  return settingOf(name).kind.placeholder === '';
}

export const FIRST_CODE = [
  'To receive a first code, run:',
  `  ${PROGRAM.start} serve`,
  'and in another terminal, while it runs:',
  "  printf 'Subject: Hello\\r\\n\\r\\nYour code is 482913\\r\\n' |",
  '    curl smtp://127.0.0.1:2525 --mail-from app@example.test --mail-rcpt demo@inbox.example.com -T -',
  '  curl http://127.0.0.1:8080/api/inbox/demo',
];

const MOST_UNGROUPED = 12;

export function settingFlags({ settings = [], settingsAreElsewhere = false }: Command): FlagSection[] {
  if (settingsAreElsewhere) return [];
  const described = (names: readonly string[]) => names.map((name): DescribedFlag => [flagOf(name), sentenceOf(name)]);
  if (settings.length <= MOST_UNGROUPED) return [{ title: null, flags: described(settings) }];
  return grouped(settings).map(({ group, names }) => ({ title: group, flags: described(names) }));
}

export function settingsLists(): string {
  const row = (name: string) => {
    const standard = isToggle(name) ? null : settingOf(name).default;
    const head = `- \`${flagOf(name)}\`${standard === null ? '' : ` (\`${standard}\`)`}`;
    return `${head}: ${descriptionOf(name).replaceAll('*', '\\*')}`;
  };
  const lists = grouped(settingNames()).map(({ group, names }) => [`### ${group}\n`, ...names.map(row)]);
  const renamed = [...renamedSettings()].map(([old, name]) => `- \`--${old}\`: \`--${name}\``);
  return [...lists, [RENAMED, ...renamed]].map((lines) => lines.join('\n')).join('\n\n');
}

const RENAMED = `## Renamed options

The old options and their \`MAYFLY_\` variables work until the next major version. An option given by both names is an error.
`;

function flagOf(name: string): string {
  if (isOnByDefault(name)) return `--no-${name}`;
  return isToggle(name) ? `--${name}` : `--${name} ${settingOf(name).kind.placeholder}`;
}

function sentenceOf(name: string): string {
  const standard = settingOf(name).default;
  const fallback = standard === null || isToggle(name) ? '' : ` Default: ${standard}.`;
  const variable = isOnByDefault(name) ? `${environmentName(name)}=false` : environmentName(name);
  return `${descriptionOf(name)}${fallback} [${variable}]`;
}

function descriptionOf(name: string): string {
  const { description, several, kind } = settingOf(name);
  const most = kind.most === undefined ? '' : ` At most ${kind.most}.`;
  const sentence = isOnByDefault(name)
    ? `Do not ${description.charAt(0).toLowerCase()}${description.slice(1)}`
    : description;
  return sentence + most + (several ? ' Repeatable.' : '');
}

/** Settings by group. A plugin may name the group of a setting; otherwise the plugin has its own group. */
export function grouped(names: readonly string[]) {
  const own = new Map(
    Object.entries<object>(GROUPS).flatMap(([group, rows]) => Object.keys(rows).map((name) => [name, group])),
  );
  const groupOf = (name: string) => own.get(name) ?? settingOf(name).group ?? 'Plugins';
  const groups = new Set([...Object.keys(GROUPS), ...names.map(groupOf)]);
  return [...groups]
    .map((group) => ({ group, names: names.filter((name) => groupOf(name) === group) }))
    .filter(({ names: found }) => found.length > 0);
}
