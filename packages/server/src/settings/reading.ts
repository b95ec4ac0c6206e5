import { totalmem } from 'node:os';
import { meantInWords } from 'mayfly-protocol/misspelled';
import { isEveryAddress } from '../base/listen-address.js';
import { NamedError } from '../errors.js';
import { isLocalOnly } from '../limits/client-address.js';
import { STORE_SCHEMES } from '../store/open-store.js';
import { renamedSettings, type Setting, type SettingName, type Settings, settingNames, settingOf } from './table.js';

/** An invalid command line or environment. The message is one sentence for the operator. */
export class SettingsError extends NamedError {
  override name = 'SettingsError';
}

/** Texts of settings, by current or old name. A repeatable setting may have several, and each may be a list: "a,b". */
export type WrittenSettings = ReadonlyMap<string, readonly string[]>;

const ENVIRONMENT_PREFIX = 'MAYFLY_';

const CLIENT_VARIABLES = new Set(
  ['URL', 'API_KEY', 'CREDENTIALS', 'DOCS_URL', 'FULL_STACK', 'RUN', 'SECRET', 'SPACE'].map(
    (name) => ENVIRONMENT_PREFIX + name,
  ),
);

/**
 * Kubernetes sets these variables in every container next to a service called "mayfly" or "mayfly-…". For "mayfly-http",
 * it sets our `MAYFLY_HTTP_PORT`. The value of `…_PORT` distinguishes it from a mistake such as MAYFLY_PORT=80.
 */
const SERVICE_LINK = /_(?:SERVICE_(?:HOST|PORT)|PORT_\d{1,5}_(?:TCP|UDP|SCTP))(?:_|$)/;
const SERVICE_PORT = /_PORT(?==(?:tcp|udp|sctp):\/\/)/;

/** Docker sets these in a container linked to one called "mayfly", as GitLab's runner links a job to its services. */
const DOCKER_LINK = /^MAYFLY_NAME=\/[^/]+\/|^MAYFLY_ENV_/;

export function environmentName(name: string): string {
  return ENVIRONMENT_PREFIX + name.toUpperCase().replaceAll('-', '_');
}

/** The settings in an environment. Without plugins, ignores unknown variables if MAYFLY_PLUGIN is set. */
export function settingsOfEnvironment(environment: NodeJS.ProcessEnv, { hasPlugins = true } = {}): WrittenSettings {
  const current = settingNames();
  const names = new Map([...current, ...renamedSettings().keys()].map((name) => [environmentName(name), name]));
  const written = new Map<string, readonly string[]>();
  for (const [variable, given] of Object.entries(environment)) {
    if (!variable.startsWith(ENVIRONMENT_PREFIX) || given === undefined) continue;
    // If the file for docker's --env-file has Windows line ends, each value ends with a CR.
    const text = given.replace(/\r$/, '');
    const line = `${variable}=${text}`;
    const service = SERVICE_LINK.exec(variable) ?? SERVICE_PORT.exec(line);
    const isOwnService = service?.index === ENVIRONMENT_PREFIX.length - 1;
    if (CLIENT_VARIABLES.has(variable) || DOCKER_LINK.test(line) || isOwnService) continue;
    if (service !== null) throw serviceLinkError(variable, service.index);
    const name = names.get(variable);
    if (name === undefined && !hasPlugins && environment.MAYFLY_PLUGIN) continue;
    if (name === undefined) {
      // Several settings may end in the given name: MAYFLY_PORT may mean the HTTP port or the SMTP port.
      const end = variable.slice(ENVIRONMENT_PREFIX.length - 1);
      const meant = meantInWords(variable, end, current.map(environmentName));
      const advice = meant === null ? '"mayfly serve --help" lists them all.' : `Did you mean ${meant}?`;
      throw new SettingsError(`${variable} is not a setting. ${advice}`);
    }
    written.set(name, [text]);
  }
  return written;
}

/** Negated flags, flags of commands, and names that Kubernetes and Docker use. */
const RESERVED_NAMES = /^(?:no-.*|help|version|json|dns|name|port|service-(?:host|port(?:-.*)?)|env-.*)$/;

/** Names that a plugin's setting may not have, because their variable or flag has another meaning. */
export function isReservedName(name: string): boolean {
  return RESERVED_NAMES.test(name) || CLIENT_VARIABLES.has(environmentName(name));
}

function serviceLinkError(variable: string, nameLength: number): SettingsError {
  const service = variable.slice(0, nameLength).toLowerCase().replaceAll('_', '-');
  return new SettingsError(
    `${variable} is not a setting: Kubernetes sets such variables in every container to announce the service ${service}. ` +
      'Set "enableServiceLinks: false" in the pod specification, or rename the service so that its name does not begin with "mayfly-".',
  );
}

export type Label = (name: string) => string;

export const flagName: Label = (name) => `--${name}`;

/** All settings: from flags, else the environment, else defaults. Throws `SettingsError` with a sentence. */
export function readSettings(
  flags: WrittenSettings,
  environment: WrittenSettings,
  // `constrainedMemory` is 0 if the system does not report it.
  {
    machineBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
    label = flagName,
  } = {},
): Settings {
  const given = givenIn(flags, environment, label);
  const values = Object.fromEntries(
    settingNames().map((name) => {
      const setting = settingOf(name);
      const texts = given.texts(name) ?? [setting.default ?? []].flat();
      return [name, settingValue(setting, given.label(name), texts)];
    }),
  ) as unknown as Settings;
  // If only this machine reaches Mayfly, Mayfly accepts any domain, because all mail comes from here and stays here.
  const isAnyDomain = given.texts('domain') === undefined && isLocalOnly(values.host);
  const domain = isAnyDomain ? [...values.domain, '*'] : values.domain;
  const settled = { ...values, ...loweredDefaults(values, machineBytes, given), domain };
  for (const sentence of contradictions(settled, machineBytes, given)) throw new SettingsError(sentence);
  return settled;
}

/** A warning for each setting that has its old name. */
export function renamedIn(written: WrittenSettings, label: Label): string[] {
  const old = [...renamedSettings()].filter(([name]) => written.has(name));
  return old.map(
    ([name, current]) =>
      `${label(name)} is now called ${label(current)}. The old name works until the next major version.`,
  );
}

type Given = ReturnType<typeof givenIn>;

function givenIn(flags: WrittenSettings, environment: WrittenSettings, named: Label) {
  const renamed = renamedSettings();
  const given = new Map<string, { readonly texts: readonly string[]; readonly label: string }>();
  const add = (written: WrittenSettings, labelled: Label) => {
    for (const [name, texts] of written) {
      const current = renamed.get(name) ?? name;
      if (current !== name && written.has(current)) {
        const [old, now] = [labelled(name), labelled(current)];
        throw new SettingsError(`${old} is the old name of ${now}, and both are set. Remove ${old}.`);
      }
      given.set(current, { texts, label: labelled(name) });
    }
  };
  add(environment, environmentName);
  add(flags, named);
  const texts = (name: string) => given.get(name)?.texts;
  const label = (name: string) => given.get(name)?.label ?? named(name);
  return {
    texts,
    label,
    labelWithValue: (name: string) => `${label(name)} (${texts(name)?.[0] ?? `${settingOf(name).default} by default`})`,
  };
}

/**
 * The first setting must not exceed the second, for the given reason. A default that would exceed it is lowered. A
 * default for one client is lowered to the given part of the total, but not below the given minimum (`few`).
 */
const NOT_MORE_THAN: readonly (readonly [SettingName, SettingName, string, part?: number, few?: number])[] = [
  ['max-message', 'max-in-flight', 'a message of the largest size would always be refused'],
  ['ad-hoc-quota', 'store-quota', 'one ad-hoc workspace could fill the store'],
  ['smtp-connections', 'smtp-connections-total', 'one client could take all connections', 2 / 5, 50],
  ['streams-per-client', 'streams', 'one client could take all streams', 1 / 5, 200],
  ['http-header-time', 'http-request-time', 'the headers are part of the request'],
];

/** What the store adds to the largest message to one recipient: fields and search index, measured at 59,608 bytes. */
const ADDED_BYTES = 64 * 1024;

/** Lowers defaults to what other settings and the machine allow. Too high a value from the operator is an error. */
function loweredDefaults(settings: Settings, machineBytes: number, given: Given): Partial<Settings> {
  const values = settings as unknown as Readonly<Record<string, number>>;
  const lowered: Record<string, number> = {};
  const lower = (name: string, most = machineBytes) => {
    if (given.texts(name) === undefined) lowered[name] = Math.min(lowered[name] ?? values[name] ?? 0, most);
  };
  lower('max-in-flight');
  lower('max-message', Math.min(machineBytes, Math.max(ADDED_BYTES, settings['store-quota'] - ADDED_BYTES)));
  for (const [smaller, larger, , part = 1, few = 0] of NOT_MORE_THAN) {
    const total = values[larger] ?? 0;
    lower(smaller, Math.min(total, Math.max(few, Math.ceil(total * part))));
  }
  return lowered;
}

function settingValue(setting: Setting, label: string, texts: readonly string[]): unknown {
  // In a repeatable setting, every comma separates values, because no value contains one.
  const parts = setting.several ? texts.flatMap((text) => text.split(',').map((part) => part.trim())) : texts;
  const values = parts.map((text) => {
    const value = setting.kind.parse(text);
    if (value === undefined) {
      const shown = setting.kind.shown?.(text) ?? text;
      const why = setting.kind.why?.(text) ?? setting.kind.rule;
      throw new SettingsError(`${label}: "${shown}" is not valid: ${why}.`);
    }
    return value;
  });
  if (setting.several) return values;
  if (values.length > 1) throw new SettingsError(`${label} is given ${values.length} times, but it takes one value.`);
  return values[0] ?? null;
}

function* excesses(settings: Settings, machineBytes: number, given: Given, isRemote: boolean): Generator<string> {
  for (const [smaller, larger, otherwise] of NOT_MORE_THAN) {
    if (isRemote && larger === 'store-quota') continue;
    if (Number(settings[smaller]) <= Number(settings[larger])) continue;
    const both = `${given.labelWithValue(smaller)} is more than ${given.labelWithValue(larger)}`;
    yield `${both}: ${otherwise}. Lower ${given.label(smaller)}, or raise ${given.label(larger)}.`;
  }
  if (settings['max-in-flight'] > machineBytes) {
    yield `${given.labelWithValue('max-in-flight')} is more than the memory of this machine, ${machineBytes} bytes. Lower it.`;
  }
}

function* contradictions(settings: Settings, machineBytes: number, given: Given): Generator<string> {
  const { workspace, 'cors-origin': origins } = settings;
  const { label } = given;
  const isRemote = STORE_SCHEMES.some(({ hasReplicas, pattern }) => hasReplicas && pattern.test(settings.store));
  yield* excesses(settings, machineBytes, given, isRemote);
  const least = settings['max-message'] + ADDED_BYTES;
  if (!isRemote && settings['store-quota'] < least)
    yield `${given.labelWithValue('store-quota')} is less than the ${least} bytes that the largest message to one recipient takes in the store. Raise the quota, or lower ${label('max-message')}.`;
  if (isRemote && given.texts('store-quota') !== undefined) {
    yield `${given.labelWithValue('store-quota')} has no effect on Redis, which bounds its own memory. Remove it, and set maxmemory of the Redis server instead.`;
  }
  if (settings['store-replicas'] !== null && !isRemote) {
    const scheme = settings.store.replace(/:.*/s, ':');
    yield `${label('store-replicas')} requires a Redis store, but ${label('store')} is ${scheme}.`;
  }
  for (const { setting, needed, sentence } of allNeeds()) {
    const values = settings as Readonly<Record<string, unknown>>;
    const isMissing = given.texts(setting) !== undefined && isOn(values[setting]) && !isOn(values[needed]);
    if (isMissing) yield sentence.replaceAll('{it}', label(setting)).replaceAll('{needed}', label(needed));
  }
  if (origins.length > 1 && origins.includes('*')) {
    yield `${label('cors-origin')}: * allows every origin: use * alone, or list the origins without *.`;
  }
  if (settings['tls-cert'] !== null && given.texts('tls') !== undefined) {
    yield `${given.labelWithValue('tls')} is for a service without a certificate, but ${label('tls-cert')} provides one. Remove one of them.`;
  }
  if (settings['smtps-port'] !== null && settings['tls-cert'] === null && settings.tls === 'off') {
    yield `${label('smtps-port')} needs a certificate: set ${label('tls-cert')} and ${label('tls-key')}, or let Mayfly generate one with ${label('tls')} self-signed.`;
  }
  yield* samePorts(settings, given);
  yield* sharedWorkspaces(workspace, label('workspace'));
  for (const check of checks) {
    const sentence = check(settings, label);
    if (sentence !== null) yield sentence;
  }
}

/** The settings that have no effect without another setting. */
export function allNeeds() {
  return settingNames().flatMap((setting) => {
    const { needs } = settingOf(setting);
    return needs === undefined ? [] : { setting, needed: needs.setting, sentence: needs.sentence };
  });
}

/** A setting that is off, such as `--store-replicas-on-disk=false`, needs no other setting. */
function isOn(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false;
}

const PORTS = ['http-port', 'smtp-port', 'smtps-port'] as const;

function* samePorts(settings: Settings, given: Given): Generator<string> {
  const { host, metrics } = settings;
  const same = (one: string, other: string, what: string) =>
    `${given.labelWithValue(one)} and ${given.labelWithValue(other)} are the same${what}: use two different ports.`;
  for (const [at, one] of PORTS.entries()) {
    const other = PORTS.slice(at + 1).find((name) => settings[one] === settings[name]);
    if (other !== undefined && settings[one]) yield same(one, other, '');
  }
  if (metrics === null || metrics.port === 0) return;
  // The metrics need a separate port, unless they are on another address.
  if (metrics.host !== host && !isEveryAddress(host) && !isEveryAddress(metrics.host)) return;
  const other = PORTS.find((name) => settings[name] === metrics.port);
  if (other !== undefined) yield same('metrics', other, ' port');
}

const checks: ((settings: Settings, label: Label) => string | null)[] = [];

export function addSettingsCheck(check: (typeof checks)[number]): void {
  checks.push(check);
}

/** Two workspaces must not share inbox names or keys, because one could read the other's mail (D15). */
function* sharedWorkspaces(keys: Settings['workspace'], label: string): Generator<string> {
  const owners = new Map<string, string>();
  for (const { workspace, key } of keys) {
    const owner = owners.get(key) ?? workspace;
    if (owner !== workspace)
      yield `${label}: ${owner} and ${workspace} have the same key: give each workspace its own key.`;
    owners.set(key, workspace);
    const other = keys.find((one) => workspace.startsWith(`${one.workspace}-`))?.workspace;
    if (other) yield `${label}: ${other} would also own the inbox names of ${workspace}: rename one of the workspaces.`;
  }
}
