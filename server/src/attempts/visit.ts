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

/** Refusals that end a connection or follow from an earlier one: they do not say why no mail came. */
const MERE_ENDS: ReadonlySet<SmtpError> = new Set<SmtpError>([
  smtpErrors.idleTooLong,
  smtpErrors.stopping,
  smtpErrors.mailFirst,
]);

/** One SMTP connection. Each mail transaction is an attempt; a connection without one is an attempt as a whole. */
export class Visit implements Surroundings {
  tls: Tls = 'no';
  auth: Auth = 'no';
  lastCommand: string | null = null;
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

  /** MAIL came, accepted or refused: clients that pipeline still name the recipients. */
  mail(from: string | null): void {
    this.end();
    this.#open = this.#begun(from);
    this.#hadMail = true;
  }

  recipient(address: string, told: Told | null): void {
    this.#open?.recipient(address, told);
  }

  refused(error: SmtpError, told: Told): void {
    if (this.#open !== null) this.#open.refused(told);
    else if (this.#told === null || !MERE_ENDS.has(error)) this.#told = told;
  }

  /** DATA is accepted: from now on the message reports what becomes of the transaction, and ends it. */
  content(): OpenAttempt {
    const attempt = this.#open ?? this.#begun(null);
    this.#open = null;
    attempt.asked(this);
    return attempt;
  }

  end(): void {
    this.#open?.end(this);
    this.#open = null;
  }

  left({ tlsIsUnused, isProxy }: Leaving): void {
    this.end();
    if (tlsIsUnused) this.tls = 'failed';
    if (this.#hadMail || (isProxy && this.#told === null)) return;
    this.#session.space = this.space;
    this.#session.ending = endingOf(this);
    if (this.#told !== null) this.#session.refused(this.#told);
    this.#session.end(this);
  }

  #begun(from: string | null): OpenAttempt {
    const { client } = this.#session;
    const begun = { way: 'smtp', client, from, connectMs: this.#session.elapsed(), space: this.space } as const;
    return new Attempt(this.#notes, begun);
  }
}

function endingOf({ tls, lastCommand }: Surroundings): Ending {
  if (tls === 'failed') return 'tls-ended';
  return lastCommand === null ? 'no-command' : 'no-mail';
}

export function toldBy(error: SmtpError, values?: Readonly<Record<string, string | number>>): Told {
  return { name: rowName(error), code: error.code, enhanced: error.enhanced, text: errorText(error, values) };
}
