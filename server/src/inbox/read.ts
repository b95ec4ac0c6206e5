import { type Soon, withAnswer } from '../soon.js';
import { EmailGoneError, type Store, type StoredEmail } from '../store/store.js';
import { emailJson } from './email-json.js';
import { openMessage, rawPieces, type StoredMessage } from './stored-message.js';

/** How an email is shown. */
export interface Showing {
  /** Whether it carries `raw` too (D16). */
  readonly compat: boolean;
}

/** The JSON of one email, in bounded pieces. Throws `EmailGoneError` when it has been deleted since it was listed. */
export async function* emailPieces(store: Store, email: StoredEmail, showing: Showing): AsyncGenerator<Uint8Array> {
  yield* shown('', store, email, await messageOf(store, email), showing);
}

/** The bytes of an email's message, in bounded pieces. Throws as `emailPieces` does. */
export async function* messagePieces(store: Store, email: StoredEmail): AsyncGenerator<Uint8Array> {
  yield* rawPieces(await messageOf(store, email));
}

/**
 * The JSON of a whole InboxResponse (interface section 2.2), in bounded pieces. What is deleted meanwhile is left out; throws as
 * `emailPieces` does when that happens in the middle of an email.
 */
export async function* inboxPieces(
  store: Store,
  emails: readonly StoredEmail[],
  showing: Showing,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for (const email of emails) {
    const message = await messageIfThere(store, email);
    if (message === null) continue;
    yield* shown(count === 0 ? OPENING : ',', store, email, message, showing);
    count++;
  }
  yield Buffer.from(`${count === 0 ? OPENING : ''}],"count":${count}}`);
}

const OPENING = '{"emails":[';

function shown(
  before: string,
  store: Store,
  email: StoredEmail,
  message: StoredMessage,
  { compat }: Showing,
): AsyncGenerator<Uint8Array> {
  return emailJson(before, email, message, compat ? () => messageOf(store, email) : null);
}

/** The message of an email, begun, so that it is certain to be there; null when it has been deleted since it was listed. */
async function messageIfThere(store: Store, email: StoredEmail): Promise<StoredMessage | null> {
  try {
    return await messageOf(store, email);
  } catch (error) {
    if (error instanceof EmailGoneError) return null;
    throw error;
  }
}

function messageOf(store: Store, email: StoredEmail): Soon<StoredMessage> {
  return withAnswer(store.content(email), openMessage);
}
