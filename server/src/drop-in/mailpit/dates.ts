/** Such as `2026-01-31`, `2026-01-31 09:30`, `2026-01-31T09:30:00.5Z`. */
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[ Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d{0,6})?)?)?(?: ?(Z|z|[+-]\d{2}:?\d{2}))?$/;

const MAX_LENGTH = 40;

const EPOCH = /^\d{10}(?:\d{3})?$/;

const MINUTE_MS = 60_000;

/** In milliseconds since the epoch, `zone` being that of times without one; null for anything but a time. */
export function momentOf(text: string, zone: Zone): number | null {
  if (text.length > MAX_LENGTH) return null;
  if (EPOCH.test(text)) return Number(text) * (text.length === 10 ? 1_000 : 1);
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', offset] = DATE.exec(text) ?? [];
  if (year === undefined) return null;
  const utc = Date.UTC(+year, Number(month) - 1, Number(day), +hour, +minute, +second, Number(fraction.padEnd(3, '0')));
  // `Date.UTC` would accept a 31st of February, a 13th month and 24:00.
  const isDay = new Date(utc).toISOString().startsWith(`${year}-${month}-${day}`);
  if (!isDay || +minute > 59 || +second > 59) return null;
  return offset === undefined ? zone.momentOf(utc) : utc - offsetMs(offset);
}

function offsetMs(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}

export interface Zone {
  /** `local` is a local time given as if it were UTC. */
  momentOf(local: number): number;
}

export const UTC: Zone = { momentOf: (local) => local };

/** Of an IANA name such as `Europe/Berlin`; null if unknown. */
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
      // The offset at about that moment, then at the one found: it may change in between.
      const about = local - (localAt(local) - Math.floor(local / 1_000) * 1_000);
      return local - (localAt(about) - Math.floor(about / 1_000) * 1_000);
    },
  };
}
