import type { ListedEmail } from 'mayfly-client';
import { merged } from '../inbox/box.js';
import { type Mail, mailOf } from '../inbox/mail.js';
import { pagePath } from '../service.js';

/** So many emails are kept for the list, the newest: some 80 MB of memory. */
export const MAX_ROWS = 100_000;

/** An email as the list of all mail keeps it. Its key names it among all: its time and its inbox. */
export interface Row extends Mail {
  readonly inbox: string;
}

export function rowOf(email: ListedEmail): Row {
  return { ...mailOf(email), inbox: email.inbox, key: `${email.receivedAt} ${email.inbox}` };
}

/** Where an email is shown. */
export function hrefOf({ inbox, receivedAt }: Row): string {
  return `${pagePath(inbox)}#${new Date(receivedAt).toISOString()}`;
}

/** What the page knows of all mail, or of what is searched. */
export interface Rows {
  /** Newest first; null until the first list has come. */
  readonly rows: readonly Row[] | null;
  /** The cursor of what is older; null if nothing is, or as much is kept as may be. */
  readonly next: string | null;
  /** What came since the last list was asked for, which may not have it. */
  readonly since: readonly Row[];
}

export type RowsEvent =
  /** Another search begins. */
  | { readonly type: 'anew' }
  | { readonly type: 'asked' }
  /** The newest, as they were after the last `asked`. */
  | { readonly type: 'listed' | 'older'; readonly rows: readonly Row[]; readonly next: string | null }
  | { readonly type: 'came'; readonly rows: readonly Row[] }
  /** All that were received at this moment or before are gone. */
  | { readonly type: 'expired'; readonly upTo: number };

export const NO_ROWS: Rows = { rows: null, next: null, since: [] };

export function rowsAfter(state: Rows, event: RowsEvent): Rows {
  const rows = state.rows ?? [];
  switch (event.type) {
    case 'anew':
      return NO_ROWS;
    case 'asked':
      return { ...state, since: [] };
    case 'listed':
      return withListed(state, event.rows, event.next);
    case 'older':
      return bounded({ ...state, rows: merged(rows, event.rows), next: event.next });
    case 'came':
      return bounded({
        ...state,
        rows: state.rows && merged(rows, event.rows),
        since: [...state.since, ...event.rows].slice(-MAX_ROWS),
      });
    case 'expired':
      return { ...state, rows: rows.filter(({ receivedAt }) => receivedAt > event.upTo) };
  }
}

/** What the list leaves out of its own time is deleted. Where it does not reach what was known, that is dropped. */
function withListed(state: Rows, listed: readonly Row[], next: string | null): Rows {
  const known = new Set(state.rows?.map(({ key }) => key));
  const oldest = listed.at(-1)?.receivedAt ?? Number.POSITIVE_INFINITY;
  const reaches = next !== null && known.size > 0 && (listed.length === 0 || listed.some(({ key }) => known.has(key)));
  const older = reaches ? (state.rows?.filter(({ receivedAt }) => receivedAt < oldest) ?? []) : [];
  const rows = merged([...listed, ...older], state.since);
  return bounded({ ...state, rows, next: reaches ? state.next : next });
}

function bounded({ rows, next, since }: Rows): Rows {
  if (rows === null || rows.length < MAX_ROWS) return { rows, next, since };
  return { rows: rows.slice(0, MAX_ROWS), next: null, since };
}
