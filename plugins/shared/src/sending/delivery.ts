import {
  type Ending,
  errorText,
  type IncomingMail,
  type Log,
  notStoredErrors,
  rowName,
  type Service,
  type SmtpError,
  StoreAwayError,
} from 'mayfly-inbox/plugin';
import type { ReadyMail } from './order-task.js';
import { isProblem, type Problem, ProblemError, refuse } from './problem.js';

export type Outcome = ReadyMail | Problem;

export interface ToDeliver extends Pick<Required<IncomingMail>, 'raw' | 'sendApi' | 'recipients'> {
  readonly mail: ReadyMail;
  /** Called once the message is permanently stored, with the `receivedAt` of each recipient's email. */
  noteKept(receivedAt: readonly number[]): void;
}

interface DeliveryOptions extends Pick<Service, 'clock'> {
  readonly mail: Pick<Service['mail'], 'deliver'>;
  readonly records: Pick<Service['records'], 'clear'>;
  readonly log: Pick<Log, 'error'>;
  readonly client: string;
}

/** Stores the messages of a request. A problem among them counts as a message that was rejected. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly endings: Ending[] = [];

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /**
   * Stores all messages or none. If one is rejected, deletes those already stored, which are readable until then.
   * Rejects with a `ProblemError`, or with the store's error.
   */
  async all(items: readonly (ToDeliver | Problem)[]): Promise<readonly Outcome[]> {
    const stored: Stored[] = [];
    try {
      for (const item of items) stored.push(await this.#deliver(item));
    } catch (error) {
      const emails = stored.flatMap((one) => one.emails);
      for (const { inbox, receivedAt } of emails) await this.#options.records.clear(inbox, receivedAt);
      throw error;
    }
    return stored.map(noted);
  }

  /** Stores each message independently. Rejects if the store fails before any message is stored. */
  async each(items: readonly (ToDeliver | Problem)[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const item of items) outcomes.push(await this.#alone(item, outcomes));
    return outcomes;
  }

  /** Stores one message. Never rejects after an earlier one was stored, because a retry would store that one twice. */
  async #alone(item: ToDeliver | Problem, before: readonly Outcome[]): Promise<Outcome> {
    if (!isProblem(item) && before.includes(AWAY)) return AWAY;
    try {
      return noted(await this.#deliver(item));
    } catch (error) {
      if (error instanceof ProblemError) return error.problem;
      if (before.every(isProblem)) throw error;
      if (error instanceof StoreAwayError) return AWAY;
      this.#options.log.error({ err: error }, 'A message of a request could not be stored.');
      return { kind: 'internal' };
    }
  }

  async #deliver(item: ToDeliver | Problem): Promise<Stored> {
    if (isProblem(item)) throw new ProblemError(item);
    const { mail, recipients, raw, sendApi } = item;
    const { mail: slot, clock, client } = this.#options;
    const envelope = { client, envelopeFrom: mail.from, recipients, receivedAt: clock.now() };
    const taken = await slot.deliver({ ...envelope, raw, sendApi });
    if (taken.ending !== undefined) this.endings.push(taken.ending);
    if (taken.stored) {
      return { item, emails: recipients.map(({ inbox }, at) => ({ inbox, receivedAt: taken.receivedAt[at] ?? 0 })) };
    }
    if (taken.reason === 'rehearsed') throw new ProblemError(simulatedProblem(taken.error, mail.recipients[0] ?? ''));
    const error = notStoredErrors[taken.reason];
    return refuse('full', { row: rowName(error), detail: `${errorText(error)}.` });
  }
}

const AWAY: Problem = { kind: 'unavailable', row: 'store-away' };

interface Stored {
  readonly item: ToDeliver;
  readonly emails: readonly { readonly inbox: string; readonly receivedAt: number }[];
}

function noted({ item, emails }: Stored): ReadyMail {
  item.noteKept(emails.map(({ receivedAt }) => receivedAt));
  return item.mail;
}

/** Reply codes for too much mail. Other temporary codes mean that the service is unavailable. */
const TOO_MUCH: ReadonlySet<number> = new Set([421, 450]);

/** Returns a provider's error for an SMTP reply that an inbox name requests (D56). */
function simulatedProblem({ code, enhanced, text }: SmtpError, address: string): Problem {
  const detail = `${code} ${enhanced} ${text}.`;
  const told = { row: 'rehearsed', detail, hint: detail };
  if (code >= 500) return { kind: 'not-served', address, ...told };
  return { kind: TOO_MUCH.has(code) ? 'rate' : 'unavailable', ...told };
}

export function notAnInbox(error: SmtpError, address: string): Problem {
  const detail = `${address} is not the address of a Mayfly inbox.`;
  return { kind: 'not-served', row: rowName(error), address, detail, hint: `${errorText(error)}.` };
}

/** Returns the simulated rejection of the first recipient whose name requests a rejection, or null. */
export async function simulatedRefusal(mail: Service['mail'], adHoc: string | null, { recipients, from }: ReadyMail) {
  for (const address of recipients) {
    const recipient = mail.recipientOf(address, adHoc);
    const error = typeof recipient === 'string' ? null : await mail.refusalOf?.(recipient, from, 'data');
    if (error) return error.isRehearsed ? simulatedProblem(error, address) : notAnInbox(error, address);
  }
  return null;
}
