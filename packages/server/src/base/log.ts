import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

/** Logs from this pino level up (`silent`: nothing) to standard error. Standard output is for the `ready` line. */
export function openLog(level: string, format: 'text' | 'json'): Log {
  const destination = standardError();
  const stream =
    format === 'text'
      ? pretty({ destination, colorize: process.stderr.isTTY === true, ignore: 'pid,hostname' })
      : destination;
  return pino({ level }, stream);
}

/** Opens standard error. Once its terminal has closed, drops output, so that the service can still stop cleanly. */
function standardError() {
  const stream = pino.destination({ dest: 2, sync: true });
  if (!process.stderr.isTTY) return stream;
  return stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error;
    // pino would write the lost lines again with the next line and on exit.
    Object.assign(stream, { write: () => true, flushSync() {}, end() {}, destroy() {} });
  });
}
