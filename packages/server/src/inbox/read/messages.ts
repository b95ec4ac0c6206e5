import { piecesWithoutBareCr } from 'mayfly-mail/internal/mime/line-ends';
import type { LocatedPart, locatePart } from 'mayfly-mail/internal/mime/part-list';
import { decodedPortions } from 'mayfly-mail/internal/mime/portions';
import { inTurns, type Turns } from '../../limits/event-loop.js';
import { EmailGoneError } from '../../store/store.js';
import type { Inspector, Reader } from '../threads/inspector.js';
import type { Inspection, PluginWork } from '../threads/tasks.js';
import { type Message, messageBytes, nullIfGone, type Pieces, sentMessage } from './read.js';
import { emailAt, type StoreAndClock } from './selecting.js';

export interface MessagesOptions extends StoreAndClock {
  readonly inspector: Inspector;
  readonly turns: Turns;
}

/** The messages of stored emails: byte for byte, or parsed again. Methods return null for a missing email. */
export class Messages {
  readonly #options: MessagesOptions;

  constructor(options: MessagesOptions) {
    this.#options = options;
  }

  async whole(inbox: string, receivedAt: number): Promise<Message | null> {
    const { store, clock, turns } = this.#options;
    const email = await emailAt(store, inbox, receivedAt, clock.now());
    if (email === null) return null;
    const message = await messageBytes(store, email);
    return message instanceof Uint8Array ? message : inTurns(message, turns);
  }

  /** The result of an inspection, in UTF-8. Rejects as `FairSemaphore.acquire`. */
  async inspect(
    inbox: string,
    receivedAt: number,
    inspection: Inspection | PluginWork,
    by: Reader,
  ): Promise<Uint8Array | null> {
    const { store, clock, inspector, turns } = this.#options;
    const find = () => emailAt(store, inbox, receivedAt, clock.now());
    // A missing email needs no turn.
    if ((await find()) === null) return null;
    const open = async () => {
      const email = await find();
      // It may have expired or been deleted while waiting.
      if (email === null) throw new EmailGoneError();
      const { sending, pieces } = await sentMessage(store, email);
      return { sending, pieces: inTurns(pieces, turns) };
    };
    return inspector.inspect(open, inspection, by).catch(nullIfGone);
  }

  /** A decoded part: `'no part'` if no part has this path, `'multipart'` if it has no content. Rejects as `inspect`. */
  async part(
    inbox: string,
    receivedAt: number,
    path: string,
    by: Reader,
  ): Promise<OpenedPart | 'no part' | 'multipart' | null> {
    const found = await this.inspect(inbox, receivedAt, { part: path }, by);
    if (found === null) return null;
    const located: ReturnType<typeof locatePart> = JSON.parse(Buffer.from(found).toString());
    if (located === null || located === 'multipart') return located ?? 'no part';
    const { store, clock, turns } = this.#options;
    const email = await emailAt(store, inbox, receivedAt, clock.now());
    if (email === null) return null;
    try {
      return openPart(located, (await sentMessage(store, email)).pieces, turns);
    } catch (error) {
      return nullIfGone(error);
    }
  }

  /** Ends the waits of inspections: the service stops. */
  close(): void {
    this.#options.inspector.close();
  }
}

export interface OpenedPart extends Pick<LocatedPart, 'type' | 'charset' | 'filename' | 'size'> {
  readonly content: Pieces;
}

/** Opens a located part. Others have turns between its pieces. */
export function openPart(
  { type, charset, filename, size, ...place }: LocatedPart,
  pieces: Pieces,
  turns: Turns,
): OpenedPart {
  const encoded = range(inTurns(pieces, turns), place);
  const content = decodedPortions(place.bareCr ? piecesWithoutBareCr(encoded) : encoded, place.transferEncoding);
  return { type, charset, filename, size, content };
}

/** The bytes from `start` to `end`; nothing after is read. */
async function* range(
  pieces: Pieces,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of pieces) {
    const from = Math.max(0, start - at);
    const to = end - at;
    at += piece.length;
    if (from < piece.length && from < to) yield piece.subarray(from, to);
    if (at >= end) return;
  }
}
