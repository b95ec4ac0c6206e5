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

/** Stands for a stage that was not reached. */
export const NEVER = -1;

const NOT_HANDED: readonly Handed[] = [];

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
  handed: readonly Handed[];
}

export interface Handed extends Taker {
  readonly ms: number;
}

/** How a connection is protected, and what was said on it last. */
export type Surroundings = Pick<SmtpSession, 'tls' | 'auth' | 'lastCommand' | 'hello'>;

/** The connection of an attempt that has not ended. */
export type Live = Surroundings & Pick<SmtpSession, 'space'>;

export interface Begun {
  readonly way: Way;
  readonly client: string;
  readonly from: string | null;
  /** How long its connection had been open, in whole milliseconds. */
  readonly connectMs?: number;
  /** The space that it is in; null outside of all (D66). */
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
  hasDelivered(client: string, hello: string | null): boolean;
}

/**
 * One mail transaction, one mail of a send API, or a session without either, until it is forgotten. It holds neither
 * content nor credentials. Thousands are kept: one object each, with small integers as times (milliseconds since it
 * began) and the book's own links, because moving objects is most of what an attempt costs the collector.
 */
export class Attempt implements Surroundings {
  readonly way: Way;
  readonly client: string;
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  /** The same by the clock that never goes back. */
  readonly begunAt: number;
  readonly from: string | null;
  readonly #notes: Notes;
  readonly recipients: NotedRecipient[] = [];
  tls: SmtpSession['tls'] = 'no';
  auth: SmtpSession['auth'] = 'no';
  lastCommand: string | null = null;
  hello: string | null = null;
  told: Told | null = null;
  ending: Ending = 'no-data';
  space: string | null;
  /** Null once it is over, and for a send API. */
  live: Live | null = null;
  /** Whether it was kept and the client did not get the reply. */
  isReplyLost = false;
  readonly connectMs: number;
  rcptMs = NEVER;
  dataMs = NEVER;
  contentMs = NEVER;
  keptMs = NEVER;
  /** Its neighbours in the book, by age: of all, and of its client. */
  older: Attempt | null = null;
  newer: Attempt | null = null;
  olderOfClient: Attempt | null = null;
  newerOfClient: Attempt | null = null;

  constructor(notes: Notes, { way, client, from, connectMs = NEVER, space = null }: Begun) {
    this.#notes = notes;
    this.way = way;
    this.client = client;
    this.at = notes.now();
    this.begunAt = Math.floor(notes.monotonic());
    this.from = from === null ? null : ownCopy(from);
    this.connectMs = connectMs;
    this.space = space;
  }

  /** A recipient, by its address, was accepted (null) or refused. */
  recipient(address: string, told: Told | null): void {
    this.rcptMs = this.elapsed();
    if (this.recipients.length >= MAX_RECIPIENTS) return;
    const own = ownCopy(address);
    const inbox = this.#notes.addressing.attemptedInbox(own, this.space);
    this.recipients.push({ address: own, inbox, told: told && short(told), receivedAt: 0, handed: NOT_HANDED });
  }

  /** The whole of it was refused. What follows from the first refusal does not count. */
  refused(told: Told): void {
    this.told ??= short(told);
  }

  asked(around: Surroundings): void {
    this.surround(around);
    this.dataMs = this.elapsed();
    this.ending = 'mail-lost';
  }

  received(): void {
    this.contentMs = this.elapsed();
  }

  /** It was kept: one email, by its `receivedAt`, for each recipient that was accepted, in their order. */
  kept(receivedAt: readonly number[]): void {
    this.keptMs = this.elapsed();
    let at = 0;
    for (const recipient of this.recipients) {
      if (recipient.told === null) recipient.receivedAt = receivedAt[at++] ?? 0;
    }
  }

  /** The client left before the reply, or the address asked for none. */
  replyLost(): void {
    this.isReplyLost = this.keptMs !== NEVER;
  }

  /**
   * Whether a client that delivers messages only tested its connection: it said EHLO and QUIT. All applications of a
   * machine have one address, so it must have given the same name.
   */
  get isTest(): boolean {
    const saidNothing = this.ending === 'no-mail' && this.lastCommand === 'QUIT';
    return saidNothing && this.#notes.hasDelivered(this.client, this.hello);
  }

  /** It is over, and written down. To be called once. */
  end(around?: Surroundings): void {
    if (around !== undefined) this.surround(around);
    this.#notes.add(this);
  }

  /** One of its emails is given to a client, at a time of `monotonic`. Returns whether for the first time this way. */
  handOut(recipient: NotedRecipient, { way, client }: Taker, monotonic: number): boolean {
    if (recipient.handed.some((one) => one.way === way)) return false;
    const ms = this.elapsed(monotonic);
    recipient.handed = [...recipient.handed, { way, client, ms }];
    // It was on disk by then, though its sender is told a moment later.
    if (ms < this.keptMs) this.keptMs = ms;
    return true;
  }

  surround({ tls, auth, lastCommand, hello }: Surroundings): void {
    this.tls = tls;
    this.auth = auth;
    this.lastCommand = lastCommand;
    this.hello = hello && ownCopy(hello);
  }

  elapsed(monotonic = this.#notes.monotonic()): number {
    return Math.floor(monotonic) - this.begunAt;
  }
}

export type OpenAttempt = Pick<Attempt, 'recipient' | 'refused' | 'asked' | 'received' | 'kept' | 'replyLost' | 'end'>;

/** A part of a line of 16 KiB would keep all of that line in memory. */
function ownCopy(address: string): string {
  return Buffer.from(address.length > MAX_ADDRESS_CHARS ? address.slice(0, MAX_ADDRESS_CHARS) : address).toString();
}

function short(told: Told): Told {
  return told.text.length <= MAX_TEXT_CHARS ? told : { ...told, text: told.text.slice(0, MAX_TEXT_CHARS) };
}
