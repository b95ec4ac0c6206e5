import { meantInWords } from 'mayfly-protocol/misspelled';
import { readSettings, renamedIn, SettingsError, type WrittenSettings } from './reading.js';
import { renamedSettings, type Settings, settingNames, settingOf } from './table.js';

/** Options by name; each is a value, or the value's text as for `mayfly serve`. See `tools/build-service.js`. */
export type StartOptions = Readonly<Record<string, unknown>>;

/** Defaults that differ from those of `mayfly serve`: free ports, no files, no log. */
export const STANDARD: WrittenSettings = new Map([
  ['http-port', ['0']],
  ['smtp-port', ['0']],
  ['store', ['memory:']],
  ['log-level', ['silent']],
]);

export function pluginsGiven({ plugin }: StartOptions): readonly string[] {
  return plugin === undefined ? [] : textsOf('plugin', plugin);
}

/** Throws `SettingsError` for an unknown or invalid option. */
export function readStartOptions(options: StartOptions): Settings {
  return readSettings(written(options), STANDARD, { label: optionName });
}

/** Throws like `readStartOptions`, but allows options of plugins. Returns a warning for each option's old name. */
export function checkOptions(options: StartOptions): string[] {
  const given = written(options, pluginsGiven(options).length > 0);
  readSettings(given, STANDARD, { label: optionName });
  return renamedIn(given, optionName);
}

export function optionName(name: string): string {
  return name.replace(/-([a-z])/g, (_hyphen, letter: string) => letter.toUpperCase());
}

const FLAG = /--([a-z]+(?:-[a-z]+)*)/g;

export function inOptions(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const names = new Set<string>(settingNames());
  const message = error.message.replace(FLAG, (flag, name) => (names.has(name) ? optionName(name) : flag));
  if (message === error.message) return error;
  return new (error instanceof SettingsError ? SettingsError : Error)(message, { cause: error.cause });
}

function written(options: StartOptions, mayHaveOthers = false): WrittenSettings {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new SettingsError('startMayfly: the options must be an object, or omitted.');
  }
  const names = new Map([...settingNames(), ...renamedSettings().keys()].map((name) => [optionName(name), name]));
  const given = Object.entries(options).filter(
    ([option, value]) => value !== undefined && (names.has(option) || !mayHaveOthers),
  );
  return new Map(
    given.map(([option, value]) => {
      const name = names.get(option);
      if (name === undefined) throw unknownOption(option);
      const texts = textsOf(option, value);
      // An empty list means none, for example no proxies or send APIs. Without a domain, all mail would be refused.
      const mayBeEmpty = settingOf(name).several && name !== 'domain';
      if (texts.length > 0 || mayBeEmpty) return [name, texts];
      throw new SettingsError(`startMayfly: ${option} must not be an empty array. Omit it for the default.`);
    }),
  );
}

function unknownOption(option: string): SettingsError {
  const meant = meantInWords(option, option.charAt(0).toUpperCase() + option.slice(1), settingNames().map(optionName));
  const settings = 'The options are the settings of "mayfly serve --help" in camel case, such as httpPort.';
  const advice = meant === null ? settings : `Did you mean ${meant}?`;
  return new SettingsError(`startMayfly: "${option}" is not an option. ${advice}`);
}

function textsOf(option: string, value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => {
    if (['string', 'number', 'boolean'].includes(typeof one)) return String(one);
    throw new SettingsError(`startMayfly: ${option} must be a string, a number, a boolean or an array of strings.`);
  });
}

export function optionType(name: string): string {
  const { several, kind } = settingOf(name);
  const { placeholder } = kind;
  if (several) return 'string | readonly string[]';
  if (placeholder === '') return 'boolean';
  return ['NUMBER', 'PORT', '[HOST:]PORT'].includes(placeholder) ? 'number | string' : 'string';
}
