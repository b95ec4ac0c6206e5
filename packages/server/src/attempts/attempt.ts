import type { SendApiRequest } from 'mayfly-protocol';
import type { Clock } from '../base/clock.js';
import { type SmtpError, smtpErrors } from '../errors.js';
import type { Addressing } from '../inbox/addressing.js';
import type { Taker } from '../inbox/inboxes.js';
import type { RefusedPart, SmtpObserver, SmtpSession } from '../smtp/observer.js';
import type { Refused } from '../smtp/replies.js';

const MAX_RECIPIENTS = 100;

/** Longer addresses name no inbox (RFC 5321 section 4.5.3.1), so they are cut. */
const MAX_ADDRESS_CHARS = 320;

const MAX_TEXT_CHARS = 500;

/** How mail arrived. `catcher` means the compatibility API of another email testing tool. */
type Way = 'smtp' | 'catcher' | SendApiRequest['provider'];

/** The delivery log's names for the outcomes of attempts whose mail was neither stored nor rejected. */
type Ending = 'mail-lost' | 'no-data' | 'no-mail' | 'tls-ended' | 'no-command' | 'http-port';

type Told = Omit<Refused, 'error'>;

export interface NotedRecipient {
  readonly address: string;
  /** The inbox of the address (`Addressing.attemptedInbox`); null if the address names no inbox. */
  readonly inbox: string | null;
  readonly told: Told | null;
  /** `receivedAt` of the resulting email, in milliseconds since the epoch; 0 without an email. */
  receivedAt: number;
  /** The first delivery to a client for each `way`, the earliest first. */
  readonly handed: (Taker & { readonly ms: number })[];
}

type Surroundings = Pick<SmtpSession, 'tls' | 'auth' | 'lastCommand' | 'hello' | 'adHoc'>;

const NO_CONNECTION: Surroundings = { tls: 'no', auth: 'no', lastCommand: null, hello: null, adHoc: null };

export interface Begun {
  readonly way: Way;
  readonly client: string;
  readonly from: string | null;
  readonly adHoc?: string | null;
}

export interface Notes {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly addressing: Addressing;
  begun(attempt: Attempt): void;
  add(attempt: Attempt): void;
  drop(attempt: Attempt): void;
}

/** When an attempt reached each stage, in milliseconds after the attempt began. */
type Stages = Partial<Record<'connect' | 'rcpt' | 'data' | 'content' | 'kept', number>>;

/** An SMTP transaction, a message of a send API, or a session without either. Holds no content or credentials. */
export class Attempt {
  readonly way: Way;
  readonly client: string;
  readonly at: number;
  readonly from: string | null;
  readonly recipients: NotedRecipient[] = [];
  readonly stages: Stages = {};
  /** The connection's TLS, AUTH and EHLO state: shared with the connection until the attempt ends, then a copy. */
  around: Surroundings;
  told: Told | null = null;
  ending: Ending = 'no-data';
  isOpen = false;
  /** Whether the mail was kept but the client did not get the reply. */
  isReplyLost = false;
  readonly #notes: Notes;
  readonly #begunAt: number;

  constructor(notes: Notes, { way, client, from, adHoc = null }: Begun, session?: Surroundings) {
    this.#notes = notes;
    this.way = way;
    this.client = client;
    this.at = notes.clock.now();
    this.#begunAt = Math.floor(notes.clock.monotonic());
    this.from = from === null ? null : ownCopy(from);
    this.around = session ?? { ...NO_CONNECTION, adHoc };
  }

  recipient(address: string, told: Told | null): void {
    this.reached('rcpt');
    if (this.recipients.length >= MAX_RECIPIENTS) return;
    const own = ownCopy(address);
    const inbox = this.#notes.addressing.attemptedInbox(own, this.around.adHoc);
    this.recipients.push({ address: own, inbox, told: told && short(told), receivedAt: 0, handed: [] });
  }

  /** Only the first refusal counts; later ones are its consequences. */
  refused(told: Told): void {
    this.told ??= short(told);
  }

  reached(stage: keyof Stages, ms = this.elapsed()): void {
    this.stages[stage] = ms;
  }

  kept(receivedAt: readonly number[]): void {
    this.reached('kept');
    const accepted = this.recipients.filter(({ told }) => told === null);
    for (const [n, recipient] of accepted.entries()) recipient.receivedAt = receivedAt[n] ?? 0;
  }

  /** Records that the sender got no reply, because it had disconnected or the address simulates a lost reply. */
  replyLost(): void {
    this.isReplyLost = this.stages.kept !== undefined;
  }

  end(): void {
    const { tls, auth, lastCommand, hello, adHoc } = this.around;
    this.around = { tls, auth, lastCommand, hello: hello && ownCopy(hello), adHoc };
    this.#notes.add(this);
  }

  /** Records that a client got the email at a `monotonic` time. Returns whether it is the first delivery by `way`. */
  handOut(recipient: NotedRecipient, { way, client }: Taker, monotonic: number): boolean {
    if (recipient.handed.some((one) => one.way === way)) return false;
    const ms = this.elapsed(monotonic);
    recipient.handed.push({ way, client, ms });
    // A client gets only stored messages, so this message was stored by now, even if the sender gets the reply later.
    this.reached('kept', Math.min(ms, this.stages.kept ?? ms));
    return true;
  }

  elapsed(monotonic = this.#notes.clock.monotonic()): number {
    return Math.floor(monotonic) - this.#begunAt;
  }
}

export type OpenAttempt = Pick<Attempt, 'recipient' | 'refused' | 'kept' | 'replyLost' | 'end'>;

/** Copies the address. A substring would keep the whole command line of up to 16 KiB in memory. */
function ownCopy(address: string): string {
  return Buffer.from(address.slice(0, MAX_ADDRESS_CHARS)).toString();
}

function short(told: Told): Told {
  return { ...told, text: told.text.slice(0, MAX_TEXT_CHARS) };
}

/** Errors that only follow from an earlier error. A Go client, for example, sends `*` after its AUTH was refused. */
const MERE_ENDS: ReadonlySet<SmtpError> = new Set<SmtpError>([
  smtpErrors.idleTooLong,
  smtpErrors.stopping,
  smtpErrors.mailFirst,
  smtpErrors.authAborted,
  smtpErrors.unknownCommand,
  smtpErrors.tooManyUnknown,
]);

/** One SMTP connection. Each transaction is an attempt; a connection without a transaction is a single attempt. */
export class Visit implements SmtpObserver {
  readonly #notes: Notes;
  readonly #facts: SmtpSession;
  /** Recorded if the connection ends without a transaction. */
  readonly #session: Attempt;
  #open: Attempt | null = null;
  #content: Attempt | null = null;
  #hadMail = false;
  #isExplained = false;

  constructor(notes: Notes, facts: SmtpSession) {
    this.#notes = notes;
    this.#facts = facts;
    this.#session = new Attempt(notes, { way: 'smtp', client: facts.client, from: null }, facts);
  }

  turnedAway(refused: Refused): void {
    this.#session.ending = 'no-command';
    this.#session.refused(refused);
    this.#session.end();
  }

  connected(): void {
    this.#notes.begun(this.#session);
  }

  /** Starts an attempt even if MAIL was refused, because clients that pipeline still name the recipients. */
  mail(from: string | null): void {
    this.reset();
    this.#open = new Attempt(this.#notes, { way: 'smtp', client: this.#facts.client, from }, this.#facts);
    this.#open.reached('connect', this.#session.elapsed());
    this.#notes.begun(this.#open);
    this.#hadMail = true;
    this.#notes.drop(this.#session);
  }

  recipient(address: string, refused: Refused | null): void {
    this.#open?.recipient(address, refused);
  }

  refused(refused: Refused, part: RefusedPart): void {
    if (part === 'recipient') return;
    if (part === 'message') this.#endContent((content) => content.refused(refused));
    else if (this.#open !== null) this.#open.refused(refused);
    else if (!this.#isExplained) {
      this.#isExplained = !MERE_ENDS.has(refused.error);
      if (this.#isExplained) this.#session.told = null;
      this.#session.refused(refused);
    }
  }

  data(): void {
    this.#content = this.#open;
    this.#open = null;
    this.#content?.reached('data');
    if (this.#content !== null) this.#content.ending = 'mail-lost';
  }

  received(): void {
    this.#content?.reached('content');
  }

  stored({ receivedAt }: { readonly receivedAt: readonly number[] }): void {
    this.#endContent((content) => content.kept(receivedAt));
  }

  lost(): void {
    this.#endContent(() => {});
  }

  replyLost(): void {
    this.#content?.replyLost();
  }

  reset(): void {
    this.#open?.end();
    this.#open = null;
  }

  ended(): void {
    this.reset();
    if (this.#hadMail || (this.#facts.isProxy && this.#session.told === null)) {
      this.#notes.drop(this.#session);
      return;
    }
    const { tls, lastCommand } = this.#facts;
    const quiet = lastCommand === null ? 'no-command' : 'no-mail';
    this.#session.ending = tls === 'failed' ? 'tls-ended' : quiet;
    this.#session.end();
  }

  #endContent(note: (content: Attempt) => void): void {
    if (this.#content === null) return;
    note(this.#content);
    this.#content.end();
  }
}
