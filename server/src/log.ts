import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { LogFormat, LogLevel } from './log-choices.js';

export type Log = Logger;

/** A log on standard error, which leaves standard output to the `ready` line. */
export function openLog(level: LogLevel, format: LogFormat): Log {
  const stream =
    format === 'text'
      ? pretty({ destination: 2, sync: true, colorize: process.stderr.isTTY === true, ignore: 'pid,hostname' })
      : pino.destination({ dest: 2, sync: true });
  return pino({ level }, stream);
}
