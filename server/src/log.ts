import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export const LOG_FORMATS = ['text', 'json'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];

/** A log on standard error, which leaves standard output to the `ready` line. */
export function openLog(level: LogLevel, format: LogFormat): Log {
  const stream =
    format === 'text'
      ? pretty({ destination: 2, sync: true, colorize: process.stderr.isTTY === true, ignore: 'pid,hostname' })
      : pino.destination({ dest: 2, sync: true });
  return pino({ level }, stream);
}
