import type { SendApiRequest } from 'mayfly-client';
import { namedInbox } from '../inbox/inboxes.js';

/** How many recipients of one attempt are remembered by their address; the rest are counted by no one. */
export const MAX_RECIPIENTS = 100;

/** How much of an address is remembered. One that names an inbox is shorter (RFC 5321 section 4.5.3.1). */
const MAX_ADDRESS_CHARS = 320;

/** How much of what a client was told is remembered. */
const MAX_TEXT_CHARS = 500;

/** By which way mail came: SMTP, a provider's send API, or that of another mail catcher. */
export type Way = 'smtp' | 'catcher' | SendApiRequest['provider'];

export type Tls = 'no' | 'asked' | 'failed' | 'yes';

export type Auth = 'no' | 'accepted' | 'refused';

/**
 * What ended an attempt that was neither kept nor refused, in the words of the log: the client left in the middle of
 * the content, before it, after EHLO, in or right after the TLS handshake, or without a command.
 */
export type Ending = 'mail-lost' | 'no-data' | 'no-mail' | 'tls-ended' | 'no-command';

/** What a client was told: a row of the table of errors, and its reply. */
export interface Told {
  readonly name: string;
  readonly code: number;
  readonly enhanced: string | null;
  readonly text: string;
}

export interface NotedRecipient {
  readonly address: string;
  /** The inbox that the address names in any domain; null where it names none. */
  readonly inbox: string | null;
  told: Told | null;
  /** The email that came of it, in milliseconds since the epoch. */
  receivedAt: number | null;
  /** When that was first given to a client, in milliseconds since the beginning. */
  handedOutMs: number | null;
}

/** Milliseconds since the attempt began; `connect` is how long its connection was open before. */
export interface Stages {
  connect: number | null;
  rcpt: number | null;
  data: number | null;
  content: number | null;
  kept: number | null;
}

/** How a connection is protected, and what was said on it last. */
export interface Surroundings {
  tls: Tls;
  auth: Auth;
  lastCommand: string | null;
}

/** What is remembered of one attempt. Nothing of a message's content, and no credentials. */
export interface Noted extends Surroundings {
  readonly way: Way;
  readonly client: string;
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  /** The same by the clock that never goes back. */
  readonly begunAt: number;
  readonly from: string | null;
  readonly recipients: NotedRecipient[];
  readonly stages: Stages;
  told: Told | null;
  ending: Ending;
}

/** What is known of an attempt when it begins. */
export type Begun = Pick<Noted, 'way' | 'client' | 'from'> & { readonly connectMs?: number };

interface Moment {
  readonly now: number;
  readonly monotonic: number;
}

/** Where an attempt is written down, and what tells the time. */
export interface Notes {
  moment(): Moment;
  add(noted: Noted): void;
}

/** One mail transaction, or one mail of a send API, from its beginning to its end. */
export class Attempt {
  readonly #notes: Notes;
  readonly #noted: Noted;

  constructor(notes: Notes, { way, client, from, connectMs }: Begun) {
    const { now, monotonic } = notes.moment();
    this.#notes = notes;
    this.#noted = {
      ...{ way, client, at: now, begunAt: monotonic, from: from && kept(from), recipients: [] },
      stages: { connect: connectMs ?? null, rcpt: null, data: null, content: null, kept: null },
      ...{ tls: 'no', auth: 'no', lastCommand: null, told: null, ending: 'no-data' },
    };
  }

  /** A recipient, by its address, that was accepted (null) or refused. */
  recipient(address: string, told: Told | null): void {
    const { recipients, stages } = this.#noted;
    stages.rcpt = this.#elapsed();
    if (recipients.length >= MAX_RECIPIENTS) return;
    recipients.push({
      address: kept(address),
      inbox: namedInbox(address),
      told: told && short(told),
      receivedAt: null,
      handedOutMs: null,
    });
  }

  /** The whole of it is refused. What follows from the first refusal does not count. */
  refused(told: Told): void {
    this.#noted.told ??= short(told);
  }

  /** Its content is asked for. */
  asked(around: Surroundings): void {
    this.#around(around);
    this.#noted.stages.data = this.#elapsed();
    this.#noted.ending = 'mail-lost';
  }

  /** Its content has come in whole. */
  received(): void {
    this.#noted.stages.content = this.#elapsed();
  }

  /** It was kept: one email, by its `receivedAt`, for each recipient that was accepted, in their order. */
  kept(receivedAt: readonly number[]): void {
    this.#noted.stages.kept = this.#elapsed();
    let at = 0;
    for (const recipient of this.#noted.recipients) {
      if (recipient.told === null) recipient.receivedAt = receivedAt[at++] ?? null;
    }
  }

  /** It is over, and written down. Called once. */
  end(around?: Surroundings): void {
    if (around !== undefined) this.#around(around);
    this.#notes.add(this.#noted);
  }

  #around({ tls, auth, lastCommand }: Surroundings): void {
    Object.assign(this.#noted, { tls, auth, lastCommand });
  }

  #elapsed(): number {
    return this.#notes.moment().monotonic - this.#noted.begunAt;
  }
}

/** A copy of its own: a part of a line of 16 KiB would keep all of that line in memory. */
function kept(address: string): string {
  return Buffer.from(address.slice(0, MAX_ADDRESS_CHARS)).toString();
}

function short(told: Told): Told {
  return told.text.length <= MAX_TEXT_CHARS ? told : { ...told, text: told.text.slice(0, MAX_TEXT_CHARS) };
}
