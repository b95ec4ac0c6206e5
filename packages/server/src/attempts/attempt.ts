import type { SendApiRequest } from 'mayfly-protocol';
import type { Clock } from '../base/clock.js';
import type { Addressing } from '../inbox/addressing.js';
import type { Taker } from '../inbox/inboxes.js';
import type { SmtpSession } from '../smtp/observer.js';
import type { Refused } from '../smtp/replies.js';

const MAX_RECIPIENTS = 100;

/** How much of an address is remembered. One that names an inbox is shorter (RFC 5321 section 4.5.3.1). */
const MAX_ADDRESS_CHARS = 320;

const MAX_TEXT_CHARS = 500;

/** By which way mail came: SMTP, a provider's send API, or that of another mail catcher. */
export type Way = 'smtp' | 'catcher' | SendApiRequest['provider'];

/**
 * What ended an attempt that was neither kept nor refused, in the words of the log: the client left in the middle of
 * the content, before it, after EHLO, in or right after the TLS handshake, or without a command; or it spoke
 * SMTP to the HTTP port, or waited there for a greeting.
 */
export type Ending = 'mail-lost' | 'no-data' | 'no-mail' | 'tls-ended' | 'no-command' | 'http-port';

/** What a client was told: the name of an error, and its reply. */
type Told = Omit<Refused, 'error'>;

export interface NotedRecipient {
  readonly address: string;
  /** The inbox that it is for (`Addressing.attemptedInbox`); null where the address names none. */
  readonly inbox: string | null;
  readonly told: Told | null;
  /** The email that came of it, in milliseconds since the epoch; 0 for none. */
  receivedAt: number;
  /** When that was first given to a client, by each way, in the order of time. */
  readonly handed: Handed[];
}

export interface Handed extends Taker {
  readonly ms: number;
}

/** How a connection is protected, what was said on it last, and its space; null outside of all (D66). */
export type Surroundings = Pick<SmtpSession, 'tls' | 'auth' | 'lastCommand' | 'hello' | 'space'>;

const NO_CONNECTION: Surroundings = { tls: 'no', auth: 'no', lastCommand: null, hello: null, space: null };

export interface Begun {
  readonly way: Way;
  readonly client: string;
  readonly from: string | null;
  /** Of mail that does not come over SMTP. */
  readonly space?: string | null;
}

export interface Notes extends Pick<Clock, 'now' | 'monotonic'> {
  readonly addressing: Addressing;
  /** An attempt has begun on a connection, and is not over. */
  begun(attempt: Attempt): void;
  /** It is over, and remembered. */
  add(attempt: Attempt): void;
  /** It is over, and nothing of it is to be remembered. */
  drop(attempt: Attempt): void;
}

/** When an attempt reached each stage, in milliseconds after it began; missing for a stage that was not reached. */
export type Stages = Partial<Record<'connect' | 'rcpt' | 'data' | 'content' | 'kept', number>>;

/**
 * One mail transaction, one mail of a send API, or a session without either, until it is forgotten. It holds neither
 * content nor credentials.
 */
export class Attempt {
  readonly way: Way;
  readonly client: string;
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  readonly from: string | null;
  readonly recipients: NotedRecipient[] = [];
  readonly stages: Stages = {};
  /** Those of its connection until it is over, then a copy. */
  around: Surroundings;
  told: Told | null = null;
  ending: Ending = 'no-data';
  /** Whether its connection is open, and it is not over. */
  isOpen = false;
  /** Whether it was kept and the client did not get the reply. */
  isReplyLost = false;
  readonly #notes: Notes;
  readonly #begunAt: number;

  constructor(notes: Notes, { way, client, from, space = null }: Begun, session?: Surroundings) {
    this.#notes = notes;
    this.way = way;
    this.client = client;
    this.at = notes.now();
    this.#begunAt = Math.floor(notes.monotonic());
    this.from = from === null ? null : ownCopy(from);
    this.around = session ?? { ...NO_CONNECTION, space };
  }

  /** A recipient, by its address, was accepted (null) or refused. */
  recipient(address: string, told: Told | null): void {
    this.reached('rcpt');
    if (this.recipients.length >= MAX_RECIPIENTS) return;
    const own = ownCopy(address);
    const inbox = this.#notes.addressing.attemptedInbox(own, this.around.space);
    this.recipients.push({ address: own, inbox, told: told && short(told), receivedAt: 0, handed: [] });
  }

  /** The whole of it was refused. What follows from the first refusal does not count. */
  refused(told: Told): void {
    this.told ??= short(told);
  }

  reached(stage: keyof Stages, ms = this.elapsed()): void {
    this.stages[stage] = ms;
  }

  /** It was kept: one email, by its `receivedAt`, for each recipient that was accepted, in their order. */
  kept(receivedAt: readonly number[]): void {
    this.reached('kept');
    const accepted = this.recipients.filter(({ told }) => told === null);
    for (const [n, recipient] of accepted.entries()) recipient.receivedAt = receivedAt[n] ?? 0;
  }

  /** The client left before the reply, or the address asked for none. */
  replyLost(): void {
    this.isReplyLost = this.stages.kept !== undefined;
  }

  /** It is over, and written down. To be called once. */
  end(): void {
    const { tls, auth, lastCommand, hello, space } = this.around;
    this.around = { tls, auth, lastCommand, hello: hello && ownCopy(hello), space };
    this.#notes.add(this);
  }

  /** One of its emails is given to a client, at a time of `monotonic`. Returns whether for the first time this way. */
  handOut(recipient: NotedRecipient, { way, client }: Taker, monotonic: number): boolean {
    if (recipient.handed.some((one) => one.way === way)) return false;
    const ms = this.elapsed(monotonic);
    recipient.handed.push({ way, client, ms });
    // It was on disk by then, though its sender is told a moment later.
    this.reached('kept', Math.min(ms, this.stages.kept ?? ms));
    return true;
  }

  elapsed(monotonic = this.#notes.monotonic()): number {
    return Math.floor(monotonic) - this.#begunAt;
  }
}

export type OpenAttempt = Pick<Attempt, 'recipient' | 'refused' | 'kept' | 'replyLost' | 'end'>;

/** A part of a line of 16 KiB would keep all of that line in memory. */
function ownCopy(address: string): string {
  return Buffer.from(address.slice(0, MAX_ADDRESS_CHARS)).toString();
}

function short(told: Told): Told {
  return { ...told, text: told.text.slice(0, MAX_TEXT_CHARS) };
}
