import { openLog } from './log.js';
import { type RunningService, startService } from './service.js';
import { readSettings, SettingsError, settingNames, type WrittenSettings } from './settings/reading.js';
import { SETTINGS, type SettingName } from './settings/table.js';

/** Settings by their option names, each a value or its text as `mayfly serve` takes it. `tools/service-types.js` writes out which. */
export type StartOptions = Readonly<Record<string, unknown>>;

/** A service in this process. */
export interface StartedMayfly {
  /** Base address of the HTTP interface, and of the inbox page. */
  readonly url: string;
  /** Where the application under test sends its mail. */
  readonly smtp: { readonly host: string; readonly port: number };
  /** The domain of the inboxes, the first where there are several. */
  readonly domain: string;
  /** Ends the service: mail that is coming in is stored and answered first. Resolves when all is closed, however often it is called. */
  stop(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What differs from `mayfly serve`: free ports, nothing that stays behind, and no log. */
const STANDARD: WrittenSettings = new Map([
  ['http-port', ['0']],
  ['smtp-port', ['0']],
  ['store', ['memory:']],
  ['log-level', ['silent']],
]);

/** What stands in an address for a domain, where mail for any is accepted. */
const DOMAIN_OF_ANY = 'inbox.test';

/**
 * Starts a service in this process. It reads no environment, so that several may run beside each other. Rejects with a
 * `SettingsError` for an option that does not exist or whose value breaks its setting's rule, and as `startService` does.
 */
export async function startMayfly(options: StartOptions = {}): Promise<StartedMayfly> {
  const settings = readSettings(written(options), STANDARD, { label: optionName });
  const service = await startService(settings, openLog(settings['log-level'], settings['log-format']));
  service.warmUp();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop();
    return stopped;
  };
  return {
    url: service.http,
    smtp: addressOf(service),
    domain: settings.domain.find((domain) => domain !== '*') ?? DOMAIN_OF_ANY,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** How a setting is called among the options: `http-port` is `httpPort`. */
export function optionName(name: SettingName): string {
  return name.replace(/-([a-z])/g, (_hyphen, letter: string) => letter.toUpperCase());
}

function written(options: StartOptions): WrittenSettings {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new SettingsError('startMayfly: the options must be an object, or be left out.');
  }
  const names = new Map(settingNames().map((name) => [optionName(name), name]));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return new Map(given.map(([option, value]) => [nameOf(option, names), textsOf(option, value)]));
}

function nameOf(option: string, names: ReadonlyMap<string, SettingName>): SettingName {
  const name = names.get(option);
  if (name !== undefined) return name;
  throw new SettingsError(`startMayfly: "${option}" is not an option. It takes ${[...names.keys()].join(', ')}.`);
}

/** A value as the operator would write it. */
function textsOf(option: string, value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => {
    if (['string', 'number', 'boolean'].includes(typeof one)) return String(one);
    throw new SettingsError(`startMayfly: ${option} must be a text, a number, true or false, or an array of texts.`);
  });
}

function addressOf({ smtp }: RunningService): StartedMayfly['smtp'] {
  const colon = smtp.lastIndexOf(':');
  return { host: smtp.slice(0, colon).replace(/[[\]]/g, ''), port: Number(smtp.slice(colon + 1)) };
}

/** What the type of an option is, in TypeScript. */
export function optionType(name: SettingName): string {
  const { several, kind } = SETTINGS[name];
  if (several) return 'string | readonly string[]';
  const { placeholder }: { readonly placeholder: string } = kind;
  if (placeholder === '') return 'boolean';
  return placeholder === 'NUMBER' || placeholder === 'PORT' ? 'number | string' : 'string';
}
