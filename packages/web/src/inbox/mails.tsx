import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type KnownSettings, useKnown } from '../settings.js';
import { Dialog } from '../ui/dialog.js';
import { Facts } from '../ui/scroll.js';
import { useNow } from '../ui/time.js';
import type { Entry } from '../ui/toolbar.js';
import { useUntil } from '../ui/until.js';
import { useKeys } from '../ui/use-keys.js';
import { useQuery } from '../url.js';
import { MailContext, type MailOnScreen } from './answer.js';
import { type Box, MAX_MAILS, newestUnread, rowsOf, totalOf } from './box.js';
import { UndoBar, useDeletion } from './deletion.js';
import type { Feed } from './feed.js';
import { focusMail, focusRow, useFocus, useFrameFocus, useIsWide } from './focus.js';
import { KEY_FACTS, keysFor } from './keys.js';
import { type Mail, placeOf } from './mail.js';
import { MailList } from './mail-list.js';
import { MailView } from './mail-view.js';
import { MissingMail } from './notices.js';
import { useExpiry } from './notifications.js';
import { Pace } from './pace.js';
import { type FileNames, NewMail, SearchBar, type Term, termsOf, useFileNames, useMatching } from './search.js';
import { type Opened, useOpened, useSelection, useTicked } from './selection.js';

/** The share of the fetch limit that opening emails may use. */
const OPENING_SHARE = 0.5;

interface MailsProps {
  /** Empty for all mail, which the service searches itself. */
  readonly name: string;
  readonly feed: Feed;
  /** Shown instead of an empty list. */
  readonly empty: ComponentChild;
  /** The entries of an email's menu on a phone, apart from its actions. */
  readonly entries: readonly Entry[];
}

/** The emails of an inbox or of all inboxes: a list and, next to it or instead of it, the chosen email. */
export function Mails({ name: inbox, feed, empty, entries }: MailsProps) {
  const { box, tell, readOn } = feed;
  const { retentionMs, clockOffsetMs, readLimit } = useKnown();
  const now = useNow() + clockOffsetMs;
  const [chosen, choose] = useSelection(inbox);
  const isWide = useIsWide();
  const [isHelped, setHelped] = useState(false);
  const deletion = useDeletion(inbox, feed);
  const ticked = useTicked();

  const expired = now - retentionMs;
  useExpiry(box, expired, tell);
  const { hidden } = deletion;
  const { filter, setFilter, isSearch, words, rows, count, listed, learn } = useListed(inbox, box, hidden, readLimit);
  // With room for both panes, shows an email until the user chooses one.
  const [held, letHeldGo] = useHeld(box, listed);
  const key = chosen ?? (isWide ? held : null);
  const opened = useOpened(inbox, box, key, expired, isSearch);
  useSeen(typeof opened === 'object' ? (opened.mail?.key ?? null) : null, feed);
  const [cursor, setCursor] = useCursor(key);
  useFocus(key, isWide);
  const letGo = () => {
    choose(null);
    letHeldGo();
  };
  const remove = (keys: readonly string[]) => {
    if (keys.length === 0) return;
    ticked.end();
    deletion.remove(keys);
    const isStaying = key !== null && !keys.includes(key);
    const next = isStaying ? key : nextAfter(listed, keys, key);
    if (key !== null && !isStaying) choose(isWide ? next : null);
    setCursor(next);
    focusRow(next);
  };
  const goTo = (next: string) => (isWide || key !== null ? choose(next) : setCursor(next));
  const context = { rows, shown: key, newest: newestUnread(box), ticked };
  useKeys(keysFor({ ...context, goTo, choose, letGo, remove, undo: deletion.undo, help: () => setHelped(true) }));

  if (box.mails === null) return <main class="wait">Opening the list…</main>;
  const isEmpty = box.mails.length === 0 && box.pages.length === 0 && !isSearch;
  if (isEmpty && opened === 'nothing') return empty;
  const common = { inbox, words, now };
  const news = <NewMail box={box} onOpen={choose} />;
  const onChoose = (mail: Mail, way: 'keyboard' | 'pointer') => {
    if (ticked.keys !== null) return ticked.toggle(mail.key);
    choose(mail.key);
    if (way === 'keyboard') focusMail();
  };
  return (
    <main class="panes stack" data-shows={opened === 'nothing' ? 'list' : 'mail'}>
      <section class="pane-list column" aria-label="Emails">
        <SearchBar onFilter={setFilter} onDelete={remove} {...{ inbox, filter, count, listed, ticked, news }} />
        {listed.length === 0 && <NoMatch isAll={inbox === ''} filter={filter} />}
        <MailList
          // The list of another search has another scroll position.
          key={box.search}
          isOld={inbox === '' && box.search !== filter.trim()}
          unread={box.unread}
          shown={key}
          anchor={key ?? cursor}
          ticked={ticked.keys}
          onGap={readOn}
          {...common}
          {...{ rows, onChoose }}
        />
        <ListFoot box={box} />
      </section>
      <OpenedMail {...common} {...{ news, entries, letGo, opened, listed, remove, tell, learn }} />
      <UndoBar deletion={deletion} />
      {isHelped && (
        <Dialog title="Keys" onClose={() => setHelped(false)}>
          <Facts facts={KEY_FACTS} />
        </Dialog>
      )}
    </main>
  );
}

/**
 * The key of an email to show until the user chooses one: the newest, because users usually wait for it, or the first
 * match of a search. New mail does not replace it, and it stays if another client deletes it. Also lets it go.
 */
function useHeld({ mails, search }: Box, listed: readonly Mail[]): [string | null, () => void] {
  const [held, hold] = useState<{ key: string | null; search: string }>({ key: null, search });
  const isIn = (list: readonly Mail[] | null) => list?.some(({ key }) => key === held.key) === true;
  const isOut = !isIn(listed) && (held.key === null || isIn(mails) || held.search !== search);
  const first = listed[0]?.key ?? null;
  const key = isOut ? first : held.key;
  useEffect(() => hold({ key, search }), [key, search]);
  return [key, () => hold({ key: first, search })];
}

function ListFoot({ box: { mails } }: { box: Box }) {
  return (
    <>
      {(mails?.length ?? 0) >= MAX_MAILS && (
        <p class="list-end soft text-13">The newest {MAX_MAILS.toLocaleString()} are listed.</p>
      )}
      <p class="keys not-phone soft text-13">
        <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>c</kbd> copy code · <kbd>o</kbd> open link · <kbd>?</kbd> all keys
      </p>
    </>
  );
}

/** The key of the row with the tab stop while no email is shown: by default, the last one that was shown. */
function useCursor(shown: string | null) {
  const cursor = useState<string | null>(null);
  const [, setCursor] = cursor;
  useEffect(() => {
    if (shown !== null) setCursor(shown);
  }, [shown]);
  return cursor;
}

const NO_TERMS: readonly Term[] = [];

/** The emails that are not being deleted, and those of them that match the search in the URL. */
function useListed(inbox: string, box: Box, hidden: ReadonlySet<string>, readLimit: KnownSettings['readLimit']) {
  const [filter, setFilter] = useQuery('q');
  const isAll = inbox === '';
  const mails = useMemo(() => box.mails?.filter(({ key }) => !hidden.has(key)) ?? [], [box.mails, hidden]);
  const terms = useMemo(() => termsOf(filter), [filter]);
  const own = isAll ? NO_TERMS : terms;
  const { all: fileNames, learn } = useFileNames(inbox, readLimit, mails, own);
  const listed = useMatching(inbox, mails, own, fileNames);
  const words = terms.flatMap(({ field, text, isNot }) => (isNot || field === 'has' ? [] : [text]));
  const all = useMemo(() => rowsOf(mails, box.pages), [mails, box.pages]);
  const isSearch = isAll && filter.trim() !== '';
  const { total, isKnown } = totalOf(all);
  const count = `${total.toLocaleString()}${isKnown ? '' : '+'}`;
  return {
    ...{ filter, setFilter, isSearch, words, listed, learn },
    rows: listed === mails ? all : listed,
    count: own.length === 0 ? count : `${listed.length.toLocaleString()} of ${count}`,
  };
}

function NoMatch({ isAll, filter }: { readonly isAll: boolean; readonly filter: string }) {
  if (filter.trim() === '') return <p class="wait">No email is left.</p>;
  // The service searches all mail, and knows only words.
  const isForInbox = isAll && termsOf(filter).some(({ field, isNot }) => field !== 'any' || isNot);
  const hint = isForInbox && ' Only the search of one inbox supports from:, to:, subject:, has: and -word.';
  return <p class="wait">No email matches.{hint}</p>;
}

interface OpenedMailProps
  extends Pick<MailOnScreen, 'inbox' | 'words' | 'now' | 'news' | 'entries' | 'letGo'>,
    Partial<Pick<MailOnScreen, 'listName'>>,
    Pick<Feed, 'tell'>,
    Pick<FileNames, 'learn'> {
  readonly opened: Opened;
  readonly listed: readonly Mail[];
  remove(keys: readonly string[]): void;
}

export function OpenedMail({ inbox, opened, listed, remove, learn, tell, ...common }: OpenedMailProps) {
  const { readLimit } = useKnown();
  const pace = useMemo(() => new Pace(readLimit, OPENING_SHARE), []);
  useFrameFocus();
  if (opened === 'nothing') return null;
  if (opened === 'looking') return <p class="mail column wait">Looking for the email…</p>;
  const { mail, gone } = opened;
  if (mail === null) return <MissingMail gone={gone} letGo={common.letGo} />;
  const place = placeOf(mail.key, inbox);
  const value: MailOnScreen = {
    listName: inbox === '' ? 'All mail' : 'Inbox',
    ...common,
    pace,
    inbox: place.inbox,
    isOfAll: inbox === '',
    mail: { ...mail, key: place.receivedAt },
    gone,
    before: earlierOf(mail, listed, inbox),
    remove: () => remove([mail.key]),
    onParts: (parts) => learn(mail.key, parts),
    onGone: () => tell({ type: 'deleted', keys: [mail.key] }),
  };
  return (
    <MailContext.Provider value={value}>
      <MailView />
    </MailContext.Provider>
  );
}

/** The key of the email to show after the shown one is deleted: the next older one; without one, the oldest. */
function nextAfter(listed: readonly Mail[], deleted: readonly string[], shown: string | null): string | null {
  const at = listed.findIndex(({ key }) => key === (shown ?? deleted[0]));
  const isLeft = ({ key }: Mail) => !deleted.includes(key);
  return (listed.slice(Math.max(at, 0)).find(isLeft) ?? listed.findLast(isLeft))?.key ?? null;
}

/** The previous email in the inbox of the same sender; without one, the previous email of any sender. */
function earlierOf(mail: Mail, listed: readonly Mail[], inbox: string): Mail | null {
  const own = placeOf(mail.key, inbox).inbox;
  const isEarlier = ({ key, receivedAt }: Mail) => receivedAt < mail.receivedAt && placeOf(key, inbox).inbox === own;
  const before = listed.find((one) => one.from === mail.from && isEarlier(one)) ?? listed.find(isEarlier);
  return before === undefined ? null : { ...before, key: placeOf(before.key, inbox).receivedAt };
}

function useSeen(key: string | null, { box, tell }: MailsProps['feed']): void {
  useUntil([key, box.unread], (signal) => {
    const look = () => {
      if (key !== null && !document.hidden) tell({ type: 'seen', key });
    };
    look();
    document.addEventListener('visibilitychange', look, { signal });
  });
}
