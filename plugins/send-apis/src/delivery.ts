import {
  type Ending,
  errorText,
  type Log,
  notStoredErrors,
  rowName,
  type Service,
  StoreAwayError,
} from 'mayfly-inbox/plugin';
import type { SendApiRequest } from 'mayfly-protocol';
import { type Problem, ProblemError } from './problem.js';
import { rehearsedProblem } from './rehearsed.js';
import type { ReadyMail } from './send-tasks.js';

/** What became of a mail: it is stored, or why it is not. */
export type Outcome = ReadyMail | Problem;

export interface ToDeliver {
  readonly mail: ReadyMail;
  readonly raw: Uint8Array;
  /** The request, to be kept with the mail. */
  readonly sendApi: SendApiRequest;
  /** Called once it is kept for good, with the `receivedAt` of each recipient's email. */
  noteKept(receivedAt: readonly number[]): void;
}

/** Who sends, and into which space; null outside of all. */
export interface Sender {
  readonly client: string;
  readonly space: string | null;
}

type Host = Pick<Service, 'mail' | 'clock'> & { readonly records: Pick<Service['records'], 'clear'> };

/** Delivers the mails of one request, as SMTP delivers them. */
export class Delivery {
  readonly #host: Host;
  readonly #sender: Sender;
  readonly #log: Pick<Log, 'error'>;
  /** How rehearsals end the request. */
  readonly endings: Ending[] = [];

  constructor(host: Host, sender: Sender, log: Pick<Log, 'error'>) {
    this.#log = log;
    this.#host = host;
    this.#sender = sender;
  }

  /**
   * Keeps all of them or none: those that are stored when another one is refused are deleted again. Until then, they
   * can be read. Rejects with a `ProblemError`, or with why the store failed.
   */
  async all(items: readonly (ToDeliver | Problem)[]): Promise<readonly Outcome[]> {
    const stored: (Stored & { readonly item: ToDeliver })[] = [];
    try {
      for (const item of items) {
        if (isProblem(item)) throw new ProblemError(item);
        const outcome = await this.#deliver(item);
        if (isProblem(outcome)) throw new ProblemError(outcome);
        stored.push({ ...outcome, item });
      }
    } catch (error) {
      await this.#takeBack(stored);
      throw error;
    }
    for (const { item, emails } of stored) item.noteKept(emails.map(({ receivedAt }) => receivedAt));
    return stored.map(({ mail }) => mail);
  }

  /** Each may fail alone. Rejects where the store fails at the first of them. */
  async each(items: readonly (ToDeliver | Problem)[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const item of items) outcomes.push(isProblem(item) ? item : await this.#alone(item, outcomes));
    return outcomes;
  }

  /** A request that is refused as a whole is sent again: what was stored before would come twice. */
  async #alone(item: ToDeliver, before: readonly Outcome[]): Promise<Outcome> {
    if (before.includes(AWAY)) return AWAY;
    try {
      const outcome = await this.#deliver(item);
      if (isProblem(outcome)) return outcome;
      item.noteKept(outcome.emails.map(({ receivedAt }) => receivedAt));
      return outcome.mail;
    } catch (error) {
      if (before.every(isRefused)) throw error;
      if (error instanceof StoreAwayError) return AWAY;
      this.#log.error({ err: error }, 'a mail of a request could not be stored');
      return { kind: 'internal' };
    }
  }

  async #deliver({ mail, raw, sendApi }: ToDeliver): Promise<Stored | Problem> {
    const { mail: slot, clock } = this.#host;
    const { client, space } = this.#sender;
    const recipients = mail.recipients
      .map((address) => slot.recipientOf(address, space))
      .filter((one) => typeof one !== 'string');
    const envelope = { client, envelopeFrom: mail.from, recipients, receivedAt: clock.now() };
    const taken = await slot.deliver({ ...envelope, raw, sendApi });
    if (taken.ending !== undefined) this.endings.push(taken.ending);
    if (!taken.stored) {
      if (taken.reason === 'rehearsed') return rehearsedProblem(taken.error, mail.recipients[0] ?? '');
      const error = notStoredErrors[taken.reason];
      return { kind: 'full', row: rowName(error), detail: `${errorText(error)}.` };
    }
    return { mail, emails: recipients.map(({ inbox }, at) => ({ inbox, receivedAt: taken.receivedAt[at] ?? 0 })) };
  }

  async #takeBack(stored: readonly Stored[]): Promise<void> {
    for (const { inbox, receivedAt } of stored.flatMap(({ emails }) => emails)) {
      await this.#host.records.clear(inbox, receivedAt);
    }
  }
}

const AWAY: Problem = { kind: 'unavailable', row: 'store-away' };

/** A mail that is in the store, and where. */
interface Stored {
  readonly mail: ReadyMail;
  readonly emails: readonly { readonly inbox: string; readonly receivedAt: number }[];
}

export function isRefused(outcome: Outcome): outcome is Problem {
  return 'kind' in outcome;
}

function isProblem(item: ToDeliver | Stored | Problem): item is Problem {
  return 'kind' in item;
}
