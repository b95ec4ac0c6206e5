import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import type { Store, StoredEmail } from '../../store/store.js';
import type { ByteText, EmailHead } from './email-json.js';
import type { Json } from './read.js';

export const NO_SUMMARIES = '{"emails":[],"count":0}';

/** How many summaries are read and made in one go: at most 128 KB of JSON. */
const SHARE = 128;

/**
 * The JSON of the summaries of listed emails: `{"emails": […], "count": n}`, all of it at once where they are few and the store has
 * them at hand. What has been deleted since it was listed is left out.
 */
export function summariesJson(store: Store, emails: readonly StoredEmail[]): MaybePromise<Json> {
  if (emails.length > SHARE) return summaryPieces(store, emails);
  return withAnswer(store.summaries(emails), (records) => {
    const shown = shownOf(emails, records);
    return `{"emails":[${shown.join()}],"count":${shown.length}}`;
  });
}

async function* summaryPieces(store: Store, emails: readonly StoredEmail[]): AsyncGenerator<Uint8Array> {
  let count = 0;
  let before = '{"emails":[';
  for (let start = 0; start < emails.length; start += SHARE) {
    const share = emails.slice(start, start + SHARE);
    const shown = shownOf(share, await store.summaries(share));
    if (shown.length === 0) continue;
    yield Buffer.from(before + shown.join(), 'latin1');
    before = ',';
    count += shown.length;
  }
  yield Buffer.from(`${count === 0 ? before : ''}],"count":${count}}`);
}

function shownOf(emails: readonly StoredEmail[], records: readonly (Uint8Array | null)[]): ByteText[] {
  const shown: ByteText[] = [];
  for (const [i, email] of emails.entries()) {
    const record = records[i];
    if (record) shown.push(summaryJson(email, record));
  }
  return shown;
}

/** The JSON of a summary, in UTF-8, out of what was kept. */
export function summaryJson({ to, receivedAt }: EmailHead, record: Uint8Array): ByteText {
  const kept = Buffer.from(record.buffer, record.byteOffset, record.byteLength).toString('latin1', '{'.length);
  const recipient = Buffer.from(JSON.stringify(to)).toString('latin1');
  return `{"receivedAt":"${new Date(receivedAt).toISOString()}","to":${recipient},${kept}`;
}
