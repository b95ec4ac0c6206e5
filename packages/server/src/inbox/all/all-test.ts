import type { EmailSummary } from 'mayfly-protocol';
import type { Store, StoredEmail } from '../../store/store.js';
import { comparable, indexTest, wordsMissingIn } from '../read/filter.js';
import { indexAt, type Selection } from '../read/selecting.js';

export interface AllSelection extends Selection {
  readonly to?: string;
  /** Words that all occur in the recipient, the sender, the subject, the text or the code. */
  readonly search?: string;
}

type AllTest = (emails: readonly StoredEmail[]) => Promise<readonly StoredEmail[]>;

/** Selects matching emails; null if all match. Does not test the time. */
export function allTest(
  store: Store,
  { to = '', search = '', ...selection }: AllSelection,
  now: number,
): AllTest | null {
  const recipient = to.toLowerCase();
  const words = comparable(search).split(/\s+/).filter(Boolean);
  const isIndexRight = indexTest(selection);
  if (isIndexRight === null && recipient === '' && words.length === 0) return null;
  return async (emails) => {
    const named = emails.filter((email) => email.to.includes(recipient));
    if (isIndexRight === null && words.length === 0) return named;
    const indexes = await Promise.all(named.map((email) => indexAt(store, email, now)));
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
  readonly missing: readonly string[];
}

/** The index lacks the sender's name, and codes as they are written in groups. */
async function withSummaries(store: Store, candidates: readonly Candidate[]): Promise<readonly StoredEmail[]> {
  const unsure = candidates.filter(({ missing }) => missing.length > 0).map(({ email }) => email);
  const records = await store.summaries(unsure);
  const recordOf = new Map(unsure.map((email, at) => [email, records[at]]));
  return candidates.flatMap(({ email, missing }) => {
    if (missing.length === 0) return [email];
    const record = recordOf.get(email);
    if (!record) return [];
    const { fromName, code }: EmailSummary = JSON.parse(Buffer.from(record).toString());
    const hay = `${fromName} ${code ?? ''}`.toLowerCase();
    return missing.every((word) => hay.includes(word)) ? [email] : [];
  });
}
