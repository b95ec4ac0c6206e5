import type { SendApiRequest } from 'mayfly-client';
import {
  type Appended,
  type Ending,
  type ExtensionHost,
  errorText,
  rowName,
  type SmtpError,
  StoreAwayError,
  smtpErrors,
} from '../../server/dist/extension/extension.js';
import { type Problem, ProblemError } from './problem.js';
import { rehearsedProblem, rehearsedRefusal } from './rehearsed.js';
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

/** Delivers the mails of one request, as SMTP delivers them. */
export class Delivery {
  readonly #host: Pick<ExtensionHost, 'mail' | 'clear' | 'clock'>;
  readonly #client: string;
  readonly #end: (ending: Ending | undefined) => Promise<void>;

  /** `end` ends the request as a rehearsal asks for. */
  constructor(
    host: Pick<ExtensionHost, 'mail' | 'clear' | 'clock'>,
    client: string,
    end: (ending: Ending | undefined) => Promise<void>,
  ) {
    this.#host = host;
    this.#client = client;
    this.#end = end;
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
    let isAnyStored = false;
    let isAway = false;
    for (const item of items) {
      if (isProblem(item)) outcomes.push(item);
      else if (isAway) outcomes.push(AWAY);
      else {
        try {
          const outcome = await this.#deliver(item);
          outcomes.push(isProblem(outcome) ? outcome : outcome.mail);
          isAnyStored ||= !isProblem(outcome);
        } catch (error) {
          // A request that is refused as a whole is sent again, and its first mails would come twice.
          if (!isAnyStored || !(error instanceof StoreAwayError)) throw error;
          isAway = true;
          outcomes.push(AWAY);
        }
      }
    }
    return outcomes;
  }

  async #deliver({ mail, raw, sendApi }: ToDeliver): Promise<Stored | Problem> {
    const { mail: slot, clock } = this.#host;
    const refused = await rehearsedRefusal(slot, mail.recipients, mail.from);
    if (refused !== null) return refused;
    const recipients = mail.recipients
      .map((address) => slot.recipientOf(address))
      .filter((one) => typeof one !== 'string');
    const envelope = { client: this.#client, envelopeFrom: mail.from, recipients, receivedAt: clock.now() };
    const taken = await slot.deliver({ ...envelope, raw, sendApi });
    await this.#end(taken.ending);
    if (!taken.stored) {
      if (taken.reason === 'rehearsed') return rehearsedProblem(taken.error, mail.recipients[0] ?? '');
      const error = NOT_STORED[taken.reason];
      return { kind: 'full', row: rowName(error), detail: `${errorText(error)}.` };
    }
    return { mail, emails: recipients.map(({ inbox }, at) => ({ inbox, receivedAt: taken.receivedAt[at] ?? 0 })) };
  }

  async #takeBack(stored: readonly Stored[]): Promise<void> {
    for (const { inbox, receivedAt } of stored.flatMap(({ emails }) => emails)) {
      await this.#host.clear(inbox, receivedAt);
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
