import type { Attempt, InboxWait, WayOut } from 'mayfly-client';

/** The color of an outcome: stored, failed, perhaps only a health check, or neither. */
type Tone = 'good' | 'bad' | 'odd' | 'plain';

interface Words {
  readonly label: string;
  readonly tone: Tone;
  /** What the client did, if Mayfly did not refuse it. */
  readonly text: string;
}

const OUTCOMES: Readonly<Record<string, Words>> = {
  kept: { label: 'Stored', tone: 'good', text: 'Accepted' },
  open: { label: 'In progress', tone: 'plain', text: 'The client is still connected' },
  'mail-lost': { label: 'Interrupted', tone: 'bad', text: 'The client disconnected in the middle of the message' },
  'no-data': { label: 'No message', tone: 'bad', text: 'The client stopped before it sent the message' },
  'no-mail': { label: 'No message', tone: 'odd', text: 'The client sent no message' },
  'no-command': { label: 'Silent', tone: 'odd', text: 'The client connected and sent nothing' },
  'tls-ended': { label: 'TLS failed', tone: 'bad', text: 'The client disconnected during or after the TLS handshake' },
  'http-port': { label: 'Wrong port', tone: 'bad', text: 'The client spoke SMTP to the HTTP port' },
  tested: { label: 'Test', tone: 'plain', text: 'The client only tested the connection' },
};

const WAYS: Readonly<Record<WayOut, string>> = {
  stream: 'Stream',
  page: 'Web UI',
  fetch: 'Request',
  mcp: 'Agent',
  'drop-in': 'Compatibility API',
};

/** Instead of a client's IP address, which is null if a shared service hides it. */
const HIDDEN = 'another address';

export function wordsOf({ outcome, error }: Attempt): Words {
  if (error !== null) return { label: 'Refused', tone: 'bad', text: '' };
  // Another version of the service may have other outcomes.
  return Object.hasOwn(OUTCOMES, outcome) ? (OUTCOMES[outcome] as Words) : { label: outcome, tone: 'plain', text: '' };
}

export function isFailed(attempt: Attempt): boolean {
  return ['bad', 'odd'].includes(wordsOf(attempt).tone);
}

export function replyOf(attempt: Attempt): string {
  const { error, reply } = attempt;
  if (error !== null) return [codeOf(error), error.text].join(' ');
  return reply === 'lost' ? 'Accepted, but the client did not get the reply' : wordsOf(attempt).text;
}

/** `550 5.7.1` */
export function codeOf({ code, enhanced }: NonNullable<Attempt['error']>): string {
  return [code, enhanced].filter(Boolean).join(' ');
}

/** `Stream from 127.0.0.1` */
export function readerOf({ way, client }: Pick<InboxWait, 'way' | 'client'>): string {
  return `${WAYS[way] ?? way} from ${client ?? HIDDEN}`;
}

/** `SMTP from 127.0.0.1, TLS` or `SMTP from 127.0.0.1, last command EHLO` */
export function clientOf({ way, client, tls, to, lastCommand }: Attempt): string {
  const source = `${way === 'smtp' ? 'SMTP' : way} from ${client ?? HIDDEN}${tls === 'yes' ? ', TLS' : ''}`;
  return to === null && lastCommand !== null ? `${source}, last command ${lastCommand}` : source;
}

/** The time until the last stage that the attempt reached, in milliseconds; null if it reached none. */
export function durationOf({ stages: { rcpt, data, content, kept } }: Attempt): number | null {
  const reached = [rcpt, data, content, kept].filter((ms) => ms !== null);
  return reached.length === 0 ? null : Math.max(...reached);
}

/** `12 ms`, `1.4 s` */
export function shortSpan(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
