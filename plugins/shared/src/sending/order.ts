import { randomBytes } from 'node:crypto';
import { readMessageHead } from 'mayfly-mail/internal/message-head';
import type { Letter } from '../compose-letter.js';
import { jsonIn } from './fields.js';
import { type Problem, refuse } from './problem.js';

export interface TemplateUse {
  readonly id: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface Order {
  readonly letter: Letter;
  readonly template: TemplateUse | null;
  /** Deviations from the provider's behavior, one sentence each. */
  readonly notes: readonly string[];
  /** Fields that the provider's response repeats. */
  readonly echo?: Readonly<Record<string, string>>;
}

export interface RawOrder {
  readonly raw: Buffer;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly notes: readonly string[];
  readonly echo?: Order['echo'];
}

export interface OrderRequest {
  readonly body: Buffer;
  readonly contentType: string;
  readonly params: Readonly<Record<string, string>>;
}

export interface Orders {
  /** Messages or their problems, created one by one because each may be as large as the body. Throws like `read`. */
  readonly orders: Iterable<Order | RawOrder | Problem>;
  readonly body: unknown;
  /** The requested action, for a route with several actions. */
  readonly action?: string;
}

/** Creates IDs as most providers do: the UUID is the ID and, with the provider's domain, the Message-ID. */
export const idAt =
  (domain: string): Translator['idOf'] =>
  (uuid) => ({ id: uuid, messageId: `<${uuid}@${domain}>` });

export function jsonEmail(idOf: Translator['idOf'], orderOf: (fields: unknown) => Order | RawOrder): Translator {
  return {
    idOf,
    read({ body }) {
      const fields = jsonIn(body);
      return { orders: [orderOf(fields)], body: fields };
    },
  };
}

/** Parses a provider's requests. Runs in a parser thread. */
export interface Translator {
  /** Throws a `ProblemError` if the request as a whole is invalid. */
  read(request: OrderRequest): Orders | Promise<Orders>;
  /** The provider's ID of a message, and the Message-ID that contains this ID. */
  idOf(uuid: string, params: OrderRequest['params']): { readonly id: string; readonly messageId: string };
  /** True if all messages of a request share one ID, as in the provider's response. */
  readonly hasOneId?: true;
}

/** Header fields that a provider sets itself, or hides from recipients. */
const REPLACED = ['message-id', 'bcc'];

/**
 * A message that the application composed. Its sender and recipients are the given ones or, if empty, those in its
 * header. `withMessageId` adds the message's ID later.
 */
export function rawOrder(message: Buffer, from: string, recipients: readonly string[], notes: readonly string[] = []) {
  const head = readMessageHead(message);
  const sender = from || (head.from[0]?.address ?? '');
  const named = [...head.to, ...head.cc, ...head.bcc].map(({ address }) => address);
  if (message.length === 0) refuse('missing', { field: 'RawMessage.Data' });
  if (sender === '') refuse('missing', { field: 'From' });
  const all = recipients.length > 0 ? recipients : named;
  if (all.length === 0) refuse('missing', { field: 'To' });
  return { raw: message, from: sender, recipients: all, notes };
}

/** Returns the message with this Message-ID, without Bcc, and with CRLF line ends (RFC 5321 section 2.3.8). */
export function withMessageId(message: Buffer, messageId: string): Buffer {
  // Decodes one character per byte, so that no byte changes.
  const text = message.toString('latin1').replace(/\r?\n/g, '\r\n');
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end + 2);
  let isReplaced = false;
  const kept = head.split('\r\n').filter((line) => {
    if (!/^[ \t]/.test(line)) isReplaced = REPLACED.includes(line.slice(0, line.indexOf(':')).trim().toLowerCase());
    return !isReplaced;
  });
  return Buffer.from(`Message-ID: ${messageId}\r\n${kept.join('\r\n')}${text.slice(head.length)}`, 'latin1');
}

/** A UUID of version 7 (RFC 9562 section 5.7). Its time is enough to find the mail, so no list of IDs is stored. */
export function timedUuid(timeMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(timeMs, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const TIMED_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function timeOf(uuid: string): number | null {
  return TIMED_UUID.test(uuid) ? Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) : null;
}
