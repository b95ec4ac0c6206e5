import { type Clock, inTime } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { notStoredErrors, recipientErrors, type SmtpError } from '../errors.js';
import type { Addressee, Delivered, IncomingMail, MailSlot, RefusedRecipient } from '../inbox/inboxes.js';
import { isSmtpError } from './check-plugin.js';
import { messageLine } from './define.js';

/** How long a plugin may take for one answer. A simulated delay does not count: it is part of the answer. */
const ANSWER_LIMIT_MS = 30_000;

/** The longest delay that a plugin may ask for. */
const MAX_DELAY_MS = 600_000;

/** Of an inbox, and of an address: beyond any that SMTP takes, and within the keys of every store. */
const MAX_NAME_BYTES = 1_000;

export interface GuardedSlotOptions {
  readonly plugin: string;
  /** The way in that stores mail. */
  readonly next: MailSlot;
  readonly wrap: (next: MailSlot) => MailSlot;
  readonly clock: Clock;
  readonly log: Log;
}

/** A plugin's way in for mail. If it throws, is too slow or returns anything invalid, mail goes past it. */
export class GuardedSlot implements MailSlot {
  readonly #options: GuardedSlotOptions;
  readonly #slot: MailSlot;
  readonly #delivered = new WeakMap<IncomingMail['raw'], Promise<Delivered>>();
  /** Mail that went past the plugin. A plugin that delivers it later must not store it twice. */
  readonly #past = new WeakSet<IncomingMail['raw']>();

  constructor(options: GuardedSlotOptions) {
    this.#options = options;
    const { next } = options;
    const deliver = (mail: IncomingMail) => {
      const earlier = this.#past.has(mail.raw) ? this.#delivered.get(mail.raw) : undefined;
      const delivered = earlier ?? next.deliver(mail);
      this.#delivered.set(mail.raw, delivered);
      return delivered;
    };
    const slot: Partial<MailSlot> | undefined = options.wrap({
      recipientOf: (address, space) => next.recipientOf(address, space),
      refusalOf: async (recipient, from, until) => next.refusalOf?.(recipient, from, until) ?? null,
      deliver,
    });
    if (typeof slot?.recipientOf !== 'function' || typeof slot.deliver !== 'function') {
      throw new Error('the function that "receive" got must return an object with recipientOf and deliver');
    }
    this.#slot = slot as MailSlot;
  }

  recipientOf(address: string, space: string | null = null): Addressee | RefusedRecipient {
    try {
      const found: unknown = this.#slot.recipientOf(address, space);
      if (isRecipient(found)) return found;
      throw new Error('recipientOf returned neither a recipient nor a reason');
    } catch (error) {
      this.#failed(error);
      return this.#options.next.recipientOf(address, space);
    }
  }

  async refusalOf(recipient: Addressee, from: string, until?: 'rcpt' | 'data'): Promise<SmtpError | null> {
    try {
      const copy = Object.freeze({ ...recipient });
      const refusal = (await this.#inTime(async () => this.#slot.refusalOf?.(copy, from, until))) ?? null;
      if (refusal === null || isSmtpError(refusal)) return refusal;
      throw new Error('refusalOf returned something else than an error of SMTP');
    } catch (error) {
      this.#failed(error);
      return this.#options.next.refusalOf?.(recipient, from, until) ?? null;
    }
  }

  async deliver(mail: IncomingMail): Promise<Delivered> {
    try {
      const delivered: unknown = await this.#inTime(async () => this.#slot.deliver(frozen(mail)));
      if (isDelivered(delivered, mail)) return delivered;
      throw new Error('deliver returned something else than what became of the mail');
    } catch (error) {
      const stored = this.#delivered.get(mail.raw) ?? this.#options.next.deliver(mail);
      this.#delivered.set(mail.raw, stored);
      this.#past.add(mail.raw);
      // The store's own failure is not the plugin's.
      if ((await stored.catch((own) => own)) !== error) this.#failed(error);
      return stored;
    }
  }

  #inTime<T>(answer: () => Promise<T>): Promise<T> {
    return inTime(this.#options.clock, ANSWER_LIMIT_MS, answer);
  }

  #failed(error: unknown): void {
    const { log, plugin } = this.#options;
    log.error({ err: error }, `The plugin ${plugin} failed, and mail went past it: ${messageLine(error)}.`);
  }
}

/** A copy but for the bytes: a plugin that fails has changed nothing for the way past it. */
function frozen(mail: IncomingMail): IncomingMail {
  const recipients = mail.recipients.map((recipient) => Object.freeze({ ...recipient }));
  return Object.freeze({ ...mail, recipients: Object.freeze(recipients) });
}

function isRecipient(found: unknown): found is Addressee | RefusedRecipient {
  if (typeof found === 'string') return Object.hasOwn(recipientErrors, found);
  const { inbox, to } = (found ?? {}) as Partial<Addressee>;
  return isName(inbox) && isName(to);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= MAX_NAME_BYTES;
}

function isDelivered(delivered: unknown, { recipients }: IncomingMail): delivered is Delivered {
  const { stored, receivedAt, reason, error, ending } = (delivered ?? {}) as Readonly<Record<string, unknown>>;
  if (ending !== undefined && !isEnding(ending as Readonly<Record<string, unknown>>)) return false;
  if (stored === true) {
    return Array.isArray(receivedAt) && receivedAt.length === recipients.length && receivedAt.every(Number.isFinite);
  }
  if (reason === 'rehearsed') return isSmtpError(error);
  return stored === false && Object.hasOwn(notStoredErrors, String(reason));
}

function isEnding({ delayMs, isLost }: Record<string, unknown>): boolean {
  return typeof isLost === 'boolean' && Number(delayMs) >= 0 && Number(delayMs) <= MAX_DELAY_MS;
}
