/** The events of an invitation (RFC 5545, RFC 5546). All texts are from the sender. */
export interface CalendarEvent {
  /** The values of the event's properties by their names in upper case; of several with a name, the first. */
  readonly properties: ReadonlyMap<string, string>;
  readonly begins: Moment | null;
  readonly ends: Moment | null;
  /** Name of the organizer; without a name, the address; may be empty. */
  readonly organizer: string;
}

/** A date and a time as written, because the zone may be one that only the sender knows. */
export interface Moment {
  /** `2026-01-31` */
  readonly date: string;
  /** `09:30`; empty for a whole day. */
  readonly time: string;
  /** ` UTC`, ` (Europe/Berlin)` or empty. */
  readonly zone: string;
}

interface Property {
  readonly name: string;
  readonly parameters: string;
  readonly value: string;
}

/** The rest of the events is ignored. */
export const MAX_EVENTS = 20;

/** The rest of longer lines is ignored. */
const MAX_LINE_CHARS = 2_000;

const KINDS: Readonly<Record<string, string>> = {
  REQUEST: 'Invitation',
  REPLY: 'Reply',
  CANCEL: 'Canceled',
  COUNTER: 'Counterproposal',
};

export function isCalendar(type: string): boolean {
  return type === 'text/calendar' || type === 'application/ics';
}

/** Reads the first events of a calendar. The components within an event, such as alarms, are skipped. */
export function eventsOf(text: string): readonly CalendarEvent[] {
  const events: Property[][] = [];
  const inside: string[] = [];
  let common: readonly Property[] = [];
  // A line that begins with a space continues the line before (RFC 5545 section 3.1).
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const property = propertyOf(line.slice(0, MAX_LINE_CHARS));
    if (property === null) continue;
    const component = property.value.toUpperCase();
    if (property.name === 'BEGIN') inside.push(component);
    if (property.name === 'END') inside.pop();
    if (property.name === 'BEGIN' && component === 'VEVENT') {
      if (events.length === MAX_EVENTS) break;
      events.push([...common]);
    }
    if (property.name === 'METHOD' && inside.length === 1) common = [property];
    if (inside.at(-1) === 'VEVENT') events.at(-1)?.push(property);
  }
  return events.map(eventOf);
}

function propertyOf(line: string): Property | null {
  const [, name, parameters = '', value = ''] = /^([\w-]+)((?:;(?:[^":]|"[^"]*")*)?):(.*)$/.exec(line) ?? [];
  return name === undefined ? null : { name: name.toUpperCase(), parameters, value };
}

function eventOf(properties: readonly Property[]): CalendarEvent {
  const first = (name: string) => properties.find((property) => property.name === name);
  const [start, end, organizer] = [first('DTSTART'), first('DTEND'), first('ORGANIZER')];
  const [, quoted, plain] = /;CN=(?:"([^"]*)"|([^;]*))/i.exec(organizer?.parameters ?? '') ?? [];
  return {
    properties: new Map(properties.toReversed().map(({ name, value }) => [name, readable(value)])),
    begins: start === undefined ? null : momentOf(start),
    ends: end === undefined ? null : momentOf(end),
    organizer: quoted || plain || readable(organizer?.value ?? ''),
  };
}

/** Unescapes a text (RFC 5545 section 3.3.11), and reduces an address to the mailbox. */
function readable(value: string): string {
  return value
    .replace(/\\n/gi, ' ')
    .replace(/\\([\\;,])/g, '$1')
    .replace(/^mailto:/i, '');
}

function momentOf({ parameters, value }: Property): Moment | null {
  const [, year, month, day, hour, minute, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  const date = `${year}-${month}-${day}`;
  if (Number.isNaN(Date.parse(date))) return null;
  const zone = /;TZID="?([^;"]+)/i.exec(parameters)?.[1];
  const named = zone === undefined ? '' : ` (${zone})`;
  return { date, time: hour === undefined ? '' : `${hour}:${minute}`, zone: utc === 'Z' ? ' UTC' : named };
}

/** What an event is for: an invitation, a reply and so on. */
export function kindOf({ properties }: CalendarEvent): string {
  if (properties.get('STATUS')?.toUpperCase() === 'CANCELLED') return 'Canceled';
  return KINDS[properties.get('METHOD')?.toUpperCase() ?? ''] ?? 'Event';
}

/** `2026-01-31 09:30–10:00 UTC` */
export function timeOf({ begins, ends, properties }: CalendarEvent): string {
  if (begins === null) return 'No time given';
  if (begins.time === '') return daysOf(begins, ends);
  if (ends === null) {
    const duration = properties.get('DURATION');
    return written(begins) + (duration === undefined ? '' : `, ${duration}`);
  }
  if (begins.zone !== ends.zone) return `${written(begins)} – ${written(ends)}`;
  const end = begins.date === ends.date ? `–${ends.time}` : ` – ${ends.date} ${ends.time}`;
  return `${begins.date} ${begins.time}${end}${begins.zone}`;
}

/** The end of whole days is the day after the last one (RFC 5545 section 3.6.1). */
function daysOf(begins: Moment, ends: Moment | null): string {
  const last = ends === null ? begins.date : new Date(Date.parse(ends.date) - 86_400_000).toISOString().slice(0, 10);
  return last <= begins.date ? `${begins.date}, all day` : `${begins.date} – ${last}, all day`;
}

function written({ date, time, zone }: Moment): string {
  return `${date}${time === '' ? '' : ` ${time}`}${zone}`;
}
