import { BadLetterError, composeLetter } from '../../server/dist/extension/mail.js';
import { keptBody } from './kept-body.js';
import { isProblem, isRaw, type Order, type Orders, type RawOrder } from './order.js';
import { type Problem, ProblemError } from './problem.js';
import { withTemplate } from './templates.js';
import { timedUuid } from './timed-id.js';
import { TRANSLATORS, type TranslatorName } from './translators.js';

/** What a reading thread needs to know beside the body. */
export interface OrderDetails {
  readonly translator: TranslatorName;
  readonly contentType: string;
  readonly params: Readonly<Record<string, string>>;
  /** In milliseconds since the epoch. */
  readonly date: number;
  readonly maxRecipients: number;
  readonly templates: string | null;
}

/** A mail that is ready to be delivered, but for its bytes. */
export interface ReadyMail {
  readonly id: string;
  readonly messageId: string;
  readonly from: string;
  /** Each address once. */
  readonly recipients: readonly string[];
  readonly notes: readonly string[];
}

/** What a request asks for; the bytes of its mails follow in order, empty for a problem. */
export interface Composed {
  readonly mails: readonly (ReadyMail | Problem)[];
  readonly body: unknown;
}

/** What is done in the reading threads, by name (`server/extensions.js`). */
export const TASKS = {
  /** Reads a request to send and composes its mails. */
  async order(bytes: Uint8Array, details: OrderDetails): Promise<[composed: Uint8Array, ...raws: Uint8Array[]]> {
    const { mails, body, raws } = await ordered(bytes, details);
    return [Buffer.from(JSON.stringify({ mails, body })), ...raws];
  },
} as const;

interface Made extends Composed {
  readonly raws: readonly Uint8Array[];
}

const EMPTY = new Uint8Array();

async function ordered(bytes: Uint8Array, details: OrderDetails): Promise<Made> {
  const translator = TRANSLATORS[details.translator];
  const { contentType, params } = details;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let orders: Orders;
  try {
    orders = await translator.read({ body, contentType, params });
  } catch (error) {
    return { mails: [problemOf(error)], body: null, raws: [EMPTY] };
  }
  const mails: (ReadyMail | Problem)[] = [];
  const raws: Uint8Array[] = [];
  for (const order of orders.orders) {
    const made = isProblem(order) ? order : await composed(order, details).catch(problemOf);
    if ('raw' in made) {
      const { raw, ...mail } = made;
      mails.push(mail);
      raws.push(raw);
    } else {
      mails.push(made);
      raws.push(EMPTY);
    }
  }
  return { mails, body: keptBody(orders.body), raws };
}

async function composed(order: Order | RawOrder, details: OrderDetails): Promise<ReadyMail & { raw: Uint8Array }> {
  const { date, maxRecipients, params } = details;
  const { id, messageId } = TRANSLATORS[details.translator].idOf(timedUuid(date), params);
  if (isRaw(order)) return { id, messageId, ...order, recipients: onceEach(order.recipients, maxRecipients) };
  const { to, cc, bcc, from } = order.letter;
  const people = [...to, ...cc, ...bcc].map(({ address }) => address);
  const recipients = onceEach(people, maxRecipients);
  const letter = await withTemplate(order, details.templates);
  const { raw } = await composeLetter({ ...letter, messageId }, { date, maxRecipients: people.length });
  return { id, messageId, from: from.address, recipients, notes: order.notes, raw };
}

/** Throws where they are too many. */
function onceEach(addresses: readonly string[], most: number): readonly string[] {
  const distinct = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  if (addresses.length > most) throw new ProblemError({ kind: 'too-many-recipients', detail: String(most) });
  return [...distinct.values()];
}

function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof BadLetterError) return { kind: 'invalid', detail: error.message };
  throw error;
}
