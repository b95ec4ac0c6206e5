import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CLIENT_COMMANDS } from './client-commands.js';
import { type Command, readArguments } from './command.js';
import { type CommandLine, runCommandLine } from './command-line.js';
import { filesIn } from './files.js';
import { commandHelp } from './help.js';
import { serviceCommand } from './service.js';

const MORE = [
  'The service is a separate package. Its mayfly command starts it, and also has all commands above:',
  '  npm install --save-dev mayfly-inbox',
  '  npx mayfly serve',
];

/**
 * The file of the service's command line, for commands that the client lacks. Undefined if the client has the command,
 * or if the service is installed neither next to this package (in `folder`) nor in the current folder.
 */
export function otherCommand(folder: string, [name = '']: readonly string[]): string | undefined {
  return Object.hasOwn(CLIENT_COMMANDS, name) ? undefined : serviceCommand([folder, process.cwd()]);
}

/** Runs the command line of the client's package in this folder, and sets the exit code of this process. */
export async function run(folder: string, args: readonly string[]): Promise<void> {
  const line: CommandLine<Command> = {
    commands: CLIENT_COMMANDS,
    pages: filesIn(path.join(folder, 'docs')),
    more: MORE,
    version: () => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version,
    help: (command) => commandHelp(command),
    run: (command, rest) => command.run({ ...readArguments(command, rest), environment: process.env }),
    unknown: (name) =>
      `${name} is not a command of mayfly-client. Service commands, such as serve, come with "npm i -D mayfly-inbox". Try "mayfly --help".`,
    messageOf: (error) => (error instanceof Error ? error.message : String(error)),
    isMistake: () => false,
  };
  await runCommandLine(line, args);
}
