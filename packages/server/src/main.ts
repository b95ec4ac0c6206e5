import { CLIENT_COMMANDS, commandHelp, runCommandLine } from 'mayfly-cli';
import { type Command, FIRST_CODE, pluginsGiven, readArguments, settingFlags } from './commands/command.js';
import { doctor } from './commands/doctor.js';
import { extract } from './commands/extract.js';
import { healthy, mcp } from './commands/running-service.js';
import { serve } from './commands/serve.js';
import { exportMail, waitlist } from './commands/store.js';
import { manifest } from './manifest.js';
import { ownFiles } from './own-package.js';
import { loadPlugins } from './plugin/installed.js';
import { SettingsError } from './settings/reading.js';
import { messageOf } from './settings/resources.js';

const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  ...CLIENT_COMMANDS,
  extract,
  waitlist,
  export: exportMail,
  healthy,
  doctor,
  mcp,
};

export async function run(): Promise<void> {
  const line = {
    commands: COMMANDS,
    pages: ownFiles('docs'),
    more: FIRST_CODE,
    version: () => manifest.version,
    async help(command: Command, args: readonly string[]) {
      await loadNamed(command, args);
      return commandHelp(command, settingFlags(command));
    },
    async run(command: Command, args: readonly string[]) {
      await loadNamed(command, args);
      return command.run({ ...readArguments(command, args), environment: process.env });
    },
    unknown: (name: string) => `${name} is not a command of Mayfly. Try "mayfly --help".`,
    messageOf,
    isMistake: (error: unknown) => error instanceof SettingsError,
  };
  await runCommandLine(line, process.argv.slice(2));
}

async function loadNamed({ settings = [] }: Command, args: readonly string[]): Promise<void> {
  if (settings.includes('plugin')) await loadPlugins(pluginsGiven(args, process.env));
}
