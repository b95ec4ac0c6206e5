import type { EmailSummary } from 'mayfly-client';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import type { Store, StoredEmail } from '../../store/store.js';
import { indexTest, wordsMissingIn } from '../read/filter.js';
import type { Selection } from '../read/selecting.js';

/** Which emails of all inboxes are wanted. */
export interface AllSelection extends Selection {
  /** A part of the recipient's address. */
  readonly to?: string;
  /** Words that all occur in the recipient, the sender, the subject, the text or the code. */
  readonly search?: string;
}

type AllTest = (emails: readonly StoredEmail[]) => Promise<readonly StoredEmail[]>;

/** Gives those of a few emails that match; null if all do. The time of the email is not tested. */
export function allTest(
  store: Store,
  { to = '', search = '', ...selection }: AllSelection,
  now: number,
): AllTest | null {
  const recipient = to.toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isIndexRight = indexTest(selection);
  if (isIndexRight === null && recipient === '' && words.length === 0) return null;
  return async (emails) => {
    const named = emails.filter((email) => email.to.includes(recipient));
    if (isIndexRight === null && words.length === 0) return named;
    const indexes = await Promise.all(named.map((email) => indexOf(store, email, now)));
    const candidates = named.flatMap((email, at) => {
      const index = indexes[at];
      if (index === undefined || isIndexRight?.(index) === false) return [];
      return [{ email, missing: wordsMissingIn(index, words).filter((word) => !email.to.includes(word)) }];
    });
    return withSummaries(store, candidates);
  };
}

interface Candidate {
  readonly email: StoredEmail;
  /** Words that are not found yet. */
  readonly missing: readonly string[];
}

/** The index knows neither the sender's name nor a code that is written apart. */
function withSummaries(store: Store, candidates: readonly Candidate[]): MaybePromise<readonly StoredEmail[]> {
  const unsure = candidates.filter(({ missing }) => missing.length > 0).map(({ email }) => email);
  return withAnswer(store.summaries(unsure), (records) => {
    const recordOf = new Map(unsure.map((email, at) => [email, records[at]]));
    return candidates.flatMap(({ email, missing }) => {
      if (missing.length === 0) return [email];
      const record = recordOf.get(email);
      if (!record) return [];
      const { fromName, code }: EmailSummary = JSON.parse(Buffer.from(record).toString());
      const hay = `${fromName} ${code ?? ''}`.toLowerCase();
      return missing.every((word) => hay.includes(word)) ? [email] : [];
    });
  });
}

/** What filters read of an email; undefined if it is deleted. */
function indexOf(store: Store, { inbox, receivedAt }: StoredEmail, now: number): MaybePromise<Uint8Array | undefined> {
  const range = { after: receivedAt - 1, before: receivedAt + 1, maxBytes: 1 };
  return withAnswer(store.scan(inbox, range, now), ([scanned]) => scanned?.index);
}
