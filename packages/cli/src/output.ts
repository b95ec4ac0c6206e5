import { printable } from './terminal-text.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EIO: 'an I/O error occurred',
  EFBIG: 'the file has reached its size limit',
  EDQUOT: 'the disk quota of this user is exhausted',
};

let unread = '';

/**
 * Ends the process with this exit code when standard output is closed or fails. Prints an error; if the reader has
 * closed the pipe, as `head` does, prints the sentence set by `sayIfUnread`, or nothing.
 */
export function guardOutput(exitCode: number): void {
  process.stdout.on('error', ({ code = '', message }: Error & { code?: string }) => {
    const reason = REASONS[code] ?? printable(message);
    const sentence = code === 'EPIPE' ? unread : `Standard output cannot be written: ${reason}.`;
    if (sentence !== '') process.stderr.write(`mayfly: ${sentence}\n`);
    process.exit(exitCode);
  });
}

export function sayIfUnread(sentence: string): void {
  unread = sentence;
}
