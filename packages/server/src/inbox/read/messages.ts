import { piecesWithoutBareCr } from 'mayfly-mail/internal/mime/line-ends';
import type { LocatedPart, locatePart } from 'mayfly-mail/internal/mime/part-list';
import { decodedPortions } from 'mayfly-mail/internal/mime/portions';
import type { HeldBytes } from '../../limits/client-memory.js';
import { inTurns, type Turns } from '../../limits/event-loop.js';
import type { QuotaBounds } from '../../limits/quota.js';
import { type Applicant, FairSemaphore } from '../../limits/semaphore.js';
import type { StoredEmail } from '../../store/store.js';
import { type ParserPool, ThreadsClosedError } from '../threads/parser-pool.js';
import type { Work } from '../threads/tasks.js';
import { type Message, messageBytes, nullIfGone, type Pieces, sentMessage } from './read.js';
import { emailAt, type Shelf } from './selecting.js';

/** `signal` is aborted when the client has its answer or has left. */
export interface Reader extends Applicant {
  /** Ends the connection of a client that reads too slowly. */
  cut(): void;
  /** Sets the bytes held for the answer until the signal aborts. */
  hold(bytes: number): void;
}

/** Maximum messages parsed again at a time. Each result is in memory. No client can take all places (D22). */
const INSPECTIONS: QuotaBounds = { total: 4, perClient: 2 };

export class InspectorBusyError extends Error {
  override name = 'InspectorBusyError';
  constructor() {
    super('Too many messages are being parsed.');
  }
}

interface MessagesOptions extends Shelf {
  readonly threads: ParserPool;
  readonly held: HeldBytes;
}

export type Messages = ReturnType<typeof messagesOf>;

/** The messages of stored emails: byte for byte, or parsed again. Methods return null for a missing email. */
export function messagesOf({ threads, held, ...shelf }: MessagesOptions) {
  const { store, clock, turns } = shelf;
  const inspections = new FairSemaphore({
    ...{ clock, held, bounds: INSPECTIONS },
    busy: () => new InspectorBusyError(),
    closed: () => new ThreadsClosedError(),
  });

  /** Runs in the parser threads, which also parse incoming mail. The client that has used the least time goes first. */
  async function parsed(email: StoredEmail, work: Work, { client, signal }: Reader): Promise<Uint8Array> {
    const { sending, pieces } = await sentMessage(store, email);
    const copies: Uint8Array[] = [];
    for await (const piece of inTurns(pieces, turns)) {
      signal.throwIfAborted();
      copies.push(new Uint8Array(piece));
    }
    const toParse = { client, pieces: copies, isOwned: true, signal };
    const isOfPlugin = typeof work === 'object' && 'plugin' in work;
    const [found] = isOfPlugin
      ? await threads.run('plugin', work, toParse)
      : await threads.run('inspect', { inspection: work, sending }, toParse);
    return found;
  }

  /** Parses a message again. Resolves to the bytes of the result. Rejects as `FairSemaphore.acquire` does. */
  async function inspect(inbox: string, receivedAt: number, work: Work, by: Reader): Promise<Uint8Array | null> {
    // A missing email needs no turn.
    if ((await emailAt(shelf, inbox, receivedAt)) === null) return null;
    const release = await inspections.acquire(by);
    try {
      // The email may have expired or been deleted while waiting.
      const email = await emailAt(shelf, inbox, receivedAt);
      const found = email && (await parsed(email, work, by));
      if (found !== null) by.hold(found.length);
      return found;
    } catch (error) {
      return nullIfGone(error);
    } finally {
      release();
    }
  }

  /** A decoded part; `'multipart'` if it only holds other parts, null if the email is gone. Rejects like `inspect`. */
  async function part(inbox: string, receivedAt: number, path: string, by: Reader) {
    const found = await inspect(inbox, receivedAt, { part: path }, by);
    if (found === null) return null;
    const located: ReturnType<typeof locatePart> = JSON.parse(Buffer.from(found).toString());
    if (located === null || located === 'multipart') return located ?? 'no part';
    const email = await emailAt(shelf, inbox, receivedAt);
    const sent = email && (await sentMessage(store, email).catch(nullIfGone));
    return sent && openPart(located, sent.pieces, turns);
  }

  async function whole(inbox: string, receivedAt: number): Promise<Message | null> {
    const email = await emailAt(shelf, inbox, receivedAt);
    const message = email && (await messageBytes(store, email));
    return message === null || message instanceof Uint8Array ? message : inTurns(message, turns);
  }

  return { whole, inspect, part, close: () => inspections.close() };
}

export interface OpenedPart extends Pick<LocatedPart, 'type' | 'charset' | 'filename' | 'size'> {
  readonly content: Pieces;
}

/** Opens a located part. Lets other work run between the pieces. */
export function openPart({ type, charset, filename, size, ...place }: LocatedPart, pieces: Pieces, turns: Turns) {
  const encoded = range(inTurns(pieces, turns), place);
  const content = decodedPortions(place.bareCr ? piecesWithoutBareCr(encoded) : encoded, place.transferEncoding);
  return { type, charset, filename, size, content };
}

async function* range(pieces: Pieces, { start, end }: Pick<LocatedPart, 'start' | 'end'>): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of pieces) {
    const from = Math.max(0, start - at);
    const to = end - at;
    at += piece.length;
    if (from < piece.length && from < to) yield piece.subarray(from, to);
    if (at >= end) return;
  }
}
