import { randomBytes } from 'node:crypto';
import type { Letter } from 'mayfly-plugins-shared/compose-letter';
import { jsonIn } from './fields.js';
import type { Problem } from './problem.js';

export interface TemplateUse {
  readonly id: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface Order {
  readonly letter: Omit<Letter, 'messageId'>;
  readonly template: TemplateUse | null;
  /** Deviations from the provider's behavior, one sentence each. */
  readonly notes: readonly string[];
  /** Fields that the provider's response repeats. */
  readonly echo?: Echo;
}

export type Echo = Readonly<Record<string, string>>;

export interface RawOrder {
  readonly raw: Buffer;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly echo?: Echo;
  readonly notes: readonly string[];
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

export function isRaw(order: Order | RawOrder): order is RawOrder {
  return 'raw' in order;
}

/**
 * A UUID of version 7 (RFC 9562 section 5.7). Its time is enough to find the mail, so no list of IDs is stored. `time`
 * is in milliseconds since the epoch.
 */
export function timedUuid(time: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(time, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const TIMED_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function timeOf(uuid: string): number | null {
  return TIMED_UUID.test(uuid) ? Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) : null;
}
