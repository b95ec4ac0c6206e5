import {
  type Ending,
  errorText,
  type Log,
  notStoredErrors,
  rowName,
  type Service,
  type SmtpError,
  StoreAwayError,
} from 'mayfly-inbox/plugin';
import type { SendApiRequest } from 'mayfly-protocol';
import { isProblem, type Problem, ProblemError } from './problem.js';
import type { ReadyMail } from './send-tasks.js';

export type Outcome = ReadyMail | Problem;

export interface ToDeliver {
  readonly mail: ReadyMail;
  readonly raw: Uint8Array;
  readonly sendApi: SendApiRequest;
  /** Called once the message is permanently stored, with the `receivedAt` of each recipient's email. */
  noteKept(receivedAt: readonly number[]): void;
}

type Sender = { readonly client: string; readonly adHoc: string | null };

type Host = Pick<Service, 'mail' | 'clock'> & { readonly records: Pick<Service['records'], 'clear'> };

export class Delivery {
  readonly #host: Host;
  readonly #sender: Sender;
  readonly #log: Pick<Log, 'error'>;
  readonly endings: Ending[] = [];

  constructor(host: Host, sender: Sender, log: Pick<Log, 'error'>) {
    this.#log = log;
    this.#host = host;
    this.#sender = sender;
  }

  /**
   * Stores all messages or none. If one is rejected, deletes those already stored, which are readable until then.
   * Rejects with a `ProblemError`, or with the store's error.
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
      const emails = stored.flatMap((one) => one.emails);
      for (const { inbox, receivedAt } of emails) await this.#host.records.clear(inbox, receivedAt);
      throw error;
    }
    return stored.map(noted);
  }

  /** Stores each message independently. Rejects if the store fails before any message is stored. */
  async each(items: readonly (ToDeliver | Problem)[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const item of items) outcomes.push(isProblem(item) ? item : await this.#alone(item, outcomes));
    return outcomes;
  }

  /** Stores one message. Never rejects after an earlier one was stored, because a retry would store that one twice. */
  async #alone(item: ToDeliver, before: readonly Outcome[]): Promise<Outcome> {
    if (before.includes(AWAY)) return AWAY;
    try {
      const outcome = await this.#deliver(item);
      return isProblem(outcome) ? outcome : noted(outcome);
    } catch (error) {
      if (before.every(isProblem)) throw error;
      if (error instanceof StoreAwayError) return AWAY;
      this.#log.error({ err: error }, 'A message of a request could not be stored.');
      return { kind: 'internal' };
    }
  }

  async #deliver(item: ToDeliver): Promise<Stored | Problem> {
    const { mail, raw, sendApi } = item;
    const { mail: slot, clock } = this.#host;
    const { client, adHoc } = this.#sender;
    const recipients = mail.recipients
      .map((address) => slot.recipientOf(address, adHoc))
      .filter((one) => typeof one !== 'string');
    const envelope = { client, envelopeFrom: mail.from, recipients, receivedAt: clock.now() };
    const taken = await slot.deliver({ ...envelope, raw, sendApi });
    if (taken.ending !== undefined) this.endings.push(taken.ending);
    if (taken.stored) {
      return { item, emails: recipients.map(({ inbox }, at) => ({ inbox, receivedAt: taken.receivedAt[at] ?? 0 })) };
    }
    if (taken.reason === 'rehearsed') return simulatedProblem(taken.error, mail.recipients[0] ?? '');
    const error = notStoredErrors[taken.reason];
    return { kind: 'full', row: rowName(error), detail: `${errorText(error)}.` };
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
