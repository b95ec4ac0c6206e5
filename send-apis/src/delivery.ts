import type { SendApiRequest } from 'mayfly-client';
import {
  type Appended,
  type Ending,
  type ExtensionHost,
  errorText,
  type Log,
  rowName,
  type SmtpError,
  StoreAwayError,
  smtpErrors,
} from '../../server/dist/extension/extension.js';
import type { Noting } from './noted-mail.js';
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
}

const NOT_STORED: Readonly<Record<Extract<Appended, { stored: false }>['reason'], SmtpError>> = {
  'inbox-full': smtpErrors.inboxFull,
  'store-full': smtpErrors.storeFull,
  'disk-full': smtpErrors.diskFull,
};

type Host = Pick<ExtensionHost, 'mail' | 'clear' | 'clock'>;

/** Delivers the mails of one request, as SMTP delivers them. */
export class Delivery {
  readonly #host: Host;
  readonly #client: string;
  readonly #log: Pick<Log, 'error'>;
  readonly #noting: Noting;
  /** How rehearsals end the request. */
  readonly endings: Ending[] = [];

  constructor(host: Host, noting: Noting, log: Pick<Log, 'error'>) {
    this.#log = log;
    this.#host = host;
    this.#noting = noting;
    this.#client = noting.client;
  }

  /**
   * Keeps all of them or none: those that are stored when another one is refused are deleted again. Until then, they
   * can be read. Rejects with a `ProblemError`, or with why the store failed.
   */
  async all(items: readonly (ToDeliver | Problem)[]): Promise<readonly Outcome[]> {
    const stored: Stored[] = [];
    try {
      for (const item of items) {
        const outcome = isProblem(item) ? item : await this.#deliver(item);
        if (isProblem(outcome)) throw new ProblemError(outcome);
        stored.push(outcome);
      }
    } catch (error) {
      await this.#takeBack(stored);
      throw error;
    }
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
      return isProblem(outcome) ? outcome : outcome.mail;
    } catch (error) {
      if (before.every(isRefused)) throw error;
      if (error instanceof StoreAwayError) return AWAY;
      this.#log.error({ err: error }, 'a mail of a request could not be stored');
      return { kind: 'internal' };
    }
  }

  async #deliver({ mail, raw, sendApi }: ToDeliver): Promise<Stored | Problem> {
    const { mail: slot, clock } = this.#host;
    const recipients = mail.recipients
      .map((address) => slot.recipientOf(address))
      .filter((one) => typeof one !== 'string');
    const envelope = { client: this.#client, envelopeFrom: mail.from, recipients, receivedAt: clock.now() };
    const noted = this.#noting.of(mail);
    const taken = await slot.deliver({ ...envelope, raw, sendApi }).catch((error: unknown) => {
      noted.refused(error instanceof StoreAwayError ? AWAY : { kind: 'internal' });
      throw error;
    });
    if (taken.ending !== undefined) this.endings.push(taken.ending);
    if (!taken.stored) {
      const problem =
        taken.reason === 'rehearsed'
          ? rehearsedProblem(taken.error, mail.recipients[0] ?? '')
          : fullProblem(NOT_STORED[taken.reason]);
      noted.refused(problem);
      return problem;
    }
    noted.kept(taken.receivedAt);
    return { mail, emails: recipients.map(({ inbox }, at) => ({ inbox, receivedAt: taken.receivedAt[at] ?? 0 })) };
  }

  async #takeBack(stored: readonly Stored[]): Promise<void> {
    for (const { inbox, receivedAt } of stored.flatMap(({ emails }) => emails)) {
      await this.#host.clear(inbox, receivedAt);
    }
  }
}

function fullProblem(error: SmtpError): Problem {
  return { kind: 'full', row: rowName(error), detail: `${errorText(error)}.` };
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
