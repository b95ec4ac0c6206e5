import type { ListedEmail } from 'mayfly-client';
import { merged } from '../inbox/box.js';
import { type Mail, mailOf } from '../inbox/mail.js';
import { pagePath } from '../service.js';

/** Maximum number of emails that the page keeps, the newest ones, in about 80 MB of memory. */
export const MAX_ROWS = 100_000;

/** An email in the list of all mail. Its key joins its time and its inbox. */
export interface Row extends Mail {
  readonly inbox: string;
}

export function rowOf(email: ListedEmail): Row {
  return { ...mailOf(email), inbox: email.inbox, key: `${email.receivedAt} ${email.inbox}` };
}

export function hrefOf({ inbox, receivedAt }: Row): string {
  return `${pagePath(inbox)}#${new Date(receivedAt).toISOString()}`;
}

/** The known part of all mail, or of the matches of a search. */
export interface Rows {
  /** Newest first; null before the first list. */
  readonly rows: readonly Row[] | null;
  /** The cursor of older emails; null at the end, and once the page keeps the maximum. */
  readonly next: string | null;
}

export type RowsEvent =
  /** The search changed. */
  | { readonly type: 'anew' }
  | { readonly type: 'listed' | 'older'; readonly rows: readonly Row[]; readonly next: string | null }
  | { readonly type: 'came'; readonly rows: readonly Row[] }
  /** All emails received up to this moment are gone. */
  | { readonly type: 'expired'; readonly upTo: number };

export const NO_ROWS: Rows = { rows: null, next: null };

export function rowsAfter(state: Rows, event: RowsEvent): Rows {
  const rows = state.rows ?? [];
  switch (event.type) {
    case 'anew':
      return NO_ROWS;
    case 'listed':
      return withListed(state, event.rows, event.next);
    case 'older':
      return bounded(merged(rows, event.rows), event.next);
    case 'came':
      return bounded(merged(rows, event.rows), state.next);
    case 'expired':
      return { ...state, rows: rows.filter(({ receivedAt }) => receivedAt > event.upTo) };
  }
}

/** Keeps older rows only if the list reaches the known ones, so that there is no gap. */
function withListed(state: Rows, listed: readonly Row[], next: string | null): Rows {
  const known = new Set(state.rows?.map(({ key }) => key));
  const oldest = listed.at(-1)?.receivedAt ?? Number.POSITIVE_INFINITY;
  const reaches = next !== null && known.size > 0 && (listed.length === 0 || listed.some(({ key }) => known.has(key)));
  if (!reaches) return bounded(listed, next);
  const older = state.rows?.filter(({ receivedAt }) => receivedAt < oldest) ?? [];
  return bounded([...listed, ...older], state.next);
}

function bounded(rows: readonly Row[], next: string | null): Rows {
  return rows.length < MAX_ROWS ? { rows, next } : { rows: rows.slice(0, MAX_ROWS), next: null };
}
