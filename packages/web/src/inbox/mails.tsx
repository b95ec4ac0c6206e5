import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { KnownSettings } from '../settings.js';
import { Dialog } from '../ui/dialog.js';
import { Facts } from '../ui/scroll.js';
import { useNow } from '../ui/time.js';
import { useUntil } from '../ui/until.js';
import { useKeys } from '../ui/use-keys.js';
import { useQuery } from '../url.js';
import { MailContext, type MailOnScreen } from './answer.js';
import { newestUnread } from './box.js';
import { UndoBar, useDeletion } from './deletion.js';
import { focusMail, focusRow, useFocus, useFrameFocus, useIsWide } from './focus.js';
import { KEY_FACTS, keysFor } from './keys.js';
import type { Mail } from './mail.js';
import { MailList } from './mail-list.js';
import { MailView } from './mail-view.js';
import { EmptyInbox, MissingMail } from './notices.js';
import { Pace } from './pace.js';
import { PaneDivider } from './pane-divider.js';
import { NewMail, SearchBar, termsOf, useMatching } from './search.js';
import { type Opened, useOpened, useSelection, useTicked } from './selection.js';
import type { InboxFeed } from './use-box.js';
import { type FileNames, useFileNames } from './use-file-names.js';
import { useExpiry } from './use-news.js';

/** The share of the fetch limit that opening emails may use. */
const OPENING_SHARE = 0.5;

export interface MailsProps {
  readonly name: string;
  readonly feed: InboxFeed;
  readonly settings: KnownSettings;
}

export function Mails({ name: inbox, feed, settings }: MailsProps) {
  const { box, tell } = feed;
  const { retentionMs, clockOffsetMs, readLimit } = settings;
  const now = useNow() + clockOffsetMs;
  const [filter, setFilter] = useQuery('q');
  const [chosen, choose] = useSelection();
  const isWide = useIsWide();
  const search = useRef<HTMLInputElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  const pace = useMemo(() => new Pace(readLimit, OPENING_SHARE), []);
  const deletion = useDeletion(inbox, feed);
  const ticked = useTicked();

  const expired = now - retentionMs;
  useExpiry(box.mails, expired, tell);
  const { hidden } = deletion;
  const mails = useMemo(() => box.mails?.filter(({ key }) => !hidden.has(key)) ?? [], [box.mails, hidden]);
  const terms = useMemo(() => termsOf(filter), [filter]);
  const fileNames = useFileNames(inbox, readLimit, mails, terms);
  const listed = useMatching(inbox, mails, terms, fileNames.all);
  // With room for both panes, shows the newest email until the user chooses one, because users usually wait for it.
  const held = isWide && box.held !== null && !hidden.has(box.held) ? box.held : null;
  const key = chosen ?? held;
  const opened = useOpened(inbox, box, key, expired);
  useSeen(typeof opened === 'object' ? (opened.mail?.key ?? null) : null, feed);
  const [cursor, setCursor] = useState<string | null>(null);
  useEffect(() => {
    if (key !== null) setCursor(key);
  }, [key]);
  useFocus(key, isWide);
  const letGo = () => {
    choose(null);
    tell({ type: 'let go' });
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
  useFrameFocus();
  const context = { listed, shown: key, newest: newestUnread(box), search, help, ticked };
  useKeys(keysFor({ ...context, goTo, choose, letGo, remove, undo: deletion.undo }));

  if (box.mails === null) return <p class="wait">Opening the inbox…</p>;
  if (box.mails.length === 0 && opened === 'nothing') return <EmptyInbox {...{ inbox, settings }} />;
  const news = <NewMail box={box} onOpen={choose} />;
  const onChoose = (mail: Mail, way: 'keyboard' | 'pointer') => {
    if (ticked.keys !== null) return ticked.toggle(mail.key);
    choose(mail.key);
    if (way === 'keyboard') focusMail();
  };
  return (
    <main class="panes stack" data-shows={opened === 'nothing' ? 'list' : 'mail'}>
      <section class="pane-list column" aria-label="Emails">
        <SearchBar
          field={search}
          count={countOf(listed.length, mails.length, box.next === null, filter)}
          onFilter={setFilter}
          onDelete={remove}
          {...{ filter, listed, ticked, news }}
        />
        {listed.length === 0 && <p class="wait">{mails.length === 0 ? 'No email is left.' : 'No email matches.'}</p>}
        <MailList
          mails={listed}
          unread={box.unread}
          shown={key}
          anchor={key ?? cursor}
          ticked={ticked.keys}
          {...{ inbox, settings, now, onChoose }}
        />
        {box.mails.length >= box.max && (
          <p class="list-end soft text-13">The newest {box.max.toLocaleString()} are listed.</p>
        )}
        <p class="keys soft text-13">
          <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>c</kbd> copy code · <kbd>o</kbd> open link · <kbd>?</kbd> all keys
        </p>
      </section>
      <OpenedMail
        learn={fileNames.learn}
        {...{ inbox, settings, now, pace, news, letGo, opened, listed, remove, tell }}
      />
      <PaneDivider />
      <UndoBar deletion={deletion} />
      <Dialog dialog={help} title="Keys" closing="Close">
        <Facts facts={KEY_FACTS} />
      </Dialog>
    </main>
  );
}

interface OpenedMailProps
  extends Pick<MailOnScreen, 'inbox' | 'settings' | 'now' | 'pace' | 'news' | 'letGo'>,
    Pick<InboxFeed, 'tell'>,
    Pick<FileNames, 'learn'> {
  readonly opened: Opened;
  readonly listed: readonly Mail[];
  remove(keys: readonly string[]): void;
}

function OpenedMail({ opened, listed, remove, learn, tell, ...common }: OpenedMailProps) {
  if (opened === 'nothing') return null;
  if (opened === 'looking') return <p class="mail column wait">Looking for the email…</p>;
  const { mail, gone } = opened;
  if (mail === null) return <MissingMail gone={gone} letGo={common.letGo} retentionMs={common.settings.retentionMs} />;
  const value: MailOnScreen = {
    ...common,
    mail,
    gone,
    before: earlierOf(mail, listed),
    remove: () => remove([mail.key]),
    onParts: (parts) => learn(mail.key, parts),
    onGone: () => tell({ type: 'deleted', keys: [mail.key] }),
  };
  return (
    <MailContext.Provider value={value}>
      <MailView key={mail.key} />
    </MailContext.Provider>
  );
}

/** The key of the email to show after the shown one is deleted: the next older one; without one, the oldest. */
function nextAfter(listed: readonly Mail[], deleted: readonly string[], shown: string | null): string | null {
  const at = listed.findIndex(({ key }) => key === (shown ?? deleted[0]));
  const isLeft = ({ key }: Mail) => !deleted.includes(key);
  return (listed.slice(Math.max(at, 0)).find(isLeft) ?? listed.findLast(isLeft))?.key ?? null;
}

/** The previous email of the same sender; without one, the previous email of any sender. */
function earlierOf(mail: Mail, listed: readonly Mail[]): Mail | null {
  const earlier = listed.filter(({ receivedAt }) => receivedAt < mail.receivedAt);
  return earlier.find(({ from }) => from === mail.from) ?? earlier[0] ?? null;
}

function countOf(listed: number, all: number, isWhole: boolean, filter: string): string {
  const total = `${all}${isWhole ? '' : '+'}`;
  return filter === '' ? total : `${listed} of ${total}`;
}

function useSeen(key: string | null, { box, tell }: InboxFeed): void {
  useUntil([key, box.unread], (signal) => {
    const look = () => {
      if (key !== null && !document.hidden) tell({ type: 'seen', key });
    };
    look();
    document.addEventListener('visibilitychange', look, { signal });
  });
}
