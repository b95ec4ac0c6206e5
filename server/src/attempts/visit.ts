import { errorText, rowName, type SmtpError, smtpErrors } from '../errors.js';
import { Attempt, type Auth, type Ending, type Notes, type Surroundings, type Tls, type Told } from './attempt.js';
import { OpenAttempt } from './open-attempt.js';

/** How a connection ended. */
export interface Leaving {
  /** Whether TLS was begun and nothing was said under it. */
  readonly tlsIsUnused: boolean;
  /** Whether it is a balancer's own, which looks whether the service is up. */
  readonly isProxy: boolean;
}

/** Refusals that end a connection, or follow from one before, and say nothing of why no mail came. */
const MERE_ENDS: ReadonlySet<SmtpError> = new Set<SmtpError>([
  smtpErrors.idleTooLong,
  smtpErrors.stopping,
  smtpErrors.mailFirst,
]);

/**
 * One SMTP connection, as its attempts are remembered: each mail transaction is one, and the whole is one where it came
 * to none.
 */
export class Visit implements Surroundings {
  tls: Tls = 'no';
  auth: Auth = 'no';
  lastCommand: string | null = null;
  /** The space that the client signed in to. */
  space: string | null = null;
  readonly #notes: Notes;
  /** Written down where the connection comes to no transaction. */
  readonly #session: Attempt;
  #open: OpenAttempt | null = null;
  #hadMail = false;
  #told: Told | null = null;

  constructor(notes: Notes, client: string) {
    this.#notes = notes;
    this.#session = new Attempt(notes, { way: 'smtp', client, from: null });
  }

  /** MAIL came, whether it is accepted or refused: those that pipeline name the recipients all the same. */
  mail(from: string | null): void {
    this.end();
    this.#open = this.#begun(from);
    this.#hadMail = true;
  }

  /** RCPT came, and was accepted (null) or refused. */
  recipient(address: string, told: Told | null): void {
    this.#open?.recipient(address, told);
  }

  /** A command was refused, or the connection. */
  refused(error: SmtpError, told: Told): void {
    if (this.#open !== null) this.#open.refused(told);
    else if (this.#told === null || !MERE_ENDS.has(error)) this.#told = told;
  }

  /** DATA is accepted: from now on the message tells what becomes of the transaction, and ends it. */
  content(): OpenAttempt {
    const attempt = this.#open ?? this.#begun(null);
    this.#open = null;
    attempt.asked(this);
    return attempt;
  }

  /** The transaction is over without content. */
  end(): void {
    this.#open?.end(this);
    this.#open = null;
  }

  /** The connection is over. */
  left({ tlsIsUnused, isProxy }: Leaving): void {
    this.end();
    if (tlsIsUnused) this.tls = 'failed';
    if (this.#hadMail || (isProxy && this.#told === null)) return;
    this.#session.surround(this);
    this.#session.space = this.space;
    this.#session.ending = endingOf(this);
    if (this.#told !== null) this.#session.refuse(this.#told);
    this.#notes.add(this.#session);
  }

  #begun(from: string | null): OpenAttempt {
    const { client } = this.#session;
    const connect = this.#session.elapsed(this.#notes.monotonic());
    return new OpenAttempt(this.#notes, { way: 'smtp', client, from, connect, space: this.space });
  }
}

function endingOf({ tls, lastCommand }: Surroundings): Ending {
  if (tls === 'failed') return 'tls-ended';
  return lastCommand === null ? 'no-command' : 'no-mail';
}

/** What an SMTP client was told, as it is remembered. */
export function toldBy(error: SmtpError, values?: Readonly<Record<string, string | number>>): Told {
  return { name: rowName(error), code: error.code, enhanced: error.enhanced, text: errorText(error, values) };
}
