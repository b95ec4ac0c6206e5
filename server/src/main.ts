import { readFileSync } from 'node:fs';
import { clear } from './commands/clear.js';
import { type Command, readArguments } from './commands/command.js';
import { doctor } from './commands/doctor.js';
import { extract } from './commands/extract.js';
import { healthy } from './commands/healthy.js';
import { commandHelp, overview } from './commands/help.js';
import { list } from './commands/list.js';
import { newInbox } from './commands/new.js';
import { open } from './commands/open.js';
import { serve } from './commands/serve.js';
import { wait } from './commands/wait.js';
import { waitlist } from './commands/waitlist.js';
import { SettingsError } from './settings/reading.js';
import { messageOf } from './settings/system-errors.js';

const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  new: newInbox,
  wait,
  list,
  open,
  clear,
  extract,
  waitlist,
  healthy,
  doctor,
};

/** The command line was understood, and what it asked for failed. */
const FAILED = 1;

/** The command line, or a setting, was not understood. */
const MISUNDERSTOOD = 2;

/** Runs the command line. Resolves to the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    process.stdout.write(overview(COMMANDS));
    return name === undefined ? MISUNDERSTOOD : 0;
  }
  if (name === 'help') return help(rest);
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const command = commandOf(name);
  if (rest.includes('--help') || rest.includes('-h')) return help([name]);
  return command.run({ ...readArguments(command, rest), environment: process.env });
}

function help([name = '', ...rest]: readonly string[]): number {
  if (rest.length > 0) throw new SettingsError('"mayfly help" takes one command.');
  process.stdout.write(commandHelp(commandOf(name)));
  return 0;
}

function commandOf(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new SettingsError(`"${name}" is not a command of Mayfly. Try "mayfly --help".`);
  return command;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/** Runs the command line of this process, and sets its exit code. */
export async function run(): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`mayfly: ${messageOf(error)}\n`);
    process.exitCode = error instanceof SettingsError ? MISUNDERSTOOD : FAILED;
  }
}
