import {
  type Command as AnyCommand,
  type Invocation as AnyInvocation,
  readArguments as readOwnArguments,
} from 'mayfly-cli';
import { SettingsError, type WrittenSettings } from '../settings/reading.js';
import type { SettingName } from '../settings/table.js';
import { SETTINGS } from '../settings/table.js';

export type { CommandOption } from 'mayfly-cli';

/** What a command of the service gets from the shell. */
export interface Invocation extends AnyInvocation {
  /** Settings that were given as flags. */
  readonly settings: WrittenSettings;
}

/** One command of the service's command line. Those of the client are commands without settings. */
export interface Command extends AnyCommand {
  /** Which settings it takes as flags. */
  readonly settings?: readonly SettingName[];
  /** Resolves to the exit code. */
  run(invocation: Invocation): Promise<number>;
}

/** Reads the arguments of a command. Throws `UsageError` or `SettingsError` for what the command does not take. */
export function readArguments(command: Command, args: readonly string[]): Omit<Invocation, 'environment'> {
  const { settings: names = [] } = command;
  const settings = new Map<SettingName, string[]>();
  const add = (name: SettingName, text: string) => settings.set(name, [...(settings.get(name) ?? []), text]);
  const types = Object.fromEntries(names.map((name) => [name, isToggle(name) ? 'boolean' : 'string'] as const));
  const take = (flag: string, value: string | undefined) => {
    const setting = names.find((name) => name === flag);
    const negated = names.find((name) => isOnByDefault(name) && `no-${name}` === flag);
    if (setting !== undefined) add(setting, settingText(setting, value));
    else if (negated !== undefined && value === undefined) add(negated, 'false');
    else return false;
    return true;
  };
  return { ...readOwnArguments(command, args, { types, take }), settings };
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
