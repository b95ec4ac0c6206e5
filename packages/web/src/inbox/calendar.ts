/** So many facts of a calendar are told; its text has all. */
const MAX_FACTS = 40;

const NAMES: Readonly<Record<string, string>> = {
  METHOD: 'Method',
  SUMMARY: 'Event',
  DTSTART: 'Begins',
  DTEND: 'Ends',
  RRULE: 'Repeats',
  LOCATION: 'Place',
  ORGANIZER: 'Organizer',
  STATUS: 'Status',
};

/** What an invitation says (RFC 5545): its events, in the order of the text. */
export function eventFacts(text: string): { readonly name: string; readonly value: string }[] {
  const facts: { name: string; value: string }[] = [];
  // A line that begins with a space goes on with the one before (section 3.1).
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const [, property = '', parameters = '', value = ''] = /^([A-Z]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
    const name = NAMES[property];
    if (name === undefined || facts.length === MAX_FACTS) continue;
    const zone = /;TZID=([^;:]+)/.exec(parameters)?.[1];
    facts.push({ name, value: `${readable(value)}${zone === undefined ? '' : ` (${zone})`}` });
  }
  return facts;
}

/** `20260131T093000Z` as `2026-01-31 09:30 UTC`, and a text without its escapes (section 3.3.11). */
function readable(value: string): string {
  const [, year, month, day, hour, minute, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  if (year === undefined)
    return value
      .replace(/\\n/gi, ' ')
      .replace(/\\([\\;,])/g, '$1')
      .replace(/^mailto:/i, '');
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}${utc === 'Z' ? ' UTC' : ''}`}`;
}
