import { meantBy } from 'mayfly-protocol/misspelled';
import { type Command, quoted, UsageError } from './command.js';
import type { Files } from './files.js';
import { overview } from './help.js';
import { guardOutput } from './output.js';
import { printable } from './terminal-text.js';
import { pageOf, topicOf, topicsIn } from './topics.js';

/** Exit codes: the command failed; the command line or a setting is invalid. */
const FAILED = 1;
const MISUNDERSTOOD = 2;

export interface CommandLine<C extends Command> {
  readonly commands: Readonly<Record<string, C>>;
  readonly pages: Files;
  /** Lines that `mayfly --help` prints after the list of commands. */
  readonly more: readonly string[];
  version(): string;
  help(command: C, args: readonly string[]): string | Promise<string>;
  run(command: C, args: readonly string[]): Promise<number>;
  /** The message for an unknown command, whose name is already quoted. */
  unknown(name: string): string;
  messageOf(error: unknown): string;
  /** Whether an error is caused by an invalid command line or setting. */
  isMistake(error: unknown): boolean;
}

export async function runCommandLine<C extends Command>(line: CommandLine<C>, args: readonly string[]): Promise<void> {
  guardOutput(FAILED);
  try {
    process.exitCode = await obey(line, args);
  } catch (error) {
    // A message may contain a hostile service's response.
    process.stderr.write(`mayfly: ${printable(line.messageOf(error).replaceAll('\r', '\\r'))}\n`);
    process.exitCode = error instanceof UsageError || line.isMistake(error) ? MISUNDERSTOOD : FAILED;
  }
}

async function obey<C extends Command>(line: CommandLine<C>, args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h') {
    showOverview(line);
    return name === undefined ? MISUNDERSTOOD : 0;
  }
  if (name === 'help') return help(line, rest, []);
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${line.version()}\n`);
    return 0;
  }
  const command = commandOf(line, name);
  if (rest.includes('--help') || rest.includes('-h')) return help(line, [name], rest);
  return line.run(command, rest);
}

function showOverview<C extends Command>({ commands, pages, more }: CommandLine<C>): void {
  process.stdout.write(overview(Object.values(commands), topicsIn(pages), more));
}

async function help<C extends Command>(
  line: CommandLine<C>,
  [name, ...others]: readonly string[],
  args: readonly string[],
): Promise<number> {
  if (others.length > 0) throw new UsageError('"mayfly help" takes one command or topic.');
  const topics = topicsIn(line.pages);
  const topic = topicOf(name ?? '');
  if (name === undefined || ['help', '--help', '-h'].includes(name)) showOverview(line);
  else if (commandNamed(line, name)) process.stdout.write(await line.help(commandOf(line, name), args));
  else if (topics.includes(topic)) process.stdout.write(pageOf(line.pages, topic));
  else throw unknownTopic(name, [...Object.keys(line.commands), ...topics]);
  return 0;
}

function unknownTopic(name: string, known: readonly string[]): UsageError {
  const meant = meantBy(topicOf(name), known);
  const advice = meant === null ? 'Try "mayfly help".' : `Did you mean "mayfly help ${meant}"?`;
  return new UsageError(`${quoted(name)} is neither a command nor a topic of Mayfly. ${advice}`);
}

function commandNamed<C extends Command>({ commands }: CommandLine<C>, name: string): C | undefined {
  if (Object.hasOwn(commands, name)) return commands[name];
  return Object.values(commands).find(({ formerly }) => formerly === name);
}

function commandOf<C extends Command>(line: CommandLine<C>, name: string): C {
  const { commands, unknown } = line;
  const command = commandNamed(line, name);
  if (command !== undefined) return command;
  const meant = meantBy(name, [...Object.keys(commands), 'help', '--help', '--version']);
  if (meant === null) throw new UsageError(unknown(quoted(name)));
  throw new UsageError(`${quoted(name)} is not a command of Mayfly. Did you mean "mayfly ${meant}"?`);
}
