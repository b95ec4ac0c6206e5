import { errorText, rowName, type SmtpError, smtpErrors } from '../errors.js';
import { Attempt, type Auth, type Noted, type Notes, type Surroundings, type Tls, type Told } from './attempt.js';

/** How a connection ended. */
export interface Leaving {
  /** Whether TLS was begun and nothing was said under it. */
  readonly tlsIsUnused: boolean;
  /** Whether it is a balancer's own, which looks whether the service is up. */
  readonly isProxy: boolean;
}

/** Refusals that end a connection and say nothing of why no mail came. */
const MERE_ENDS: ReadonlySet<SmtpError> = new Set<SmtpError>([smtpErrors.idleTooLong, smtpErrors.stopping]);

/**
 * One SMTP connection, as its attempts are remembered: each mail transaction is one, and the whole is one where it came
 * to none.
 */
export class Visit implements Surroundings {
  tls: Tls = 'no';
  auth: Auth = 'no';
  lastCommand: string | null = null;
  readonly #notes: Notes;
  readonly #client: string;
  readonly #connectedAt: ReturnType<Notes['moment']>;
  #open: Attempt | null = null;
  #hadMail = false;
  #told: Told | null = null;

  constructor(notes: Notes, client: string) {
    this.#notes = notes;
    this.#client = client;
    this.#connectedAt = notes.moment();
  }

  /** MAIL came, whether it is accepted or refused: those that pipeline name the recipients all the same. */
  mail(from: string): void {
    this.end();
    const connectMs = this.#notes.moment().monotonic - this.#connectedAt.monotonic;
    this.#open = new Attempt(this.#notes, { way: 'smtp', client: this.#client, from, connectMs });
    this.#hadMail = true;
  }

  /** RCPT came, and was accepted or refused. */
  recipient(address: string, told: Told | null): void {
    this.#open?.recipient(address, told);
  }

  /** A command was refused, or the connection. */
  refused(error: SmtpError, told: Told): void {
    if (this.#open !== null) this.#open.refused(told);
    else if (this.#told === null || !MERE_ENDS.has(error)) this.#told = told;
  }

  /** DATA is accepted: from now on the message tells what becomes of the transaction, and ends it. */
  content(): Attempt {
    const attempt = this.#open ?? new Attempt(this.#notes, { way: 'smtp', client: this.#client, from: null });
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
    this.#notes.add(sessionOf(this, this.#client, this.#connectedAt, this.#told));
  }
}

/** A connection that was refused at once. */
export function refusedVisit(notes: Notes, client: string, told: Told): void {
  const around: Surroundings = { tls: 'no', auth: 'no', lastCommand: null };
  notes.add(sessionOf(around, client, notes.moment(), told));
}

function sessionOf(
  { tls, auth, lastCommand }: Surroundings,
  client: string,
  { now, monotonic }: ReturnType<Notes['moment']>,
  told: Told | null,
): Noted {
  const around = { tls, auth, lastCommand };
  const stages = { connect: null, rcpt: null, data: null, content: null, kept: null };
  const begun = { way: 'smtp' as const, client, at: now, begunAt: monotonic, from: null, recipients: [] };
  return { ...begun, ...around, stages, told, ending: endingOf(around) };
}

function endingOf({ tls, lastCommand }: Surroundings): Noted['ending'] {
  if (tls === 'failed') return 'tls-ended';
  return lastCommand === null ? 'no-command' : 'no-mail';
}

/** What an SMTP client was told, as it is remembered. */
export function toldBy(error: SmtpError, values?: Readonly<Record<string, string | number>>): Told {
  return { name: rowName(error), code: error.code, enhanced: error.enhanced, text: errorText(error, values) };
}
