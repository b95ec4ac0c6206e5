import { totalmem } from 'node:os';
import { meantInWords } from 'mayfly-protocol/misspelled';
import { isEveryAddress } from '../base/listen-address.js';
import { NamedError } from '../errors.js';
import { isLocalOnly } from '../limits/client-address.js';
import { STORE_SCHEMES } from '../store/open-store.js';
import { type Setting, type SettingName, type Settings, settingNames, settingOf } from './table.js';

/** An invalid command line or environment. The message is one sentence for the operator. */
export class SettingsError extends NamedError {
  override name = 'SettingsError';
}

/** Settings as written, by name. Several texts, or one with commas, only for repeatable settings. */
export type WrittenSettings = ReadonlyMap<string, readonly string[]>;

const ENVIRONMENT_PREFIX = 'MAYFLY_';

const CLIENT_VARIABLES = new Set([
  'MAYFLY_URL',
  'MAYFLY_API_KEY',
  'MAYFLY_FULL_STACK',
  'MAYFLY_RUN',
  'MAYFLY_SECRET',
  'MAYFLY_SPACE',
]);

/** An address such as `tcp://172.17.0.2:2525`. */
const LINKED_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/**
 * Kubernetes sets these in every container beside a service called "mayfly", and Docker in every container linked to
 * one of this name. The value tells them from a slip such as MAYFLY_PORT=80.
 */
const LINK_VARIABLES: readonly (readonly [variable: RegExp, text: RegExp])[] = [
  [/^MAYFLY_SERVICE_(?:HOST|PORT(?:_\w+)?)$/, /^/],
  [/^MAYFLY_PORT$/, LINKED_ADDRESS],
  [/^MAYFLY_PORT_\d{1,5}_(?:TCP|UDP|SCTP)(?:_\w+)?$/, /^/],
  // `/CONTAINER/ALIAS`
  [/^MAYFLY_NAME$/, /^\/[^/]+\//],
  // The environment of the other container.
  [/^MAYFLY_ENV_/, /^/],
];

/** It sets these for services whose name begins so: for "mayfly-http", one is named like our setting. */
const SERVICE_LINK = /_(?:SERVICE_(?:HOST|PORT)|PORT_\d{1,5}_(?:TCP|UDP|SCTP))(?:_|$)/;

export function environmentName(name: string): string {
  return ENVIRONMENT_PREFIX + name.toUpperCase().replaceAll('-', '_');
}

/**
 * The settings in an environment. Throws `SettingsError` for an unknown variable of Mayfly's. Commands that load no
 * plugin leave out the variables of those that are given.
 */
export function settingsOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { hasPlugins = true } = {},
): WrittenSettings {
  const names = new Map(settingNames().map((name) => [environmentName(name), name]));
  const written = new Map<string, readonly string[]>();
  for (const [variable, given] of Object.entries(environment)) {
    if (!variable.startsWith(ENVIRONMENT_PREFIX) || given === undefined) continue;
    // A file with the line ends of Windows, such as docker's --env-file, leaves one at the end of each value.
    const text = given.replace(/\r$/, '');
    if (CLIENT_VARIABLES.has(variable) || isOfLink(variable, text)) continue;
    refuseServiceLink(variable, text);
    const name = names.get(variable);
    if (name === undefined && !hasPlugins && environment.MAYFLY_PLUGIN) continue;
    if (name === undefined) {
      throw new SettingsError(`${variable} is not a setting. ${adviceFor(variable, [...names.keys()])}`);
    }
    written.set(name, [text]);
  }
  return written;
}

/** Names that a plugin's setting may not have: their variable or their flag means something else. */
export function isReservedName(name: string): boolean {
  const variable = environmentName(name);
  return (
    RESERVED_NAMES.test(name) || CLIENT_VARIABLES.has(variable) || LINK_VARIABLES.some(([link]) => link.test(variable))
  );
}

/** Negated flags, and those of commands. */
const RESERVED_NAMES = /^(?:no-.*|help|version|json|dns)$/;

function isOfLink(variable: string, text: string): boolean {
  return LINK_VARIABLES.some(([name, value]) => name.test(variable) && value.test(text));
}

function adviceFor(variable: string, names: readonly string[]): string {
  // One such as MAYFLY_PORT may be the end of several.
  const meant = meantInWords(variable, variable.slice(ENVIRONMENT_PREFIX.length - 1), names);
  return meant === null ? '"mayfly serve --help" lists them all.' : `Did you mean ${meant}?`;
}

function refuseServiceLink(variable: string, text: string): void {
  const link = SERVICE_LINK.exec(variable) ?? (LINKED_ADDRESS.test(text) ? /_PORT$/.exec(variable) : null);
  if (link === null) return;
  const service = variable.slice(0, link.index).toLowerCase().replaceAll('_', '-');
  throw new SettingsError(
    `${variable} is not a setting: Kubernetes sets such variables in every container to announce the service ${service}. ` +
      'Set "enableServiceLinks: false" in the pod specification, or rename the service so that its name does not begin with "mayfly-".',
  );
}

/** How errors name a setting that did not come from the environment. */
export type Label = (name: string) => string;

/**
 * All settings: from flags, else the environment, else defaults, which may give way to other settings. Throws
 * `SettingsError` with a sentence for invalid texts, and for settings that contradict each other or the machine.
 */
export function readSettings(
  flags: WrittenSettings,
  environment: WrittenSettings,
  { machineBytes = memoryOfMachine(), label = (name: string) => `--${name}` } = {},
): Settings {
  const given = givenIn(flags, environment, label);
  const values = Object.fromEntries(
    settingNames().map((name) => {
      const setting = settingOf(name);
      const standard = setting.default === null ? [] : [setting.default];
      return [name, settingValue(setting, given.label(name), given.texts(name) ?? standard)];
    }),
  ) as unknown as Settings;
  // Where only this machine sends mail, an application may mail any address: nothing of it would leave the machine.
  const isAnyDomain = given.texts('domain') === undefined && isLocalOnly(values.host);
  const domain = isAnyDomain ? [...values.domain, '*'] : values.domain;
  const settled = { ...values, ...loweredDefaults(values, machineBytes, given), domain };
  for (const sentence of contradictions(settled, machineBytes, given)) throw new SettingsError(sentence);
  return settled;
}

/** What the operator has given, and how an error names a setting. */
type Given = ReturnType<typeof givenIn>;

function givenIn(flags: WrittenSettings, environment: WrittenSettings, named: Label) {
  const texts = (name: string) => flags.get(name) ?? environment.get(name);
  const label = (name: string) => (!flags.has(name) && environment.has(name) ? environmentName(name) : named(name));
  return {
    texts,
    label,
    labelWithValue: (name: string) => `${label(name)} (${texts(name)?.[0] ?? `${settingOf(name).default} by default`})`,
  };
}

type Yielding =
  | 'max-message'
  | 'smtp-connections'
  | 'streams-per-client'
  | 'http-header-time'
  | 'max-in-flight'
  | 'space-budget';

/** The default share of one client if only the totals are set, and not few. */
const DEFAULT_SHARE = { streams: 1 / 5, connections: 2 / 5 };
const FEW_STREAMS = 200;
const FEW_CONNECTIONS = 50;

/** Defaults above another setting or the machine are lowered: the operator did not ask for them. */
function loweredDefaults(values: Settings, machineBytes: number, given: Given): Partial<Pick<Settings, Yielding>> {
  const bounds: (readonly [Yielding, number])[] = [
    ['smtp-connections', share(values['smtp-connections-total'], DEFAULT_SHARE.connections, FEW_CONNECTIONS)],
    ['streams-per-client', share(values.streams, DEFAULT_SHARE.streams, FEW_STREAMS)],
    ['http-header-time', values['http-request-time']],
    ['max-in-flight', machineBytes],
    ['max-message', Math.min(values['max-in-flight'], values['store-budget'], machineBytes)],
    ['space-budget', values['store-budget']],
  ];
  const defaults = bounds.filter(([name]) => given.texts(name) === undefined);
  return Object.fromEntries(defaults.map(([name, most]) => [name, Math.min(values[name], most)]));
}

function share(total: number, part: number, few: number): number {
  return Math.min(total, Math.max(few, Math.ceil(total * part)));
}

function settingValue(setting: Setting, label: string, texts: readonly string[]): unknown {
  // No repeatable setting contains a comma.
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

function memoryOfMachine(): number {
  // 0 if the system does not tell.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** The first must not exceed the second, and why. */
const NOT_MORE_THAN: readonly (readonly [SettingName, SettingName, string])[] = [
  ['max-message', 'max-in-flight', 'a message of the largest size would always be refused'],
  ['max-message', 'store-budget', 'a message of the largest size would not fit even into an empty store'],
  ['space-budget', 'store-budget', 'one space could fill the store'],
  ['smtp-connections', 'smtp-connections-total', 'one client could take all connections'],
  ['streams-per-client', 'streams', 'one client could take all streams'],
  ['http-header-time', 'http-request-time', 'the headers are part of the request'],
];

function* contradictions(settings: Settings, machineBytes: number, given: Given): Generator<string> {
  const { workspace, 'cors-origin': origins } = settings;
  const { label } = given;
  const isRemote = isRemoteStore(settings);
  for (const [smaller, larger, otherwise] of NOT_MORE_THAN) {
    if (isRemote && larger === 'store-budget') continue;
    if (Number(settings[smaller]) <= Number(settings[larger])) continue;
    const both = `${given.labelWithValue(smaller)} is more than ${given.labelWithValue(larger)}`;
    yield `${both}: ${otherwise}. Lower ${label(smaller)}, or raise ${label(larger)}.`;
  }
  if (settings['max-in-flight'] > machineBytes) {
    yield `${given.labelWithValue('max-in-flight')} is more than the memory of this machine, ${machineBytes} bytes. Lower it.`;
  }
  yield* storeContradictions(settings, given);
  // None is ignored silently.
  for (const { setting, needed, sentence } of allNeeds()) {
    const values = settings as Readonly<Record<string, unknown>>;
    const isMissing = given.texts(setting) !== undefined && isOn(values[setting]) && !isOn(values[needed]);
    if (isMissing) yield sentence.replace('{it}', label(setting)).replace('{needed}', label(needed));
  }
  if (origins.length > 1 && origins.includes('*')) {
    yield `${label('cors-origin')}: * allows every origin: use it alone, or list the origins without it.`;
  }
  if (settings['tls-cert'] !== null && given.texts('tls') !== undefined) {
    yield `${given.labelWithValue('tls')} is for a service without a certificate, but ${label('tls-cert')} provides one. Remove one of them.`;
  }
  if (settings['smtps-port'] !== null && settings['tls-cert'] === null && settings.tls === 'off') {
    yield `${label('smtps-port')} needs a certificate: give one with ${label('tls-cert')} and ${label('tls-key')}, or one that Mayfly generates with ${label('tls')} self-signed.`;
  }
  yield* samePorts(settings, given);
  yield* sharedWorkspaces(workspace, label('workspace'));
  for (const check of checks) {
    const sentence = check(settings, label);
    if (sentence !== null) yield sentence;
  }
}

/** The settings that have no effect without another one. */
export function allNeeds() {
  return settingNames().flatMap((setting) => {
    const { needs } = settingOf(setting);
    return needs === undefined ? [] : { setting, needed: needs.setting, sentence: needs.sentence };
  });
}

/** `--store-replicas-on-disk=false` asks for nothing. */
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
  // The metrics need a port of their own, unless on another address.
  if (metrics.host !== host && !isEveryAddress(host) && !isEveryAddress(metrics.host)) return;
  const other = PORTS.find((name) => settings[name] === metrics.port);
  if (other !== undefined) yield same('metrics', other, ' port');
}

function isRemoteStore({ store }: Settings): boolean {
  return STORE_SCHEMES.some((scheme) => scheme.hasReplicas && scheme.pattern.test(store));
}

function* storeContradictions(settings: Settings, given: Given): Generator<string> {
  if (isRemoteStore(settings) && given.texts('store-budget') !== undefined) {
    yield `${given.labelWithValue('store-budget')} has no effect on Redis, which bounds its own memory. Remove it, and set maxmemory of the Redis server instead.`;
  }
  if (settings['store-replicas'] !== null && !isRemoteStore(settings)) {
    const scheme = settings.store.replace(/:.*/s, ':');
    yield `${given.label('store-replicas')} requires a Redis store, but ${given.label('store')} is ${scheme}.`;
  }
}

/** Returns a sentence about settings of a plugin that contradict others. */
export type SettingsCheck = (settings: Settings, label: Label) => string | null;

const checks: SettingsCheck[] = [];

export function addSettingsCheck(check: SettingsCheck): void {
  checks.push(check);
}

/** No inbox name or key may belong to two workspaces: one could read the other's mail (D15). */
function* sharedWorkspaces(keys: Settings['workspace'], label: string): Generator<string> {
  const owners = new Map<string, string>();
  for (const { workspace, key } of keys) {
    const owner = owners.get(key) ?? workspace;
    if (owner !== workspace)
      yield `${label}: ${owner} and ${workspace} have the same key: give each workspace its own key.`;
    owners.set(key, workspace);
    const other = keys.find((one) => workspace.startsWith(`${one.workspace}-`))?.workspace;
    if (other) yield `${label}: the inbox names of ${workspace} would also belong to ${other}: rename one of them.`;
  }
}
