import { createHash } from 'node:crypto';
import { bytesOf, emailCost, messageCost } from '../../src/store/admission.js';
import { openStore } from '../../src/store/open-store.js';
import type { Delivery, Store, StoredEmail, StoreLimits } from '../../src/store/store.js';

/** The current time in tests, in milliseconds since the epoch. */
export const NOON = Date.UTC(2030, 0, 1, 12);

/** Limits that no test reaches unless it sets its own. */
export const ROOMY: StoreLimits = { retentionMs: 60_000, maxEmails: 10_000, budgetBytes: 1e9 };

/** Opens a store as `openStore` does, but resolves to only the store. */
export async function storeAt(...args: Parameters<typeof openStore>): Promise<Store> {
  return (await openStore(...args)).store;
}

let partOf: (inbox: string) => unknown = () => null;

/** Sets the function that maps an inbox to the part of the tested store that holds it. */
export function keptInParts(of: (inbox: string) => unknown): void {
  partOf = of;
}

/** Whether all of these inboxes are in one part of the store. */
export function shareAPart(...inboxes: string[]): boolean {
  return new Set(inboxes.map(partOf)).size === 1;
}

/** Returns another inbox in the same part of the store. */
export function neighbourOf(inbox: string): string {
  for (let n = 0; ; n++) if (shareAPart(inbox, `neighbour${n}`)) return `neighbour${n}`;
}

/** Returns a delivery to inboxes of inbox.example.com. Omitted parts are small and constant. */
export function delivery(inboxes: string | string[], receivedAt: number, bytes: Partial<Delivery> = {}): Delivery {
  const recipients = [inboxes].flat().map((inbox) => ({ inbox, to: `${inbox}@inbox.example.com` }));
  const [index, summary, content] = [Buffer.from('index'), Buffer.from('summary'), [Buffer.from('content')]];
  return { receivedAt, recipients, index, summary, content, ...bytes };
}

/** Returns a delivery whose content is this text. */
export function letter(inboxes: string | string[], receivedAt: number, text: string): Delivery {
  return delivery(inboxes, receivedAt, { content: [Buffer.from(text)] });
}

/** Reads the content of a listed email, in the chunks that the store returns. */
export async function* piecesOf(store: Store, email: StoredEmail): AsyncGenerator<Uint8Array> {
  const { first, rest } = await store.content(email);
  yield first;
  if (rest !== null) yield* rest;
}

/** Reads the content of a listed email. */
export async function contentOf(store: Store, email: StoredEmail): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOf(store, email)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Scans an inbox, and resolves to the index bytes of a listed email; null if the scan does not return the email. */
export async function indexOf(
  store: Store,
  inbox: string,
  { receivedAt }: StoredEmail,
  now: number,
): Promise<Uint8Array | null> {
  const query = { after: receivedAt - 1, before: receivedAt + 1, maxBytes: 0 };
  return (await store.scan(inbox, query, now))[0]?.index ?? null;
}

/** Reads the summary of a listed email; null if the email is deleted. */
export async function summaryOf(store: Store, email: StoredEmail): Promise<string | null> {
  const [summary] = await store.summaries([email]);
  return summary ? Buffer.from(summary).toString() : null;
}

/** Returns how many bytes of a store's quota a delivery uses. */
export function costOf({ index, summary, content, recipients }: Delivery): number {
  const sizes = { indexBytes: index.length, summaryBytes: summary.length, contentBytes: bytesOf(content) };
  const parts = new Set(recipients.map(({ inbox }) => partOf(inbox))).size;
  return recipients.reduce((sum, one) => sum + emailCost(one), parts * messageCost(sizes));
}

/** Reads the contents of an inbox as texts, newest first. */
export async function textsOf(store: Store, inbox: string, now: number): Promise<string[]> {
  const texts: string[] = [];
  for (const email of await store.list(inbox, {}, now)) texts.push((await contentOf(store, email)).toString());
  return texts;
}

/** More steps than any test needs. */
const MAX_STEPS = 10_000;

/** Purges until nothing is left to do; resolves to the number of steps. */
export async function purgeAll(store: Store, now: number): Promise<number> {
  for (let steps = 1; steps <= MAX_STEPS; steps += 1) if (!(await store.purge(now))) return steps;
  throw new Error('Purging comes to no end.');
}

/** Bytes that look random and repeat only after 16 KiB. */
const NOISE = Buffer.concat(Array.from({ length: 512 }, (_, i) => createHash('sha256').update(`${i}`).digest()));

/** Returns this many bytes of reproducible noise. */
export function noise(length: number): Buffer {
  return Buffer.alloc(length, NOISE);
}
