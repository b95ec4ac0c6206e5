import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { type Box, boxAfter, emptyBox } from '../inbox/box.js';
import { ConnectionState } from '../inbox/connection.js';
import { focusedRow, focusRow } from '../inbox/focus.js';
import { FOUND_KEYS } from '../inbox/keys.js';
import { MailRow, ROW_PX } from '../inbox/mail-row.js';
import { UnreadableList } from '../inbox/notices.js';
import { useExpiry, useNews } from '../inbox/use-news.js';
import { useWatching } from '../inbox/use-watching.js';
import type { KnownSettings } from '../settings.js';
import { listKeys, RowList } from '../ui/row-list.js';
import { useNow } from '../ui/time.js';
import { later, useUntil } from '../ui/until.js';
import { useKeys } from '../ui/use-keys.js';
import { keepPlace, placeNow, useQuery } from '../url.js';
import { AllFeed, type Following, hrefOf, MAX_ROWS, type Row } from './all-feed.js';

const TYPING_MS = 250;

export interface AllMailProps {
  readonly settings: KnownSettings;
  readonly children: ComponentChildren;
  /** Shown if the caller may not read the list. */
  readonly refused?: ComponentChildren;
  /** Whether the list is a part of another page, which needs the arrow keys itself. */
  readonly isPart?: boolean;
}

export function AllMail({ settings, children, refused, isPart = false }: AllMailProps) {
  const now = useNow() + settings.clockOffsetMs;
  const [search, setSearch] = useQuery('q');
  const field = useRef<HTMLInputElement>(null);
  const { box, following, error, readOn } = useAll(search.trim(), now - settings.retentionMs);
  const { mails, next, max } = box;
  useNews(
    isPart ? '' : 'All mail',
    box,
    ({ to, code }) => `New email to ${to}.${code === null ? '' : ` Code ${code}.`}`,
  );
  useKeys({ '/': () => field.current?.focus() });

  if (error !== null) return <UnreadableList error={error} lost={refused} />;
  const isEmpty = mails?.length === 0 && next === null;
  return (
    <div class="all column">
      <div class="search bar gap-12">
        <input
          ref={field}
          type="search"
          placeholder="Search all mail"
          aria-label="Search by recipient, sender, subject, text or code"
          maxLength={200}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        />
        <span class="search-count soft text-14 digits">
          {mails !== null && `${mails.length.toLocaleString()}${next === null ? '' : '+'}`}
        </span>
        <ConnectionState connection={following} />
      </div>
      {isEmpty && (search.trim() === '' ? children : <p class="wait">No email matches.</p>)}
      {mails !== null && !isEmpty && <AllList {...{ box, settings, now, isPart, readOn }} />}
      {(mails?.length ?? 0) >= max && (
        <p class="list-end soft text-13">The newest {max.toLocaleString()} are listed. Search for older ones.</p>
      )}
    </div>
  );
}

/** Follows all mail, or the matches of a search, while this tab may follow mail (see `useWatching`). */
function useAll(text: string, expired: number) {
  const [box, tell] = useReducer(boxAfter<Row>, emptyBox(MAX_ROWS));
  const [following, setFollowing] = useState<Following>('connecting');
  const [error, setError] = useState<Error | null>(null);
  const isWatching = useWatching();
  const feed = useMemo(() => new AllFeed(text, tell, setFollowing), []);

  const follow = (signal: AbortSignal, done: Promise<void>) =>
    done.catch((reason: Error) => {
      if (!signal.aborted) setError(reason);
    });
  useUntil([feed, isWatching], (signal) => isWatching && follow(signal, feed.run(signal)));
  useUntil([feed, text], (signal) => later(TYPING_MS, signal, () => follow(signal, feed.search(text, signal))));
  useExpiry(box.mails, expired, tell);
  // New emails are marked until the user leaves the tab.
  useUntil([], (signal) => {
    const leave = () => document.hidden && tell({ type: 'seen' });
    document.addEventListener('visibilitychange', leave, { signal });
  });
  const readOn = () => {
    const { signal } = new AbortController();
    if (box.next !== null) follow(signal, feed.readOn(box.next, signal));
  };
  return { box, following: isWatching ? following : ('resting' as const), error, readOn };
}

interface AllListProps extends Pick<AllMailProps, 'settings' | 'isPart'> {
  readonly box: Box<Row>;
  readonly now: number;
  readOn(): void;
}

function AllList({ box: { mails, unread }, settings: { retentionMs }, now, isPart, readOn }: AllListProps) {
  const rows = mails ?? [];
  const [current, setCurrent] = useState(() => placeNow().focused);
  const isListed = rows.some(({ key }) => key === current);
  // After Back, the focus is where it was.
  useEffect(() => {
    if (isListed && document.activeElement === document.body) focusRow(current);
  }, [isListed]);
  useEffect(() => keepPlace({ focused: current }), [current]);
  const go = (key: string) => {
    setCurrent(key);
    focusRow(key);
  };
  useKeys({ ...listKeys(rows, focusedRow, ROW_PX, go), ...FOUND_KEYS }, isPart ? '.list' : undefined);
  return (
    <RowList
      rows={rows}
      rowPx={ROW_PX}
      anchor={current}
      propsOf={({ key }) => ({ class: 'row', 'data-unread': unread.has(key), onFocusIn: () => setCurrent(key) })}
      onNearEnd={readOn}
    >
      {(mail, tabIndex) => (
        <MailRow
          hasRecipient
          isUnread={unread.has(mail.key)}
          href={hrefOf(mail)}
          inbox={mail.inbox}
          {...{ mail, tabIndex, now, retentionMs }}
        />
      )}
    </RowList>
  );
}
