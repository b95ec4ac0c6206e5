import { type SmtpError, smtpErrors } from '../errors.js';
import type { RefusedPart, SmtpObserver, SmtpSession, StoredMessage } from '../smtp/observer.js';
import type { Refused } from '../smtp/replies.js';
import { Attempt, type Ending, type Notes } from './attempt.js';

/**
 * Refusals that end a connection or follow from an earlier one: they explain nothing. A Go client goes on with `*`
 * after its AUTH was refused.
 */
const MERE_ENDS: ReadonlySet<SmtpError> = new Set<SmtpError>([
  smtpErrors.idleTooLong,
  smtpErrors.stopping,
  smtpErrors.mailFirst,
  smtpErrors.authAborted,
  smtpErrors.unknownCommand,
  smtpErrors.tooManyUnknown,
]);

/** One SMTP connection. Each mail transaction is an attempt; a connection without one is an attempt as a whole. */
export class Visit implements SmtpObserver {
  readonly #notes: Notes;
  readonly #facts: SmtpSession;
  /** Written down where the connection comes to no transaction. */
  readonly #session: Attempt;
  #open: Attempt | null = null;
  /** The transaction whose content came last. */
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

  /** Clients that pipeline name the recipients even if MAIL was refused. */
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

  stored({ receivedAt }: StoredMessage): void {
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
    this.#session.ending = endingOf(this.#facts);
    this.#session.end();
  }

  #endContent(note: (content: Attempt) => void): void {
    if (this.#content === null) return;
    note(this.#content);
    this.#content.end();
  }
}

function endingOf({ tls, lastCommand }: SmtpSession): Ending {
  if (tls === 'failed') return 'tls-ended';
  return lastCommand === null ? 'no-command' : 'no-mail';
}
