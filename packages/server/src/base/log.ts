import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

/** Logs to standard error from a pino level on (`silent`: nothing). Standard output is for the `ready` line. */
export function openLog(level: string, format: 'text' | 'json'): Log {
  const destination = standardError();
  const stream =
    format === 'text'
      ? pretty({ destination, colorize: process.stderr.isTTY === true, ignore: 'pid,hostname' })
      : destination;
  return pino({ level }, stream);
}

/** Standard error. After its terminal has closed, output is dropped, and the service stops cleanly without it. */
function standardError() {
  const stream = pino.destination({ dest: 2, sync: true });
  if (!process.stderr.isTTY) return stream;
  return stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error;
    // The library would retry unwritten lines with the next line, and at the end.
    Object.assign(stream, { write: () => true, flushSync() {}, end() {}, destroy() {} });
  });
}
