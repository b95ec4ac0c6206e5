import type { InboxApi } from './inbox-api.js';
import type { Attempt, AttemptError, KeptElsewhere, SessionAttempts, SmtpOffer } from './wire-attempts.js';

/**
 * Why no mail came, by what the service saw of attempts to send it: one table of causes, each with its cure. Loaded
 * only when a wait is in vain.
 */

/** How long before a wait its mail may have been sent. */
const BEFORE_MS = 30_000;

/** How many kinds of attempts are told. */
const MAX_KINDS = 4;

/** How long each of them may be told. */
const MAX_LENGTH = 600;

/** Answers that say what came of attempts. */
export interface Seen {
  readonly smtp: SmtpOffer;
  /** Those that named the inbox, in the time that counts. */
  readonly attempts: readonly Attempt[];
  /** Mail for the same name in other domains, in that time. */
  readonly elsewhere: readonly KeptElsewhere[];
  /** Whether the space of the test has never had mail. */
  readonly newSpace: boolean;
  readonly sessions: Pick<SessionAttempts, 'attempts' | 'counts'>;
  readonly windowMs: number;
  /** Whether the inbox has no mail at all. */
  readonly isEmpty: boolean;
}

/** What came of a wait that is over, or nearly. */
export interface InVain {
  readonly isEmpty: boolean;
  readonly timeoutMs: number;
}

/** Asks the service once. Resolves to sentences, or to none if the attempts explain nothing. */
export async function askWhy(
  api: Pick<InboxApi, 'attempts' | 'sessions'>,
  { isEmpty, timeoutMs }: InVain,
  signal: AbortSignal,
): Promise<string> {
  const { now, smtp, attempts, elsewhere, newSpace } = await api.attempts(signal);
  const windowMs = timeoutMs + BEFORE_MS;
  // By the service's clock: that of the test may differ.
  const after = new Date(Date.parse(now) - windowMs).toISOString();
  const sessions = isEmpty ? await api.sessions(after, signal) : { attempts: [], counts: {} };
  const isRecent = ({ at }: Pick<Attempt, 'at'>) => at >= after;
  const recent = { attempts: attempts.filter(isRecent), elsewhere: elsewhere.filter(isRecent) };
  return whyNoMail({ smtp, ...recent, newSpace, sessions, windowMs, isEmpty });
}

/** The same from the service's answers. */
export function whyNoMail(seen: Seen): string {
  const told = [...ofInbox(seen), ...ofOthers(seen)];
  if (told.length === 0 && seen.newSpace) return [NEW_SPACE, ...ofOtherSide(seen)].join(' ');
  if (told.length === 0 && seen.isEmpty) told.push(...ofSessions(seen));
  return told.slice(0, MAX_KINDS).map(shown).join(' ');
}

/** A pair that is mistyped is another space. */
export const NEW_SPACE =
  'No mail has ever come to this space, as far as this service remembers. The application must sign in to SMTP (AUTH) with the user and password of the test: compare them with space and MAYFLY_SPACE.';

/** What a client did, for the verb of a sentence, and what to do about it. */
type Cause = (smtp: SmtpOffer) => string;

/** Why a connection came to no mail, by its outcome. Each goes on a sentence such as "1 connection from 10.0.0.7". */
export const SESSIONS: Readonly<Record<string, Cause>> = {
  'tls-ended': () =>
    'left after STARTTLS: the client does not trust the certificate. Use none (nodemailer: ignoreTLS: true; Mayfly without --tls and --tls-cert), or let it trust it (Node: NODE_EXTRA_CA_CERTS; Python, Ruby, PHP: SSL_CERT_FILE).',
  'no-start-tls': () =>
    'required STARTTLS, which is not offered. Turn that off (nodemailer: requireTLS: false), or start Mayfly with --tls-cert.',
  'no-mail': ({ startTls, authWithoutTls }) =>
    `left after EHLO. Does the client require ${startTls ? 'another kind of TLS or AUTH' : 'STARTTLS, which is not offered (Mayfly: --tls-cert; nodemailer: requireTLS: false)'}${authWithoutTls ? '' : ', or AUTH without TLS, which --tls-cert turns off'}?`,
  'tls-first': () =>
    'sent credentials without TLS, which --tls-cert forbids (538). Let the client use STARTTLS, or list its address in --trust-proxy.',
  'unknown-mechanism': () => 'asked for a kind of AUTH that is not offered (504). Use PLAIN or LOGIN.',
  'bad-credentials': () =>
    'sent malformed credentials (501). Any user name and password will do, in the form of PLAIN or LOGIN.',
  'bad-space': () =>
    'gave a user and password that no space can have. Correct those of the application: the reply says what they may be (docs/spaces.md).',
  'sign-in-first': () =>
    'tried AUTH, but was not signed in when it sent mail (530). Correct its user and password (docs/spaces.md), use PLAIN or LOGIN, and send AUTH after STARTTLS.',
  'not-smtps': () => 'began with TLS, which this port does not. Turn that off (nodemailer: secure: false).',
  'not-http': () => 'spoke HTTP to the SMTP port. Give the HTTP port to what asks Mayfly over HTTP.',
  'http-port': ({ port }) =>
    `used the HTTP port as the SMTP port, or said nothing there. Set the SMTP port of the application to ${port}.`,
  'no-command': () => 'left without a command: a port check, or a client that gave up.',
  'media-type': () => 'sent a send API a body of a wrong type (415). Use the SDK of the provider, or its Content-Type.',
  malformed: () => 'sent a send API a body that could not be read (400).',
  missing: () => 'sent a send API a mail without a required field. The answer names it.',
  invalid: () => 'sent a send API a mail with a field that is not valid. The answer names it.',
  'not-found': () => 'asked a send API for a path that Mayfly does not serve (docs/send-apis.md).',
  'body-too-large': () => 'sent a send API a body that is too large (--max-message).',
  'message-too-large': () => 'announced a mail that is too large (552). Send less, or raise --max-message.',
  'too-many-mails': () => 'sent too many mails (451). Send fewer, or raise --smtp-limit.',
  'too-many-connections': () =>
    'had too many connections open. Send several mails over one, or raise --smtp-connections.',
  'bad-recipient-name': () => 'named a recipient that is no inbox (553). Check the address.',
};

/** Attempts that a test does not see, because only one of the two is in a space. */
export const OTHER_SIDE: Readonly<Record<string, string>> = {
  'refused-sign-ins':
    'with AUTH that was refused. Correct the user and password of the application: the reply says what they may be (docs/spaces.md).',
  'in-spaces':
    'into spaces: if the application signs in to SMTP, give the test its user and password (space, MAYFLY_SPACE).',
  'outside-spaces':
    'without a space: does the application sign in to SMTP (AUTH) with the user and password of the test (space, MAYFLY_SPACE)?',
};

/** What to do about a mail that was refused, where the reply does not say it. */
export const CURES: Readonly<Record<string, string>> = {
  'foreign-domain': 'Or use an address in a domain of Mayfly (domain, MAYFLY_DOMAIN).',
  'inbox-full': 'Delete its mail (inbox.clear()), use a new inbox, or raise --max-emails.',
  'message-too-large': 'Send less, or raise --max-message.',
  'too-many-mails': 'Send fewer, or raise --smtp-limit.',
  'store-full': 'Raise --store-budget.',
};

/** Names that may keep their mail hidden (docs/rehearsals.md). */
const HOLDS = /--hold(?:--|@|$)/i;

/** Why mail that was kept is not in its inbox. */
export function unshown(to: string | null): string {
  const isHeld = to !== null && HOLDS.test(to);
  if (isHeld) return 'and is held, if it is not deleted: inbox.release() shows it.';
  return 'and is gone. Was it deleted, or has it expired?';
}

/** How a mail ended that was not refused, and what to do about it. */
export const ENDINGS: Readonly<Record<string, string>> = {
  'mail-lost': 'broke off in the middle of the mail. Check the timeout of the client, and the network.',
  'no-data': 'ended before the mail was sent. The client tested the address, or gave up because of another recipient.',
};

function* ofInbox({ attempts, isEmpty }: Seen): Generator<string> {
  for (const [newest, count] of kinds(attempts, ({ way, to, outcome }) => `${way} ${to} ${outcome}`)) {
    const { way, to, outcome, error, receivedAt } = newest;
    const many = `${plural(count, 'attempt')} ${way === 'smtp' ? '' : `by the send API (${way}) `}to send to ${to}`;
    if (outcome === 'kept') {
      if (isEmpty) yield `Mail to ${to} was kept at ${receivedAt} ${unshown(to)}`;
    } else if (error === null) {
      yield `${many} ${ENDINGS[outcome] ?? `came to nothing: ${outcome}.`}`;
    } else {
      yield `${many} ${refusedWith(count, error)} ${CURES[outcome] ?? ''}`.trim();
    }
  }
}

/** Where a domain is missing, or another than the application mails to. */
function* ofOthers({ elsewhere }: Seen): Generator<string> {
  for (const { to } of elsewhere) yield `Mail came to ${to}, which is another inbox: ask for mayfly.inbox('${to}').`;
}

function* ofSessions({ smtp, sessions, windowMs }: Seen): Generator<string> {
  const { attempts, counts } = sessions;
  const time = timeOf(windowMs);
  if (attempts === null) {
    const others = Object.entries(counts).filter(([outcome]) => outcome in SESSIONS);
    for (const [outcome, count] of others) {
      yield `${time}, ${plural(count, 'connection')} from this test's address ${SESSIONS[outcome]?.(smtp)}`;
    }
  } else {
    for (const [one, count] of kinds(attempts, ({ way, client, outcome }) => `${way} ${client} ${outcome}`)) {
      const { way, client, outcome, error } = one;
      if (way !== 'smtp' && error !== null) {
        const many = plural(count, 'request');
        yield `${time}, ${many} from ${client} to the send API (${way}) named no recipient and ${refusedWith(count, error)}`;
        continue;
      }
      const what = SESSIONS[outcome]?.(smtp) ?? `ended so: ${error === null ? outcome : sentence(error.text)}`;
      yield `${time}, ${plural(count, 'connection')} from ${client} ${what}`;
    }
  }
  if (counts.kept) yield `${time}, ${plural(counts.kept, 'email')} came to other inboxes: was it sent to this address?`;
  yield* ofOtherSide({ sessions, windowMs });
  const saw = Object.keys(counts).some((outcome) => outcome !== 'http-port');
  if (saw) return;
  const whose = attempts === null ? " from this test's address" : '';
  yield `${time}, no client connected to the SMTP port ${smtp.port}${whose}: set the application's SMTP host and port to Mayfly's. Inside a container, 127.0.0.1 is the container itself (docs/no-mail.md).`;
}

function* ofOtherSide({ sessions: { counts }, windowMs }: Pick<Seen, 'sessions' | 'windowMs'>): Generator<string> {
  for (const [outcome, cause] of Object.entries(OTHER_SIDE)) {
    const count = counts[outcome];
    if (count) yield `${timeOf(windowMs)}, ${plural(count, 'attempt')} to send mail came ${cause}`;
  }
}

function timeOf(windowMs: number): string {
  return `In the last ${Math.round(windowMs / 1000)} s`;
}

/** What says least of why no mail came: it is told last. */
const VAGUE: ReadonlySet<string> = new Set(['no-command', 'http-port']);

/** The newest of each kind, and how many there are, the most frequent first. */
function kinds(attempts: readonly Attempt[], kindOf: (attempt: Attempt) => string): (readonly [Attempt, number])[] {
  const found = new Map<string, [Attempt, number]>();
  for (const attempt of attempts) {
    const known = found.get(kindOf(attempt));
    if (known) known[1] += 1;
    else found.set(kindOf(attempt), [attempt, 1]);
  }
  const isVague = ({ outcome }: Attempt) => Number(VAGUE.has(outcome));
  return [...found.values()].sort(([one, a], [other, b]) => isVague(one) - isVague(other) || b - a);
}

function refusedWith(count: number, { code, enhanced, text }: AttemptError): string {
  const reply = [code, enhanced, sentence(text)].filter((part) => part !== null).join(' ');
  return `${count === 1 ? 'was' : 'were'} refused: ${reply}`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Control characters of a hostile address, and those that turn the direction of text, must not reach a terminal. */
function shown(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}
