import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { credentials } from '../credentials.js';
import { boxAfter, emptyBox } from '../inbox/box.js';
import { ConnectionState } from '../inbox/connection.js';
import { focusedRow, focusRow } from '../inbox/focus.js';
import { FOUND_KEYS } from '../inbox/keys.js';
import { MailRow, ROW_PX } from '../inbox/mail-row.js';
import { Mails, type MailsProps } from '../inbox/mails.js';
import { UnreadableList } from '../inbox/notices.js';
import { useExpiry, useNews } from '../inbox/use-news.js';
import { useWatching } from '../inbox/use-watching.js';
import type { KnownSettings } from '../settings.js';
import { listKeys, RowList } from '../ui/row-list.js';
import { plural, useNow } from '../ui/time.js';
import { later, useUntil } from '../ui/until.js';
import { useKeys } from '../ui/use-keys.js';
import { keepPlace, placeNow, useQuery } from '../url.js';
import { AllFeed, type Following, MAX_ROWS } from './all-feed.js';

const TYPING_MS = 250;

export interface AllMailProps {
  readonly settings: KnownSettings;
  /** Shown instead of an empty list. */
  readonly children: ComponentChildren;
  /** Shown if the caller may not read the list. */
  readonly refused?: ComponentChildren;
  /** Whether the list is a card of the start page, without the email. */
  readonly isCard?: boolean;
}

export function AllMail({ settings, children, refused, isCard = false }: AllMailProps) {
  const [search] = useQuery('q');
  const { box, tell, following, error, readOn } = useAll(isCard ? '' : search.trim());
  useNews(
    isCard ? '' : 'All mail',
    box,
    ({ to, code }) => `New email to ${to}.${code === null ? '' : ` Code ${code}.`}`,
  );
  if (error !== null) {
    const problem = <UnreadableList error={error} lost={refused} />;
    return isCard || credentials.key === null ? problem : <main class="column">{problem}</main>;
  }
  const status = <ConnectionState connection={following} />;
  if (isCard) return <Card name="" feed={{ box, tell }} empty={children} {...{ settings, status, readOn }} />;
  const empty = (
    <main class="column">
      <p class="all-status bar">{status}</p>
      {children}
    </main>
  );
  return <Mails name="" feed={{ box, tell }} {...{ settings, empty, status, readOn }} />;
}

/** Follows all mail, or the matches of a search, while this tab may follow mail (see `useWatching`). */
function useAll(text: string) {
  const [box, tell] = useReducer(boxAfter, emptyBox(MAX_ROWS));
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
  // New emails are marked until the user leaves the tab.
  useUntil([], (signal) => {
    const leave = () => document.hidden && tell({ type: 'seen' });
    document.addEventListener('visibilitychange', leave, { signal });
  });
  const readOn = () => {
    const { signal } = new AbortController();
    if (box.next !== null) follow(signal, feed.readOn(box.next, signal));
  };
  return { box, tell, following: isWatching ? following : ('resting' as const), error, readOn };
}

/** The list on the start page. */
function Card({ feed: { box, tell }, settings, empty, status, readOn }: MailsProps) {
  const { mails, next, unread } = box;
  const rows = mails ?? [];
  const now = useNow() + settings.clockOffsetMs;
  useExpiry(mails, now - settings.retentionMs, tell);
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
  useKeys({ ...listKeys(rows, focusedRow, ROW_PX, go), ...FOUND_KEYS }, '.list');
  return (
    <div class="all column">
      <p class="all-status bar spread soft text-14 digits">
        {mails !== null && `${plural(mails.length, 'email')}${next === null ? '' : ' or more'}`}
        {status}
      </p>
      {mails?.length === 0 && next === null && empty}
      <RowList
        rows={rows}
        anchor={current}
        rowPx={ROW_PX}
        propsOf={({ key }) => ({ class: 'row', 'data-unread': unread.has(key), onFocusIn: () => setCurrent(key) })}
        onNearEnd={readOn}
      >
        {(mail, tabIndex) => (
          <MailRow
            inbox=""
            hasRecipient
            isUnread={unread.has(mail.key)}
            retentionMs={settings.retentionMs}
            {...{ mail, tabIndex, now }}
          />
        )}
      </RowList>
    </div>
  );
}
