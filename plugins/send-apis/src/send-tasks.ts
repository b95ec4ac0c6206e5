import { addressesIn, BadLetterError, composeLetter } from 'mayfly-plugins-shared/compose-letter';
import { keptBody } from './kept-body.js';
import { mailgunMessage, mailgunMime } from './mailgun/read-mailgun.js';
import { recipientsOfRequest } from './named-recipients.js';
import { type Order, type Orders, type RawOrder, type Translator, timedUuid, withMessageId } from './order.js';
import { postmarkBatch, postmarkEmail } from './postmark/read-postmark.js';
import { isProblem, MOST_BYTES, type Problem, ProblemError, refuse, refuseTooMuch } from './problem.js';
import { resendBatch, resendEmail } from './resend/read-resend.js';
import { sendgridMail } from './sendgrid/read-sendgrid.js';
import { sesV1 } from './ses/read-ses-v1.js';
import { sesBulk, sesEmail } from './ses/read-ses-v2.js';
import { withTemplate } from './templates.js';

const TRANSLATORS = {
  'postmark email': postmarkEmail,
  'postmark batch': postmarkBatch,
  'mailgun messages': mailgunMessage,
  'mailgun messages.mime': mailgunMime,
  'ses email': sesEmail,
  'ses bulk': sesBulk,
  'ses v1': sesV1,
  'sendgrid mail': sendgridMail,
  'resend email': resendEmail,
  'resend batch': resendBatch,
} as const satisfies Record<string, Translator>;

export interface OrderDetails extends Omit<Parameters<Translator['read']>[0], 'body'> {
  readonly translator: keyof typeof TRANSLATORS;
  readonly date: number;
  readonly maxRecipients: number;
  readonly templates: string | null;
}

/** A message ready for delivery, without its bytes. */
export interface ReadyMail extends Pick<RawOrder, 'from' | 'recipients' | 'notes'> {
  readonly id: string;
  readonly echo?: Order['echo'];
}

/** A composed request. The task also returns the bytes of each message, in the order of `mails`; none for a problem. */
export interface Composed {
  readonly mails: readonly (ReadyMail | Problem)[];
  /** Why the whole request is invalid; otherwise null. */
  readonly refused: Problem | null;
  readonly body: unknown;
  readonly action: string;
}

const EMPTY = new Uint8Array();

/** Maximum number of messages of one request, as in SendGrid. */
const MOST_MAILS = 1_000;

export const TASKS = {
  async order(bytes: Uint8Array, details: OrderDetails): Promise<[composed: Uint8Array, ...raws: Uint8Array[]]> {
    const { contentType, params } = details;
    const body = bufferOf(bytes);
    try {
      const asked: Orders = await TRANSLATORS[details.translator].read({ body, contentType, params });
      const { mails, raws } = await composedMails(asked.orders, details);
      return [jsonOf({ mails, refused: null, body: keptBody(asked.body), action: asked.action ?? '' }), ...raws];
    } catch (error) {
      const problem = problemOf(error);
      const refused = { recipients: await recipientsOfRequest(body, contentType), ...problem };
      return [jsonOf({ mails: [], refused, body: null, action: '' })];
    }
  },

  /** Returns the source of a message as a JSON text. */
  source(bytes: Uint8Array): [source: Uint8Array] {
    return [Buffer.from(JSON.stringify(bufferOf(bytes).toString()))];
  },
} as const;

function jsonOf(composed: Composed): Uint8Array {
  return Buffer.from(JSON.stringify(composed));
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

async function composedMails(orders: Orders['orders'], details: OrderDetails) {
  const mails: (ReadyMail | Problem)[] = [];
  const raws: Uint8Array[] = [];
  const { idOf, hasOneId }: Translator = TRANSLATORS[details.translator];
  const one = timedUuid(details.date);
  let left = MOST_BYTES;
  for (const order of orders) {
    if (mails.length === MOST_MAILS) refuse('too-many-mails', { detail: String(MOST_MAILS) });
    const uuid = hasOneId ? one : timedUuid(details.date);
    const ids = idOf(uuid, details.params);
    const made: (ReadyMail | Problem) & { readonly raw?: Uint8Array } = isProblem(order)
      ? order
      : await composed(order, details, ids).catch((error) => refusedOrder(order, error));
    const { raw = EMPTY, ...mail } = made;
    left -= raw.length;
    if (left < 0) refuseTooMuch();
    mails.push(mail);
    raws.push(raw);
  }
  return { mails, raws };
}

function refusedOrder(order: Order | RawOrder, error: unknown): Problem {
  return { recipients: 'raw' in order ? order.recipients : addressesIn(order.letter), ...problemOf(error) };
}

async function composed(
  order: Order | RawOrder,
  { date, maxRecipients, templates }: OrderDetails,
  { id, messageId }: ReturnType<Translator['idOf']>,
): Promise<ReadyMail & { raw: Uint8Array }> {
  if ('raw' in order) {
    const recipients = onceEach(order.recipients, maxRecipients);
    return { id, ...order, recipients, raw: withMessageId(order.raw, messageId) };
  }
  const recipients = onceEach(addressesIn(order.letter), maxRecipients);
  const letter = await withTemplate(order, templates);
  const { raw } = await composeLetter(letter, date, messageId);
  return { id, from: letter.from.address, recipients, notes: order.notes, echo: order.echo, raw };
}

function onceEach(addresses: readonly string[], most: number): readonly string[] {
  const distinct = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  if (addresses.length > most) throw new ProblemError({ kind: 'too-many-recipients', detail: String(most) });
  return [...distinct.values()];
}

function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof BadLetterError)
    return { kind: 'invalid', detail: `The mail cannot be composed: ${error.message}.` };
  throw error;
}
