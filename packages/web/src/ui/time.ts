import { useEffect, useState } from 'preact/hooks';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const NOW_MS = 5 * SECOND_MS;

/** The time of this machine, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** `5 min ago` */
export function ago(elapsedMs: number): string {
  return elapsedMs < NOW_MS ? 'just now' : `${span(elapsedMs)} ago`;
}

/** `5 min`: the largest unit alone, for a narrow column. */
export function age(elapsedMs: number): string {
  if (elapsedMs < NOW_MS) return 'now';
  return elapsedMs < HOUR_MS ? span(elapsedMs) : `${Math.floor(elapsedMs / HOUR_MS)} h`;
}

/** `24 min left` */
export function left(remainingMs: number): string {
  return `${span(Math.max(0, remainingMs))} left`;
}

/** `24 min` */
export function span(durationMs: number): string {
  if (durationMs < MINUTE_MS) return `${Math.floor(durationMs / SECOND_MS)} s`;
  if (durationMs < HOUR_MS) return `${Math.floor(durationMs / MINUTE_MS)} min`;
  return `${Math.floor(durationMs / HOUR_MS)} h ${Math.floor((durationMs % HOUR_MS) / MINUTE_MS)} min`;
}

/** `09:12:33.123` */
const TIME: Intl.DateTimeFormatOptions = {
  hourCycle: 'h23',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
};

export const { format: timeOfDay } = new Intl.DateTimeFormat(undefined, TIME);

/** `Sun, Nov 22, 2026, 09:12:33.123 UTC` */
export const { format: exact } = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  ...TIME,
  timeZoneName: 'short',
});

/** `1 email`, `2 emails` */
export function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const UNITS = ['B', 'KB', 'MB', 'GB'];

/** `12 KB`, `1.4 MB` */
export function sizeText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1_000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}
