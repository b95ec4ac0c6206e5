import { useEffect, useState } from 'preact/hooks';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Anything less than this ago is "now". */
const NOW_MS = 5 * SECOND_MS;

/** This machine's time, which moves on every second. In milliseconds since the epoch. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How long ago something was, such as `5 min ago`. */
export function ago(elapsedMs: number): string {
  return elapsedMs < NOW_MS ? 'just now' : `${span(elapsedMs)} ago`;
}

/** How long something stays, such as `24 min left`. */
export function left(remainingMs: number): string {
  return `${span(Math.max(0, remainingMs))} left`;
}

/** A time in words, such as `24 min`. */
export function span(durationMs: number): string {
  if (durationMs < MINUTE_MS) return `${Math.floor(durationMs / SECOND_MS)} s`;
  if (durationMs < HOUR_MS) return `${Math.floor(durationMs / MINUTE_MS)} min`;
  const hours = Math.floor(durationMs / HOUR_MS);
  return `${hours} h ${Math.floor((durationMs % HOUR_MS) / MINUTE_MS)} min`;
}

/** A moment to the millisecond, in the reader's time zone, such as `Sun, Nov 22, 2026, 09:12:33.123 UTC`. */
export function exact(at: number): string {
  return EXACT.format(at);
}

/** The same for what was half an hour ago at the most: `09:12:33.123`. */
export function timeOfDay(at: number): string {
  return TIME_OF_DAY.format(at);
}

const TIME_OF_DAY = new Intl.DateTimeFormat(undefined, {
  hourCycle: 'h23',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

const EXACT = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hourCycle: 'h23',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
});

const UNITS = ['B', 'KB', 'MB', 'GB'];

/** A number of bytes, such as `12 KB` or `1.4 MB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1_000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}
