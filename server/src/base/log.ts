import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

/** A log on standard error from a level of pino's on (`silent` for none), which leaves standard output to the `ready` line. */
export function openLog(level: string, format: 'text' | 'json'): Log {
  const destination = standardError();
  const stream =
    format === 'text'
      ? pretty({ destination, colorize: process.stderr.isTTY === true, ignore: 'pid,hostname' })
      : destination;
  return pino({ level }, stream);
}

/** Standard error. Where that is a terminal, what comes after it was closed is dropped: the service stops cleanly without it. */
function standardError() {
  const stream = pino.destination({ dest: 2, sync: true });
  if (!process.stderr.isTTY) return stream;
  return stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error;
    // What could not be written would be written again with the next line, and at the end.
    Object.assign(stream, { write: () => true, flushSync() {}, end() {}, destroy() {} });
  });
}
