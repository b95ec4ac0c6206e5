import { parseArgs } from 'node:util';
import type { SettingName } from '../config.js';
import { SETTINGS } from '../config.js';
import { SettingsError, type WrittenSettings } from '../read-settings.js';

/** What a command gets from the shell. */
export interface Invocation {
  /** Settings that were given as flags. */
  readonly settings: WrittenSettings;
  /** The command's own switches that were given. */
  readonly switches: ReadonlySet<string>;
  /** What stands on the command line without a flag. */
  readonly operands: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** One command of the command line. */
export interface Command {
  /** How it is called, after `mayfly `. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What `--help` says before it lists the flags. */
  readonly about: string;
  /** Which settings it takes as flags. */
  readonly settings: readonly SettingName[];
  /** Its own switches with a sentence each. */
  readonly switches: Readonly<Record<string, string>>;
  /** How many operands it takes at most. */
  readonly maxOperands: number;
  /** Resolves to the exit code. */
  run(invocation: Invocation): Promise<number>;
}

/** Reads the arguments of a command. Throws `SettingsError` for what the command does not take. */
export function readArguments(command: Command, args: readonly string[]): Omit<Invocation, 'environment'> {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      command.settings.map((name) => [name, { type: isToggle(name) ? 'boolean' : 'string' }]),
    ),
  });
  const settings = new Map<SettingName, string[]>();
  const switches = new Set<string>();
  const operands: string[] = [];
  for (const token of tokens) {
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
    } else {
      throw new SettingsError(`${token.rawName} is not an option of "mayfly ${command.usage}". Try --help.`);
    }
  }
  if (operands.length > command.maxOperands) {
    throw new SettingsError(
      `"${operands[command.maxOperands]}" is too much for "mayfly ${command.usage}". Try --help.`,
    );
  }
  return { settings, switches, operands };
}

function settingText(name: SettingName, value: string | undefined): string {
  if (value !== undefined) return value;
  if (isToggle(name)) return 'true';
  throw new SettingsError(`--${name} needs a value: ${SETTINGS[name].kind.rule}.`);
}

/** Whether a setting is turned off by its flag with `no-` in front. */
export function isOnByDefault(name: SettingName): boolean {
  return isToggle(name) && SETTINGS[name].standard === 'true';
}

/** Whether a setting is turned on by its flag alone. */
export function isToggle(name: SettingName): boolean {
  return SETTINGS[name].kind.placeholder === '';
}
