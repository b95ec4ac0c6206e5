import { docsUrl } from 'mayfly-protocol/docs';
import type { Command } from './command.js';

const WIDTH = 100;
const INDENT = 6;

export type DescribedFlag = readonly [flag: string, sentence: string];

/** Options under a separate title. With a null title, they are added to the command's own options. */
export interface FlagSection {
  readonly title: string | null;
  readonly flags: readonly DescribedFlag[];
}

/** The text of `mayfly --help`: all commands and topics, then the lines of `more`. */
export function overview(commands: readonly Command[], topics: readonly string[], more: readonly string[]): string {
  const widest = Math.max(...commands.map(({ usage }) => usage.length));
  return [
    'Mayfly: disposable inboxes for automated tests. Mail arrives over SMTP, and a few milliseconds',
    'later your test reads its one-time code and magic link over HTTP.',
    '',
    'Usage:',
    ...commands.map(({ usage, summary }) => `  mayfly ${usage.padEnd(widest)}  ${summary}`),
    '  mayfly help COMMAND',
    '  mayfly help TOPIC',
    '  mayfly --version',
    '',
    `Topics, which are the pages of ${docsUrl('')}:`,
    ...wrap(topics.join(' '), 2),
    '',
    ...more,
    '',
  ].join('\n');
}

/** The text of `mayfly COMMAND --help`: the command and its options, then additional options. */
export function commandHelp(command: Command, sections: readonly FlagSection[] = []): string {
  const switches = Object.entries(command.switches).map(([name, description]) => [`--${name}`, description] as const);
  const options = Object.entries(command.options ?? {}).map(
    ([name, { placeholder, description }]) => [`--${name} ${placeholder}`, description] as const,
  );
  const untitled = sections.filter(({ title }) => title === null).flatMap(({ flags }) => flags);
  const own: FlagSection = {
    title: 'Options',
    flags: [...switches, ...options, ...untitled, ['--help', 'Shows this text.']],
  };
  return [
    `Usage: mayfly ${command.usage}`,
    '',
    ...wrap(command.description, 0),
    '',
    ...[...sections.filter(({ title }) => title !== null), own].flatMap(({ title, flags }) => [
      `${title}:`,
      ...flags.flatMap(([flag, sentence]) => [`  ${flag}`, ...wrap(sentence, INDENT)]),
      '',
    ]),
  ].join('\n');
}

function wrap(text: string, indent: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (indent + line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => ' '.repeat(indent) + line);
}
