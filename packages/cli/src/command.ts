import { parseArgs } from 'node:util';
import { meantInWords } from 'mayfly-protocol/misspelled';

/** An invalid command line. The message is one sentence for the user. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Quotes an argument for a message, truncated because a script may pass a whole file. */
export function quoted(text: string): string {
  return text.length > MAX_QUOTED_CHARS ? `"${text.slice(0, MAX_QUOTED_CHARS)}…"` : `"${text}"`;
}

const MAX_QUOTED_CHARS = 80;

export interface Arguments {
  readonly switches: ReadonlySet<string>;
  readonly options: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

export interface Invocation extends Arguments {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface CommandOption {
  readonly placeholder: string;
  readonly description: string;
  /** A deprecated name, which works until the next major version and which help does not show. */
  readonly formerly?: string;
}

export interface Command {
  /** The text after `mayfly ` in the usage line. */
  readonly usage: string;
  readonly formerly?: string;
  readonly summary: string;
  readonly description: string;
  readonly switches: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, CommandOption>>;
  readonly maxOperands: number;
  /** Resolves to the exit code. */
  run(invocation: Invocation): Promise<number>;
}

/** Options that a command has in addition to `Command.options`: in packages/server, the service's settings. */
export interface OtherOptions {
  /** The type of each option. A string option requires a value; a boolean option may have one, as `=VALUE`. */
  readonly types: Readonly<Record<string, 'string' | 'boolean'>>;
  /** All spellings, for suggestions, including negated ones such as `no-page`. */
  readonly names: readonly string[];
  /** Handles an option and returns true, or returns false for an unknown one. Throws if its value is missing. */
  take(name: string, value: string | undefined): boolean;
}

/** Parses a command's arguments. Throws `UsageError` for arguments that neither the command nor `others` accept. */
export function readArguments(command: Command, args: readonly string[], others?: OtherOptions): Arguments {
  const switches = new Set<string>();
  const options = new Map<string, string>();
  const operands: string[] = [];
  for (const token of tokensOf(command, args, others)) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option' || others?.take(token.name, token.value)) continue;
    const option = optionNamed(command, token.name);
    if (Object.hasOwn(command.switches, token.name)) {
      if (token.value !== undefined) throw valueless(token.name);
      switches.add(token.name);
    } else if (option !== undefined) {
      add(option, token, options);
    } else {
      throw unknownOption(command, token, others);
    }
  }
  if (operands.length > command.maxOperands) {
    const operand = quoted(operands[command.maxOperands] ?? '');
    throw new UsageError(`"mayfly ${nameOf(command)}" does not take ${operand}. Try --help.`);
  }
  return { switches, options, operands };
}

function optionNamed({ options = {} }: Command, given: string) {
  return Object.entries(options).find(([name, { formerly }]) => name === given || formerly === given);
}

const nameOf = ({ usage }: Command) => usage.split(' ', 1).join();

function unknownOption(
  command: Command,
  { name, rawName }: { readonly name: string; readonly rawName: string },
  others?: OtherOptions,
): UsageError {
  const { switches, options = {} } = command;
  const names = [...Object.keys(switches), ...Object.keys(options), ...(others?.names ?? []), 'help'];
  const meant = meantInWords(name, `-${name}`, names, (known) => `--${known}`);
  const advice = meant === null ? 'Try --help.' : `Did you mean ${meant}?`;
  return new UsageError(`${rawName} is not an option of "mayfly ${nameOf(command)}". ${advice}`);
}

export const valueless = (name: string) => new UsageError(`--${name} takes no value.`);

function tokensOf(command: Command, args: readonly string[], others?: OtherOptions) {
  const names = Object.entries(command.options ?? {}).flatMap(([name, { formerly = name }]) => [name, formerly]);
  const own = names.map((name) => [name, { type: 'string' }]);
  const more = Object.entries(others?.types ?? {}).map(([name, type]) => [name, { type }]);
  return parseArgs({ args: [...args], strict: false, tokens: true, options: Object.fromEntries([...more, ...own]) })
    .tokens;
}

function add(
  [name, { formerly }]: readonly [string, CommandOption],
  { name: written, value }: { readonly name: string; readonly value?: string | undefined },
  options: Map<string, string>,
): void {
  if (value === undefined) throw new UsageError(`--${written} needs a value. Try --help.`);
  const shown = formerly === undefined ? `--${name}` : `--${name} (formerly --${formerly})`;
  if (options.has(name)) throw new UsageError(`${shown} is given twice but takes one value.`);
  options.set(name, value);
}
