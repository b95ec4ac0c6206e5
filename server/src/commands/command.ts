import { parseArgs } from 'node:util';
import { SettingsError, type WrittenSettings } from '../settings/reading.js';
import type { SettingName } from '../settings/table.js';
import { SETTINGS } from '../settings/table.js';

/** What a command gets from the shell. */
export interface Invocation {
  /** Settings that were given as flags. */
  readonly settings: WrittenSettings;
  /** The command's own switches that were given. */
  readonly switches: ReadonlySet<string>;
  /** The command's own options that were given, each with its value. */
  readonly options: ReadonlyMap<string, string>;
  /** What stands on the command line without a flag. */
  readonly operands: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** An option of one command alone, which takes a value. */
export interface CommandOption {
  /** What stands for the value in `--help`. */
  readonly placeholder: string;
  readonly description: string;
}

/** One command of the command line. */
export interface Command {
  /** How it is called, after `mayfly `. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What `--help` says before it lists the flags. */
  readonly description: string;
  /** Which settings it takes as flags. */
  readonly settings: readonly SettingName[];
  /** Its own switches with a sentence each. */
  readonly switches: Readonly<Record<string, string>>;
  /** Its own options. */
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** How many operands it takes at most. */
  readonly maxOperands: number;
  /** Resolves to the exit code. */
  run(invocation: Invocation): Promise<number>;
}

/** Reads the arguments of a command. Throws `SettingsError` for what the command does not take. */
export function readArguments(command: Command, args: readonly string[]): Omit<Invocation, 'environment'> {
  const settings = new Map<SettingName, string[]>();
  const switches = new Set<string>();
  const options = new Map<string, string>();
  const operands: string[] = [];
  for (const token of tokensOf(command, args)) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const setting = command.settings.find((name) => name === token.name);
    const negated = command.settings.find((name) => isOnByDefault(name) && `no-${name}` === token.name);
    if (setting !== undefined) {
      settings.set(setting, [...(settings.get(setting) ?? []), settingText(setting, token.value)]);
    } else if (negated !== undefined && token.value === undefined) {
      settings.set(negated, [...(settings.get(negated) ?? []), 'false']);
    } else if (Object.hasOwn(command.switches, token.name) && token.value === undefined) {
      switches.add(token.name);
    } else if (Object.hasOwn(command.options ?? {}, token.name)) {
      options.set(token.name, optionText(token.name, token.value, options));
    } else {
      throw new SettingsError(`${token.rawName} is not an option of "mayfly ${command.usage}". Try --help.`);
    }
  }
  if (operands.length > command.maxOperands) {
    throw new SettingsError(`"mayfly ${command.usage}" does not take "${operands[command.maxOperands]}". Try --help.`);
  }
  return { settings, switches, options, operands };
}

function tokensOf(command: Command, args: readonly string[]) {
  const settings = command.settings.map((name) => [name, { type: isToggle(name) ? 'boolean' : 'string' }]);
  const options = Object.keys(command.options ?? {}).map((name) => [name, { type: 'string' }]);
  return parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: Object.fromEntries([...settings, ...options]),
  }).tokens;
}

function optionText(name: string, value: string | undefined, given: ReadonlyMap<string, string>): string {
  if (value === undefined) throw new SettingsError(`--${name} needs a value. Try --help.`);
  if (given.has(name)) throw new SettingsError(`--${name} is given twice, but it takes one value.`);
  return value;
}

function settingText(name: SettingName, value: string | undefined): string {
  if (value !== undefined) return value;
  if (isToggle(name)) return 'true';
  throw new SettingsError(`--${name} needs a value: ${SETTINGS[name].kind.rule}.`);
}

/** Whether a setting is turned off by its flag with `no-` in front. */
export function isOnByDefault(name: SettingName): boolean {
  return isToggle(name) && SETTINGS[name].default === 'true';
}

/** Whether a setting is turned on by its flag alone. */
export function isToggle(name: SettingName): boolean {
  return SETTINGS[name].kind.placeholder === '';
}
