import { docsUrl } from 'mayfly-protocol/docs';
import type { Attempt, AttemptError, InboxAttempts, SessionAttempts } from 'mayfly-protocol/wire-attempts';
import {
  CURES,
  ENDINGS,
  NEW_SPACE,
  NO_TEXT,
  NOTHING_SENT,
  OTHER_SIDE,
  OTHERS,
  SESSIONS,
  unshown,
  VALIDATORS,
} from './causes.js';
import type { InboxApi } from './inbox-api.js';
import { kindAt, plural, shown } from './text.js';

// Explains missing mail from the delivery log. Loaded only when a wait times out.

export const BEFORE_MS = 30_000;

/** Maximum number of kinds of delivery attempts in an error message, and maximum length of each sentence. */
const MAX_KINDS = 4;
const MAX_LENGTH = 600;
const MAX_CLOCK_MS = 1_000;

export interface Seen extends Pick<Readonly<InboxAttempts>, 'now' | 'smtp' | 'attempts' | 'elsewhere' | 'newSpace'> {
  /** The inbox's address; undefined if the service knows the inbox only by name. */
  readonly address?: string | undefined;
  readonly acrossSpaces?: number | undefined;
  readonly sessions: Pick<SessionAttempts, 'attempts' | 'counts'>;
  readonly waitedMs: number;
  readonly beforeMs: number;
  readonly isEmpty: boolean;
  readonly ownKept?: number | undefined;
}

/** Times by the test's clock: the wait's `after`, and when the request was sent and answered. */
export interface Clocks {
  readonly after: Date;
  readonly askedAt: number;
  readonly answeredAt: number;
}

export interface InVain extends Pick<Seen, 'isEmpty' | 'address' | 'ownKept'> {
  readonly timeoutMs: number;
  /** How long before the wait the inbox name was generated. No mail can have been sent to it earlier. */
  readonly madeMs?: number | undefined;
  readonly clock?: Clocks | undefined;
}

export interface Attempts extends Pick<InboxApi, 'attempts'> {
  /** Attempts since `after`, by the service's clock, that named no inbox. Omits those that the caller may not see. */
  sessions(after: string, signal: AbortSignal): Promise<SessionAttempts>;
}

export function attemptsOf(api: InboxApi): Attempts {
  return {
    attempts: (signal) => api.attempts(signal),
    sessions: (after, signal) => api.transport.json({ path: '/api/attempts', query: { after }, signal }),
  };
}

/** Asks the service why mail is missing. Resolves to sentences; empty if the delivery attempts explain nothing. */
export async function askWhy(
  api: Attempts,
  { isEmpty, timeoutMs, address, madeMs = BEFORE_MS, ownKept, clock }: InVain,
  signal: AbortSignal,
): Promise<string> {
  const { now, smtp, attempts, elsewhere, newSpace, acrossSpaces } = await api.attempts(signal);
  const beforeMs = Math.min(madeMs, BEFORE_MS);
  // Computed from the service's clock, because the test's clock may differ.
  const after = new Date(Date.parse(now) - timeoutMs - beforeMs).toISOString();
  const sessions = isEmpty ? await api.sessions(after, signal) : { attempts: [], counts: {} };
  const isRecent = ({ at }: Pick<Attempt, 'at'>) => at >= after;
  const recent = { attempts: attempts.filter(isRecent), elsewhere: elsewhere.filter(isRecent) };
  const time = { now, waitedMs: timeoutMs, beforeMs };
  const why = whyNoMail({ ...time, address, smtp, ...recent, newSpace, acrossSpaces, sessions, isEmpty, ownKept });
  return [why, clock && ofClocks(now, clock)].filter(Boolean).join(' ');
}

export function whyNoMail(seen: Seen): string {
  const told = [...ofInbox(seen), ...ofOthers(seen)];
  if (told.length === 0 && seen.newSpace) return [NEW_SPACE, ...ofOtherSide(seen)].join(' ');
  if (told.length === 0 && seen.isEmpty) told.push(...ofSessions(seen));
  return told
    .filter(Boolean)
    .map((text) => shown(text, MAX_LENGTH))
    .join(' ');
}

/** A warning if the clocks differ so much that `after` means a different moment to the service. */
export function ofClocks(now: string, { after, askedAt, answeredAt }: Clocks): string {
  const aheadMs = (askedAt + answeredAt) / 2 - Date.parse(now);
  // The service read its clock at some time between request and response, so `aheadMs` may be off by half that span.
  if (Math.abs(aheadMs) - (answeredAt - askedAt) / 2 > MAX_CLOCK_MS) {
    const differ = `${seconds(Math.abs(aheadMs))} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the service's`;
    return `The clock of this machine is ${differ}: set \`after\` to what mark() returns, or to the time of an email.`;
  }
  const futureMs = after.getTime() - Date.parse(now);
  if (futureMs <= 0) return '';
  return `\`after\` is ${seconds(futureMs)} s in the future: set it to what mark() returns, or to the time of an email.`;
}

const seconds = (ms: number) => Math.round(ms / 100) / 10;

/** Outcomes of connections that a limit rejected. Reported even if other tests get mail: one may be this test's. */
const LIMITS: ReadonlySet<string> = new Set(['too-many-connections', 'all-connections-taken']);

function* ofInbox(seen: Seen): Generator<string> {
  const { isEmpty } = seen;
  for (const [newest, count, time] of timed(seen, seen.attempts, ({ way, to, outcome }) => `${way} ${to} ${outcome}`)) {
    const { way, to, outcome, error, receivedAt } = newest;
    const many = `${time}${plural(count, 'attempt')} ${way === 'smtp' ? '' : `by the send API (${way}) `}to send to ${to}`;
    if (outcome === 'kept') {
      if (isEmpty) yield `${time}${time === '' ? 'M' : 'm'}ail to ${to} was kept at ${receivedAt} ${unshown(to)}`;
    } else if (error === null) {
      yield `${many} ${filled(ENDINGS[outcome] ?? `came to nothing: ${outcome}.`, newest, seen)}`;
    } else {
      yield `${many} ${refusedWith(count, error)} ${CURES[outcome] ?? ''}`.trim();
    }
  }
}

function* ofOthers({ elsewhere }: Seen): Generator<string> {
  for (const { to } of elsewhere) yield `Mail came to ${to}, which is another inbox: use mayfly.inbox('${to}').`;
}

/** Explains connections without a recipient. If other tests got mail, only `LIMITS`: other outcomes may be theirs. */
function* ofSessions(seen: Seen): Generator<string> {
  const { smtp, sessions, ownKept = 0 } = seen;
  const { counts } = sessions;
  // SMTP connections do not explain why a phone number got no text.
  const isPhone = kindAt(seen.address ?? '') !== 'email';
  const isTold = ({ outcome, way }: Attempt) => outcome !== TESTED && !(isPhone && way === 'smtp');
  const attempts = sessions.attempts?.filter(isTold) ?? null;
  const time = timeOf(seen);
  const whose = attempts === null ? ` from this test's address (${OTHERS})` : '';
  const isShared = (counts.kept ?? 0) > ownKept;
  const causes = [...ofConnections(seen, attempts, isShared)].slice(0, MAX_KINDS);
  if (isPhone) {
    yield `${time}, ${NO_TEXT}`;
    yield* causes;
    return;
  }
  yield* ofOtherSide(seen);
  const isSmtpUsed = Object.keys(counts).some((outcome) => outcome !== 'http-port');
  if (isSmtpUsed) yield `${time}, no client named this address on the SMTP port ${smtp.port}${whose}.`;
  yield* causes;
  if (causes.length > 0) {
    yield "Such a connection names no address, so it may be another test's.";
  } else if (isSmtpUsed) {
    yield NOTHING_SENT;
  } else {
    yield `${time}, no client connected to the SMTP port ${smtp.port}${whose}: set the application's SMTP host and port to Mayfly's. Inside a container, 127.0.0.1 is the container itself (${docsUrl('troubleshooting')}).`;
    yield validators(seen);
  }
}

function* ofConnections(seen: Seen, attempts: readonly Attempt[] | null, isShared: boolean): Generator<string> {
  const { smtp, sessions } = seen;
  const isMeant = (outcome: string) => LIMITS.has(outcome) || !isShared;
  for (const [outcome, count] of Object.entries(sessions.counts)) {
    const isCounted = attempts === null || LIMITS.has(outcome);
    if (!isCounted || !isMeant(outcome) || !(outcome in SESSIONS)) continue;
    const from = attempts === null ? " from this test's address" : '';
    yield `${timeOf(seen)}, ${plural(count, 'connection')}${from} ${SESSIONS[outcome]?.(smtp)}`;
  }
  const told = (attempts ?? []).filter(({ outcome }) => isMeant(outcome) && !LIMITS.has(outcome));
  for (const [one, count, time] of timed(seen, told, (one) => `${one.way} ${one.client} ${causeOf(one)}`)) {
    const { way, client, outcome, error } = one;
    const when = time === '' ? 'Since this wait began, ' : time;
    if (way !== 'smtp' && error !== null) {
      const many = plural(count, 'request');
      yield `${when}${many} from ${client} to the send API (${way}) named no recipient and ${refusedWith(count, error)}`;
      continue;
    }
    const cause = SESSIONS[causeOf(one)]?.(smtp) ?? `ended: ${error === null ? outcome : sentence(error.text)}`;
    yield `${when}${plural(count, 'connection')} from ${client} ${filled(cause, one, seen)}`;
  }
}

function* ofOtherSide(seen: Seen): Generator<string> {
  const { sessions, acrossSpaces = 0 } = seen;
  for (const [outcome, cause] of Object.entries(OTHER_SIDE)) {
    const count = sessions.counts[outcome];
    if (!count) continue;
    if (outcome === 'refused-sign-ins') {
      yield `${timeOf(seen)}, ${plural(count, 'attempt')} to send mail came ${cause} Other tests may cause this.`;
    } else if (acrossSpaces > 0) {
      yield `${timeOf(seen)}, ${plural(acrossSpaces, 'attempt')} to send mail to this address came ${cause}`;
    }
  }
}

function validators({ address = '' }: Seen): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const [, text = ''] = Object.entries(VALIDATORS).find(([end]) => domain.endsWith(end)) ?? [];
  return domain === '' ? '' : text.replace('{domain}', domain);
}

function timeOf({ waitedMs, beforeMs }: Seen): string {
  if (beforeMs < BEFORE_MS) return 'Since this inbox was made';
  return `In the last ${Math.ceil((waitedMs + beforeMs) / 1000)} s`;
}

const TESTED = 'tested';

function causeOf({ outcome, lastCommand }: Attempt): string {
  return outcome === 'no-mail' && lastCommand === 'QUIT' ? 'quit' : outcome;
}

const VAGUE: ReadonlySet<string> = new Set(['no-command', 'http-port', 'quit']);

/** Each kind's newest attempt, count and prefix. Order: recent before old, then `VAGUE` ones last, then by count. */
function timed({ now, waitedMs }: Seen, attempts: readonly Attempt[], kindOf: (attempt: Attempt) => string) {
  const begunAt = new Date(Date.parse(now) - waitedMs).toISOString();
  const kinds = new Map<string, { readonly newest: Attempt; readonly rank: number; count: number }>();
  for (const attempt of attempts) {
    const isOld = Number(attempt.at < begunAt);
    const key = `${isOld} ${kindOf(attempt)}`;
    const kind = kinds.get(key) ?? { newest: attempt, rank: 2 * isOld + Number(VAGUE.has(causeOf(attempt))), count: 0 };
    kind.count += 1;
    kinds.set(key, kind);
  }
  const sorted = [...kinds.values()].sort((one, other) => one.rank - other.rank || other.count - one.count);
  return sorted.map(({ newest, rank, count }) => [newest, count, rank < 2 ? '' : 'Before this wait began, '] as const);
}

function filled(text: string, { at, lastCommand }: Attempt, { now }: Seen): string {
  const ago = Math.max(0, Math.round((Date.parse(now) - Date.parse(at)) / 1000));
  return text.replace('{ago}', `${ago}`).replace('{command}', lastCommand ?? 'none');
}

function refusedWith(count: number, { code, enhanced, text }: AttemptError): string {
  const reply = [code, enhanced, sentence(text)].filter((part) => part !== null).join(' ');
  return `${count === 1 ? 'was' : 'were'} refused: ${reply}`;
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
