import { errorText, rowName, type SmtpError, smtpErrors } from '../errors.js';
import {
  Attempt,
  type Auth,
  type Ending,
  type Notes,
  type OpenAttempt,
  type Surroundings,
  type Tls,
  type Told,
} from './attempt.js';

export interface Leaving {
  /** Whether TLS was begun and nothing was said under it. */
  readonly tlsIsUnused: boolean;
  /** Whether it is a balancer's own, which looks whether the service is up. */
  readonly isProxy: boolean;
}

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
export class Visit implements Surroundings {
  tls: Tls = 'no';
  auth: Auth = 'no';
  hello: string | null = null;
  space: string | null = null;
  #lastCommand: string | null = null;
  readonly #notes: Notes;
  /** Written down where the connection comes to no transaction. */
  readonly #session: Attempt;
  #open: OpenAttempt | null = null;
  /** The transaction whose content came last, until another command follows. */
  #content: OpenAttempt | null = null;
  #hadMail = false;
  #isExplained = false;

  constructor(notes: Notes, client: string) {
    this.#notes = notes;
    this.#session = new Attempt(notes, { way: 'smtp', client, from: null });
    this.#session.live = this;
    notes.begun(this.#session);
  }

  get lastCommand(): string | null {
    return this.#lastCommand;
  }

  set lastCommand(command: string | null) {
    // What goes on has read the reply.
    this.#content = null;
    const isAfterRefusal = command === 'unknown' && this.auth === 'refused';
    if (!isAfterRefusal) this.#lastCommand = command;
  }

  /** MAIL came, accepted or refused: clients that pipeline still name the recipients. */
  mail(from: string | null): void {
    this.end();
    this.#open = this.#begun(from);
    this.#hadMail = true;
    this.#notes.drop(this.#session);
  }

  recipient(address: string, told: Told | null): void {
    this.#open?.recipient(address, told);
  }

  refused(error: SmtpError, told: Told): void {
    if (this.#open !== null) this.#open.refused(told);
    else if (!this.#isExplained) {
      this.#isExplained = !MERE_ENDS.has(error);
      if (this.#isExplained) this.#session.told = null;
      this.#session.refused(told);
    }
  }

  /** DATA is accepted: from now on the message reports what becomes of the transaction, and ends it. */
  content(): OpenAttempt {
    const attempt = this.#open ?? this.#begun(null);
    this.#open = null;
    this.#content = attempt;
    attempt.asked(this);
    return attempt;
  }

  /** The connection ended or broke. The client did not get the reply to a content that it sent last. */
  replyLost(): void {
    this.#content?.replyLost();
  }

  end(): void {
    this.#open?.end(this);
    this.#open = null;
  }

  left({ tlsIsUnused, isProxy }: Leaving): void {
    this.end();
    if (tlsIsUnused) this.tls = 'failed';
    if (this.#hadMail || (isProxy && this.#session.told === null)) {
      this.#notes.drop(this.#session);
      return;
    }
    this.#session.space = this.space;
    this.#session.ending = endingOf(this);
    this.#session.end(this);
  }

  #begun(from: string | null): OpenAttempt {
    const { client } = this.#session;
    const begun = { way: 'smtp', client, from, connectMs: this.#session.elapsed(), space: this.space } as const;
    const attempt = new Attempt(this.#notes, begun);
    attempt.live = this;
    this.#notes.begun(attempt);
    return attempt;
  }
}

function endingOf({ tls, lastCommand }: Surroundings): Ending {
  if (tls === 'failed') return 'tls-ended';
  return lastCommand === null ? 'no-command' : 'no-mail';
}

export function toldBy(error: SmtpError, values?: Readonly<Record<string, string | number>>): Told {
  return { name: rowName(error), code: error.code, enhanced: error.enhanced, text: errorText(error, values) };
}
