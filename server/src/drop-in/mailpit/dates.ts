/** A date, or a date and a time, with a zone or none: `2026-01-31`, `2026-01-31 09:30`, `2026-01-31T09:30:00.5Z`. */
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[ Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d{0,6})?)?)?(?: ?(Z|z|[+-]\d{2}:?\d{2}))?$/;

/** Longer texts are no dates. */
const MAX_LENGTH = 40;

/** Seconds or milliseconds since the epoch. */
const EPOCH = /^\d{10}(?:\d{3})?$/;

const MINUTE_MS = 60_000;

/** The moment that a text names, in milliseconds since the epoch, where it has no zone of its own in that one; null where it names none. */
export function momentOf(text: string, zone: Zone): number | null {
  if (text.length > MAX_LENGTH) return null;
  if (EPOCH.test(text)) return Number(text) * (text.length === 10 ? 1_000 : 1);
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', offset] = DATE.exec(text) ?? [];
  if (year === undefined) return null;
  const utc = Date.UTC(+year, Number(month) - 1, Number(day), +hour, +minute, +second, Number(fraction.padEnd(3, '0')));
  // There is no 31st of February, no 13th month and no 24:00, which would all be a day of their own.
  const isDay = new Date(utc).toISOString().startsWith(`${year}-${month}-${day}`);
  if (!isDay || +minute > 59 || +second > 59) return null;
  return offset === undefined ? zone.momentOf(utc) : utc - offsetMs(offset);
}

function offsetMs(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}

/** A time zone. */
export interface Zone {
  /** When it is this time there, given as if it were UTC. */
  momentOf(local: number): number;
}

export const UTC: Zone = { momentOf: (local) => local };

/** The zone of a name such as `Europe/Berlin` (IANA); null where there is none. */
export function zoneOf(name: string): Zone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: name,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
  } catch {
    return null;
  }
  const localAt = (moment: number) => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  return {
    momentOf(local) {
      // What the zone is ahead of UTC is asked for at about that moment, and then at the one found: it may change in between.
      const about = local - (localAt(local) - Math.floor(local / 1_000) * 1_000);
      return local - (localAt(about) - Math.floor(about / 1_000) * 1_000);
    },
  };
}
