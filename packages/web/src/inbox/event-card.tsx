import type { MimePart } from 'mayfly-client';
import type { ComponentChildren } from 'preact';
import type { Api } from '../service.js';
import { plural } from '../ui/time.js';
import { Line } from '../ui/visible.js';
import { textOf, useAnswer, useMail } from './answer.js';
import { type CalendarEvent, eventsOf, isCalendar, kindOf, MAX_EVENTS, timeOf } from './calendar.js';

/** Limited, because each card costs a request. */
const MAX_EVENT_CARDS = 3;

/** Larger calendars are listed as files. */
const MAX_CALENDAR_BYTES = 256 * 1024;

/** The parts that are shown as event cards: attached calendars, and calendars that are an alternative to the text. */
export function invitationsIn(parts: readonly MimePart[]): readonly MimePart[] {
  const calendars = parts.filter(({ type, size }) => isCalendar(type) && (size ?? 0) <= MAX_CALENDAR_BYTES);
  const attached = calendars.filter(({ attachment }) => attachment);
  // Calendar servers send the same invitation twice, as an alternative and as a file.
  const others = calendars.filter(
    (one) => !one.attachment && !attached.some(({ size }) => Math.abs((size ?? 0) - (one.size ?? 0)) <= 2),
  );
  return [...attached, ...others].slice(0, MAX_EVENT_CARDS);
}

/** An invitation. `children` are its actions. If the part contains no event, shows `otherwise`. */
export function EventCard({ part, otherwise, children }: EventCardProps) {
  const { mail } = useMail();
  const ask = async (api: Api, signal: AbortSignal) => eventsOf(await textOf(api, mail.key, part, signal));
  const { value: events, error } = useAnswer(ask);
  if (error !== null || events?.length === 0) return <>{otherwise}</>;
  return (
    <div class="attachment event boxed bar gap-12">
      {events?.[0] ? (
        <EventFacts event={events[0]} others={events.length - 1} />
      ) : (
        <p class="hint">Reading the event…</p>
      )}
      <span class="attachment-actions bar gap-0">{children}</span>
    </div>
  );
}

interface EventCardProps {
  readonly part: MimePart;
  readonly otherwise: ComponentChildren;
  readonly children: ComponentChildren;
}

export function EventFacts({ event, others = 0 }: { event: CalendarEvent; others?: number }) {
  const { properties, begins, organizer } = event;
  const details = [
    properties.get('LOCATION'),
    organizer,
    properties.has('RRULE') && 'repeats',
    others > 0 && `and ${others + 1 === MAX_EVENTS ? 'at least ' : ''}${plural(others, 'more event')}`,
  ].filter(Boolean);
  return (
    <>
      <Day date={begins?.date} />
      <div class="event-facts stack gap-0 text-13">
        <Line class="event-name text-15" text={properties.get('SUMMARY') || 'Untitled event'} />
        <Line class="digits" text={timeOf(event)} />
        <p class="bar">
          <span class="tag">{kindOf(event)}</span>
          <Line class="soft" text={details.join(' · ')} />
        </p>
      </div>
    </>
  );
}

const [{ format: monthOf }, { format: weekdayOf }] = [
  new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' }),
  new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' }),
];

/** A leaf of a calendar. Screen readers skip it, because the date is next to it. */
function Day({ date }: { date: string | undefined }) {
  if (date === undefined) return null;
  const at = Date.parse(date);
  return (
    <p class="event-day" aria-hidden="true">
      <span>{monthOf(at)}</span>
      <strong>{Number(date.slice(8))}</strong>
      <span class="soft">{weekdayOf(at)}</span>
    </p>
  );
}
