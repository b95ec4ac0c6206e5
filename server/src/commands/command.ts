import {
  type Command as AnyCommand,
  type Invocation as AnyInvocation,
  readArguments as readOwnArguments,
  valueless,
} from 'mayfly-cli';
import { readSettings, SettingsError, settingsOfEnvironment, type WrittenSettings } from '../settings/reading.js';
import { SETTINGS, type SettingName, type Settings } from '../settings/table.js';

export interface Invocation extends AnyInvocation {
  readonly settings: WrittenSettings;
}

/** A command of the service. Those of the client are commands without settings. */
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

/** Whether a setting is turned off by its flag with `no-` in front. */
export function isOnByDefault(name: SettingName): boolean {
  return isToggle(name) && SETTINGS[name].default === 'true';
}

/** Whether a setting is turned on by its flag alone. */
export function isToggle(name: SettingName): boolean {
  return SETTINGS[name].kind.placeholder === '';
}
