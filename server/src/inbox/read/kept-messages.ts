import type { Clock } from '../../base/clock.js';
import type { Store } from '../../store/store.js';
import { ifThere, type Pieces, sentMessage } from './read.js';

export interface KeptMessage {
  readonly inbox: string;
  readonly receivedAt: number;
  /** The message byte for byte. To be read before the next email is asked for. */
  readonly pieces: Pieces;
}

const PAGE = 128;

/** All emails that are neither cleared nor expired: by inbox, newest first. The store may be in use meanwhile. */
export async function* keptMessages(store: Store, clock: Clock): AsyncGenerator<KeptMessage> {
  for await (const inbox of store.inboxes()) yield* messagesOf(inbox, store, clock);
}

async function* messagesOf(inbox: string, store: Store, clock: Clock): AsyncGenerator<KeptMessage> {
  for (let before: number | undefined = Number.POSITIVE_INFINITY; before !== undefined; ) {
    const page = await store.list(inbox, { before, limit: PAGE }, clock.now());
    for (const email of page) {
      const message = await ifThere(() => sentMessage(store, email));
      if (message !== null) yield { inbox, receivedAt: email.receivedAt, pieces: message.pieces };
    }
    before = page.length < PAGE ? undefined : page.at(-1)?.receivedAt;
  }
}
