import {
  type Command as AnyCommand,
  type Invocation as AnyInvocation,
  type DescribedFlag,
  type FlagSection,
  readArguments as readOwnArguments,
  valueless,
} from 'mayfly-cli';
import {
  environmentName,
  readSettings,
  SettingsError,
  settingsOfEnvironment,
  type WrittenSettings,
} from '../settings/reading.js';
import { SETTINGS, type Setting, type SettingName, type Settings } from '../settings/table.js';

export interface Invocation extends AnyInvocation {
  readonly settings: WrittenSettings;
}

export interface Command extends AnyCommand {
  readonly settings?: readonly SettingName[];
  /** Whether another command's help lists them, as the description then says. */
  readonly settingsAreElsewhere?: boolean;
  run(invocation: Invocation): Promise<number>;
}

export function readArguments(command: Command, args: readonly string[]): Omit<Invocation, 'environment'> {
  const { settings: names = [] } = command;
  const settings = new Map<SettingName, string[]>();
  const add = (name: SettingName, text: string) => settings.set(name, [...(settings.get(name) ?? []), text]);
  const types = Object.fromEntries(names.map((name) => [name, isToggle(name) ? 'boolean' : 'string'] as const));
  const take = (flag: string, value: string | undefined) => {
    const setting = names.find((name) => name === flag);
    const negated = names.find((name) => isOnByDefault(name) && `no-${name}` === flag);
    if (setting !== undefined) add(setting, settingText(setting, value));
    else if (negated === undefined) return false;
    else if (value !== undefined) throw valueless(flag);
    else add(negated, 'false');
    return true;
  };
  const flags = names.flatMap((name) => (isOnByDefault(name) ? [name, `no-${name}`] : [name]));
  return { ...readOwnArguments(command, args, { types, names: flags, take }), settings };
}

/** The settings of a command that reads a store. Throws a sentence if no other process can. */
export function settingsOfKeptStore(
  { settings: flags, environment }: Pick<Invocation, 'settings' | 'environment'>,
  task: 'export' | 'list',
): Settings {
  const settings = readSettings(flags, settingsOfEnvironment(environment));
  if (settings.store !== 'memory:') return settings;
  throw new SettingsError(
    `--store: a memory: store exists only inside the service process, so there is nothing to ${task}.`,
  );
}

function settingText(name: SettingName, value: string | undefined): string {
  if (value !== undefined) return value;
  if (isToggle(name)) return 'true';
  throw new SettingsError(`--${name} needs a value: ${SETTINGS[name].kind.rule}.`);
}

function isOnByDefault(name: SettingName): boolean {
  return isToggle(name) && SETTINGS[name].default === 'true';
}

function isToggle(name: SettingName): boolean {
  return SETTINGS[name].kind.placeholder === '';
}

export const FIRST_CODE = [
  'A first code in three commands:',
  '  npx mayfly-inbox serve',
  'and in another terminal, while it runs:',
  "  printf 'Subject: Hello\\r\\n\\r\\nYour code is 482913\\r\\n' |",
  '    curl smtp://127.0.0.1:2525 --mail-from app@example.test --mail-rcpt demo@inbox.example.com -T -',
  '  curl http://127.0.0.1:8080/api/inbox/demo',
];

export const GROUPS = {
  Listeners: ['host', 'http-port', 'smtp-port', 'smtps-port'],
  'Mail and storage': [
    'domain',
    'inbox-by',
    'store',
    'store-replicas',
    'store-replicas-on-disk',
    'retention',
    'store-budget',
    'space-budget',
    'max-emails',
  ],
  SMTP: [
    'max-message',
    'max-recipients',
    'max-in-flight',
    'smtp-connections',
    'smtp-connections-total',
    'smtp-idle',
    'smtp-data-time',
    'smtp-data-speed',
    'smtp-proxy',
    'smtp-proxy-lazy',
    'rehearsals',
  ],
  TLS: ['tls', 'tls-cert', 'tls-key'],
  HTTP: [
    'streams',
    'streams-per-client',
    'http-connections',
    'http-header-time',
    'http-request-time',
    'http-max-body',
    'trust-proxy',
    'cors-origin',
  ],
  'Client limits': [
    'fetch-limit',
    'look-limit',
    'name-limit',
    'stream-limit',
    'workspace-limit',
    'wrong-key-limit',
    'waitlist-limit',
    'smtp-limit',
    'space-limit',
  ],
  'Workspaces, spaces and the page': ['workspace', 'spaces', 'page', 'waitlist'],
  'Other interfaces': [
    'drop-in',
    'drop-in-callers',
    'drop-in-root',
    'drop-in-limit',
    'send-apis',
    'templates',
    'mcp',
    'compat',
  ],
  Operation: ['reading-threads', 'metrics', 'log-level', 'log-format'],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

const MOST_UNGROUPED = 12;

export function settingFlags({ settings = [], settingsAreElsewhere = false }: Command): FlagSection[] {
  if (settingsAreElsewhere) return [];
  const described = (names: readonly SettingName[]) =>
    names.map((name): DescribedFlag => [flagOf(name), sentenceOf(name)]);
  if (settings.length <= MOST_UNGROUPED) return [{ title: null, flags: described(settings) }];
  return grouped(settings).map(({ group, names }) => ({ title: group, flags: described(names) }));
}

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

export function grouped(names: readonly SettingName[]): { readonly group: string; readonly names: SettingName[] }[] {
  const groups = Object.entries<readonly SettingName[]>(GROUPS);
  return groups
    .map(([group, own]) => ({ group, names: names.filter((name) => own.includes(name)) }))
    .filter(({ names: own }) => own.length > 0);
}
