import type { AllEmailsResponse, ListedEmail, MayflyResponseError, OutlineResponse } from 'mayfly-client';
import { MayflyNetworkError } from 'mayfly-client';
import { isSummary } from 'mayfly-client/api';
import { TOO_SLOW } from '../problem-words.js';
import { jsonOf, type Limits } from '../requests.js';
import { ask, inboxApi, inboxPath } from '../service.js';
import type { Listed, Outline } from './box.js';
import { type Mail, mailOf } from './mail.js';

/** Where the emails of a list come from. */
export interface Source {
  /** Whether the page loads all emails, because it searches them itself. */
  readonly isWhole: boolean;
  /** The number of emails on a page, apart from the first. */
  readonly pageSize: number;
  /** Emails from a cursor on, newest first. */
  page(limit: number, cursor: string | null, search: string, signal: AbortSignal): Promise<Listed>;
  /**
   * Follows a stream until it ends; then the list must be read again. Calls `hear` with new emails, or with null if the
   * list must be read now. Resolves to whether the stream has begun. Rejects if the service is away.
   */
  follow(newest: number, hear: (mails: readonly Mail[] | null) => void, signal: AbortSignal): Promise<boolean>;
  /** The sizes of the pages from a cursor on. */
  outline?(cursor: string, signal: AbortSignal): Promise<Outline>;
}

/** Up to 2.5 MB. */
const INBOX_PAGE = 2_500;

export function inboxSource(name: string): Source {
  const inbox = inboxApi(name);
  return {
    isWhole: true,
    pageSize: INBOX_PAGE,
    async page(limit, cursor, _search, signal) {
      const summaries = await inbox.summaries({ limit, before: cursor ?? undefined }, signal);
      const next = summaries.length < limit ? null : (summaries.at(-1)?.receivedAt ?? null);
      return { mails: summaries.map(mailOf), next };
    },
    follow(newest, _hear, signal) {
      const query = newest < 0 ? '' : `&after=${new Date(newest).toISOString()}`;
      // The list has what the page needs of an email. The stream has its whole message, so the rest is not read.
      const isEmail = (text: string) => text.includes('data: ');
      return listen(`${inboxPath(name)}/stream?source=browser${query}`, name, signal, isEmail);
    },
  };
}

export const ALL_MAIL: Source = {
  isWhole: false,
  pageSize: 500,
  async page(limit, cursor, search, signal) {
    const query = new URLSearchParams({ limit: `${limit}`, source: 'browser' });
    if (cursor !== null) query.set('cursor', cursor);
    if (search !== '') query.set('search', search);
    const answer = jsonOf<AllEmailsResponse>(ask(`/api/emails?${query}`, signal), (all) => all.emails.every(isSummary));
    const { emails, next } = await answer;
    return { mails: emails.map(rowOf), next };
  },
  follow(_newest, hear, signal) {
    let rest = '';
    return listen('/api/emails/stream', '', signal, (text) => {
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
      const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length));
      const events = data.map((event): ListedEmail => JSON.parse(event));
      const came = events.filter(isSummary);
      if (came.length > 0) hear(came.map(rowOf));
      // The stream reports emails from here on, and sends deletions as an event without an email.
      if (lines.includes(': connected') || events.length > came.length) hear(null);
      return false;
    });
  },
  async outline(cursor, signal) {
    const path = `/api/emails/outline?source=browser&cursor=${cursor}`;
    const { pages, next } = await jsonOf<OutlineResponse>(ask(path, signal));
    const sized = pages.map((page) => {
      return { ...page, cursor: page.cursor ?? cursor, oldest: Date.parse(page.oldest), keys: null, isSized: true };
    });
    return { pages: sized, next };
  },
};

function rowOf(email: ListedEmail): Mail {
  return { ...mailOf(email), key: `${email.receivedAt}/${email.inbox}` };
}

/**
 * The service sends the first bytes of a stream immediately: if they are late, a proxy buffers the stream. A stream has
 * a heartbeat every ten seconds: after twice as long without one, the service counts as away. The service ends a stream
 * after ten minutes. Its bytes are not kept, so they may be any number.
 */
const STREAM: Limits = { beginMs: 2_000, silenceMs: 20_000, wholeMs: 900_000, bytes: Number.POSITIVE_INFINITY };

/** Maximum length of a line that a stream has begun. A summary takes 1,000 bytes. */
const MAX_LINE_CHARS = 100_000;

/**
 * Passes the text of a stream to `hear` until that returns true, or the stream ends. Resolves to whether the stream has
 * begun. Rejects if the service does not answer or falls silent, but not if a connection is cut, as by a proxy.
 */
async function listen(path: string, inbox: string, signal: AbortSignal, hear: (text: string) => boolean) {
  const decoder = new TextDecoder();
  let isBegun = false;
  try {
    for await (const chunk of ask(path, signal, inbox, STREAM)) {
      isBegun = true;
      if (hear(decoder.decode(chunk, { stream: true }))) break;
    }
  } catch (error) {
    if ((error as Partial<MayflyResponseError>).status === TOO_SLOW) return isBegun;
    const isSilent = ((error as Error).cause as Error | undefined)?.name === 'AbortError';
    if (!(error instanceof MayflyNetworkError) || isSilent === isBegun) throw error;
  }
  return isBegun;
}
