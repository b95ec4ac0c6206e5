import { type Clock, inTime } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { notStoredErrors, recipientErrors } from '../errors.js';
import type { Addressee, Delivered, IncomingMail, MailSlot, RefusedRecipient } from '../inbox/inboxes.js';
import { isSmtpError } from './check-plugin.js';
import { messageLine } from './define.js';

/** How long a plugin may take for one answer. Simulated delays do not count: an answer only contains their length. */
const ANSWER_LIMIT_MS = 30_000;

const MAX_DELAY_MS = 600_000;

/** Maximum bytes of an inbox name or address: more than SMTP accepts, but short enough for the keys of every store. */
const MAX_NAME_BYTES = 1_000;

export interface GuardedSlotOptions {
  readonly plugin: string;
  readonly next: MailSlot;
  readonly wrap: (next: MailSlot) => MailSlot;
  readonly clock: Clock;
  readonly log: Log;
}

/** Delivers mail through a plugin. If the plugin throws, is too slow or returns anything invalid, mail bypasses it. */
export function guardedSlot({ plugin, next, wrap, clock, log }: GuardedSlotOptions): Required<MailSlot> {
  const deliveries = new WeakMap<IncomingMail['raw'], Promise<Delivered>>();
  /** Mail that bypassed the plugin after a failure. If the plugin delivers it later, it must not be stored twice. */
  const past = new WeakSet<IncomingMail['raw']>();
  const begun = (raw: IncomingMail['raw'], delivery: Promise<Delivered>) => {
    deliveries.set(raw, delivery);
    return delivery;
  };
  const slot = wrap({
    recipientOf: (address, adHoc) => next.recipientOf(address, adHoc),
    refusalOf: async (recipient, from, until) => next.refusalOf?.(recipient, from, until) ?? null,
    deliver: (mail) => begun(mail.raw, (past.has(mail.raw) && deliveries.get(mail.raw)) || next.deliver(mail)),
  }) as MailSlot | undefined;
  if (typeof slot?.recipientOf !== 'function' || typeof slot.deliver !== 'function') {
    throw new Error('the function passed to "receive" must return an object with recipientOf and deliver');
  }
  const failed = (error: unknown) =>
    log.error({ err: error }, `The plugin ${plugin} failed, so mail was delivered without it: ${messageLine(error)}.`);

  return {
    recipientOf(address, adHoc = null) {
      try {
        const found: unknown = slot.recipientOf(address, adHoc);
        if (isRecipient(found)) return found;
        throw new Error('recipientOf returned neither a recipient nor a reason for a refusal');
      } catch (error) {
        failed(error);
        return next.recipientOf(address, adHoc);
      }
    },
    async refusalOf(recipient, from, until) {
      try {
        const copy = Object.freeze({ ...recipient });
        const refusal = (await inTime(clock, ANSWER_LIMIT_MS, async () => slot.refusalOf?.(copy, from, until))) ?? null;
        if (refusal === null || isSmtpError(refusal)) return refusal;
        throw new Error('refusalOf returned a value that is not an SMTP error');
      } catch (error) {
        failed(error);
        return next.refusalOf?.(recipient, from, until) ?? null;
      }
    },
    async deliver(mail) {
      try {
        const delivered: unknown = await inTime(clock, ANSWER_LIMIT_MS, async () => slot.deliver(frozen(mail)));
        if (isDelivered(delivered, mail)) return delivered;
        throw new Error('deliver returned a value that is not a result of delivery');
      } catch (error) {
        const stored = begun(mail.raw, deliveries.get(mail.raw) ?? next.deliver(mail));
        past.add(mail.raw);
        // If the plugin only passed on the store's error, the plugin has not failed.
        if ((await stored.catch((own) => own)) !== error) failed(error);
        return stored;
      }
    },
  };
}

/** Copies everything but the bytes: if the plugin fails, Mayfly delivers the original, which must be unchanged. */
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
