import { addressesIn, BadLetterError, composeLetter, type Letter } from '../compose-letter.js';
import { keptBody } from './kept-body.js';
import { recipientsOfRequest } from './named-recipients.js';
import { type Order, type Orders, type RawOrder, type Translator, timedUuid, withMessageId } from './order.js';
import { isProblem, MOST_BYTES, type Problem, ProblemError, refuse, refuseTooMuch } from './problem.js';

export interface OrderDetails extends Omit<Parameters<Translator['read']>[0], 'body'> {
  readonly translator: string;
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

export interface OrderTaskOptions {
  readonly translators: Readonly<Record<string, Translator>>;
  /** Fills in an order's template from the folder `templates`. */
  letterOf?(order: Order, templates: string | null): Promise<Letter>;
}

/** The tasks that a `Desk` runs in parser threads. */
export function orderTasks({ translators, letterOf = async ({ letter }) => letter }: OrderTaskOptions) {
  return {
    async order(bytes: Uint8Array, details: OrderDetails): Promise<[composed: Uint8Array, ...raws: Uint8Array[]]> {
      const { contentType, params } = details;
      const body = bufferOf(bytes);
      const translator = translators[details.translator] as Translator;
      try {
        const asked: Orders = await translator.read({ body, contentType, params });
        const { mails, raws } = await composedMails(asked.orders, details, translator, letterOf);
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
  };
}

type LetterOf = Required<OrderTaskOptions>['letterOf'];

function jsonOf(composed: Composed): Uint8Array {
  return Buffer.from(JSON.stringify(composed));
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

async function composedMails(
  orders: Orders['orders'],
  details: OrderDetails,
  { idOf, hasOneId }: Translator,
  letterOf: LetterOf,
) {
  const mails: (ReadyMail | Problem)[] = [];
  const raws: Uint8Array[] = [];
  const one = timedUuid(details.date);
  let left = MOST_BYTES;
  for (const order of orders) {
    if (mails.length === MOST_MAILS) refuse('too-many-mails', { detail: String(MOST_MAILS) });
    const uuid = hasOneId ? one : timedUuid(details.date);
    const ids = idOf(uuid, details.params);
    const made: (ReadyMail | Problem) & { readonly raw?: Uint8Array } = isProblem(order)
      ? order
      : await composed(order, details, ids, letterOf).catch((error) => refusedOrder(order, error));
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
  letterOf: LetterOf,
): Promise<ReadyMail & { raw: Uint8Array }> {
  if ('raw' in order) {
    const recipients = onceEach(order.recipients, maxRecipients);
    return { id, ...order, recipients, raw: withMessageId(order.raw, messageId) };
  }
  const recipients = onceEach(addressesIn(order.letter), maxRecipients);
  const letter = await letterOf(order, templates);
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
