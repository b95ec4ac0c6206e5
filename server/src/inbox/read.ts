import { startingWith } from '../starting-with.js';
import { EmailGoneError, type Store, type StoredEmail } from '../store/store.js';
import { emailHead } from './email-json.js';
import { type EmailFilter, indexTest, rawEncodingIn } from './filter.js';
import { rawMessage } from './raw-message.js';

/** Which emails of an inbox somebody wants (design D9). */
export interface Selection extends EmailFilter {
  /** Only emails with a later `receivedAt`, in milliseconds since the epoch. */
  readonly after?: number;
}

/** How many emails a filter looks at before it lets others have a turn. */
const FILTER_BATCH = 50;

/** Those of the listed emails that match a filter, in their order. */
export async function* matching(
  store: Store,
  emails: readonly StoredEmail[],
  filter: EmailFilter,
): AsyncGenerator<StoredEmail> {
  const test = indexTest(filter);
  if (test === null) return yield* emails;
  for (const [position, email] of emails.entries()) {
    if (position % FILTER_BATCH === FILTER_BATCH - 1) await new Promise(setImmediate);
    const index = await store.index(email);
    if (index !== null && test(index)) yield email;
  }
}

/** The emails of an inbox that match a selection and are unexpired at `now`, newest first. */
export async function select(store: Store, inbox: string, selection: Selection, now: number): Promise<StoredEmail[]> {
  const listed = await store.list(inbox, laterThan(selection.after), now);
  const selected: StoredEmail[] = [];
  for await (const email of matching(store, listed, selection)) selected.push(email);
  return selected;
}

/** The email of an inbox with exactly this `receivedAt`, or null when it has none that is unexpired at `now`. */
export async function emailAt(
  store: Store,
  inbox: string,
  receivedAt: number,
  now: number,
): Promise<StoredEmail | null> {
  const emails = await store.list(inbox, { after: receivedAt - 1 }, now);
  const oldest = emails.at(-1);
  return oldest?.receivedAt === receivedAt ? oldest : null;
}

/** The JSON of one email, in bounded pieces. Throws `EmailGoneError` when it has been deleted since it was listed. */
export async function* emailJson(store: Store, email: StoredEmail): AsyncGenerator<Uint8Array> {
  yield Buffer.from(emailHead(email.to, email.receivedAt));
  yield* store.content(email);
}

/** The bytes of an email's message, in bounded pieces. Throws as `emailJson` does. */
export async function* emailMessage(store: Store, email: StoredEmail): AsyncGenerator<Uint8Array> {
  const index = await store.index(email);
  if (index === null) throw new EmailGoneError();
  yield* rawMessage(store.content(email), rawEncodingIn(index));
}

/**
 * The JSON of a whole InboxResponse (spec.md section 2.2), in bounded pieces. What is deleted meanwhile is left out; throws as
 * `emailJson` does when that happens in the middle of an email.
 */
export async function* inboxJson(store: Store, emails: readonly StoredEmail[]): AsyncGenerator<Uint8Array> {
  let count = 0;
  for (const email of emails) {
    const content = await contentOf(store, email);
    if (content === null) continue;
    yield Buffer.from(`${count === 0 ? OPENING : ','}${emailHead(email.to, email.receivedAt)}`);
    yield* content;
    count++;
  }
  yield Buffer.from(`${count === 0 ? OPENING : ''}],"count":${count}}`);
}

const OPENING = '{"emails":[';

/** The content of an email, begun, so that it is certain to be there; null when it has been deleted since it was listed. */
async function contentOf(store: Store, email: StoredEmail): Promise<AsyncIterable<Uint8Array> | null> {
  const pieces = store.content(email);
  try {
    const first = await pieces.next();
    return startingWith(first.done ? [] : [first.value], pieces);
  } catch (error) {
    if (error instanceof EmailGoneError) return null;
    throw error;
  }
}

/** The part of a selection that the store itself answers. */
export function laterThan(after: number | undefined): { after?: number } {
  return after === undefined ? {} : { after };
}
