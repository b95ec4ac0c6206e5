import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { KnownSettings } from '../settings.js';
import { Dialog } from '../ui/dialog.js';
import { useNow } from '../ui/time.js';
import { useUntil } from '../ui/until.js';
import { useKeys } from '../ui/use-keys.js';
import { MAX_MAILS, newestUnread } from './box.js';
import { UndoBar, useDeletion } from './deletion.js';
import { focusMail, focusRow, useFocus, useFrameFocus, useIsWide } from './focus.js';
import { KeyHelp, keysFor } from './keys.js';
import type { Mail } from './mail.js';
import { MailActions } from './mail-actions.js';
import { MailList } from './mail-list.js';
import { MailView } from './mail-view.js';
import { EmptyInbox, MissingMail } from './notices.js';
import { Pace } from './pace.js';
import { PaneDivider } from './pane-divider.js';
import { useMatching, useTerms } from './search.js';
import { NewMail, SearchBar } from './search-bar.js';
import { useSelection, useTicked } from './selection.js';
import type { InboxFeed } from './use-box.js';
import { type FileNames, useFileNames } from './use-file-names.js';
import { useExpiry } from './use-news.js';
import { type Opened, useOpened } from './use-opened.js';

/** Which part of the fetch limit may go into emails that are opened. */
const OPENING_SHARE = 0.5;

const NO_MAILS: readonly Mail[] = [];

interface MailsProps {
  readonly name: string;
  readonly address: string;
  readonly feed: InboxFeed;
  readonly settings: KnownSettings;
}

/** The list of an inbox, and the email that is open. */
export function Mails({ name, address, feed, settings }: MailsProps) {
  const { service, box, tell } = feed;
  const { retentionMs, clockOffsetMs, readLimit } = settings;
  const now = useNow() + clockOffsetMs;
  const [filter, setFilter] = useState('');
  const [chosen, choose] = useSelection();
  const isWide = useIsWide();
  const search = useRef<HTMLInputElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  const pace = useMemo(() => new Pace(readLimit, OPENING_SHARE), []);
  const deletion = useDeletion(name, feed);
  const ticked = useTicked();

  const expired = now - retentionMs;
  useExpiry(box.mails, expired, tell);
  const mails = useMemo(() => visible(box.mails, deletion.hidden), [box.mails, deletion.hidden]);
  const terms = useTerms(filter);
  const fileNames = useFileNames({ service, inbox: name, settings, mails, terms });
  const listed = useMatching({ service, inbox: name, mails, terms, fileNames: fileNames.all });
  // Where there is room and nothing is chosen, the newest mail is shown: usually it is the one that is waited for.
  const held = isWide && box.held !== null && !deletion.hidden.has(box.held) ? box.held : null;
  const key = chosen ?? held;
  const opened = useOpened({ service, inbox: name, box, key, expired });
  useSeen(opened.state === 'shown' ? opened.mail.key : null, feed);
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
  if (box.mails.length === 0 && opened.state === 'nothing') return <EmptyInbox {...{ address, settings }} />;
  const news = <NewMail box={box} onOpen={choose} />;
  const onChoose = (mail: Mail, way: 'keyboard' | 'pointer') => {
    if (ticked.keys !== null) return ticked.toggle(mail.key);
    choose(mail.key);
    if (way === 'keyboard') focusMail();
  };
  return (
    <main class="panes" data-shows={opened.state === 'nothing' ? 'list' : 'mail'}>
      <section class="pane-list" aria-label="Emails">
        <SearchBar
          field={search}
          count={countOf(listed.length, mails.length, box.isWhole, filter)}
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
          {...{ now, retentionMs, onChoose }}
        />
        {box.mails.length >= MAX_MAILS && <p class="list-end">The newest {MAX_MAILS.toLocaleString()} are listed.</p>}
        <p class="keys">
          <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>c</kbd> copy code · <kbd>o</kbd> open link · <kbd>?</kbd> all keys
        </p>
      </section>
      <OpenedMail
        onDelete={() => remove(key === null ? [] : [key])}
        {...{ name, feed, settings, pace, opened, now, listed, letGo, news, learn: fileNames.learn }}
      />
      <PaneDivider />
      <UndoBar deletion={deletion} />
      <Dialog dialog={help} title="Keys" closing="Close">
        <KeyHelp />
      </Dialog>
    </main>
  );
}

/** The mails that are not being deleted. */
function visible(mails: readonly Mail[] | null, hidden: ReadonlySet<string>): readonly Mail[] {
  if (mails === null) return NO_MAILS;
  return hidden.size === 0 ? mails : mails.filter(({ key }) => !hidden.has(key));
}

/** The key of the email that follows the shown one when some are deleted: the next older one, else the oldest left. */
function nextAfter(listed: readonly Mail[], deleted: readonly string[], shown: string | null): string | null {
  const gone = new Set(deleted);
  const at = listed.findIndex(({ key }) => key === (shown ?? deleted[0]));
  const isLeft = ({ key }: Mail) => !gone.has(key);
  return (listed.slice(Math.max(at, 0)).find(isLeft) ?? listed.findLast(isLeft))?.key ?? null;
}

interface OpenedMailProps extends Pick<MailsProps, 'name' | 'feed' | 'settings'> {
  readonly pace: Pace;
  readonly opened: Opened;
  readonly now: number;
  readonly news: ComponentChild;
  /** What the list shows. */
  readonly listed: readonly Mail[];
  onDelete(): void;
  learn: FileNames['learn'];
  letGo(): void;
}

function OpenedMail(props: OpenedMailProps) {
  const { name, feed, settings, pace, opened, now, listed, news, onDelete, learn, letGo } = props;
  const { retentionMs } = settings;
  if (opened.state === 'nothing') return null;
  if (opened.state === 'looking') return <p class="mail wait">Looking for the email…</p>;
  if (opened.state === 'missing') return <MissingMail gone={opened.gone} {...{ retentionMs, letGo }} />;
  const { mail, gone } = opened;
  const { service } = feed;
  const before = earlierOf(mail, listed);
  return (
    <MailView
      key={mail.key}
      inbox={name}
      actions={<MailActions inbox={name} {...{ service, settings, mail, before, onDelete }} />}
      onParts={(parts) => learn(mail.key, parts)}
      onGone={() => feed.tell({ type: 'deleted', keys: [mail.key] })}
      {...{ service, pace, mail, gone, now, retentionMs, news, letGo }}
    />
  );
}

/** The email before another one: the last earlier one of the same sender, else of any. */
function earlierOf(mail: Mail, listed: readonly Mail[]): Mail | null {
  const earlier = listed.filter(({ receivedAt }) => receivedAt < mail.receivedAt);
  return earlier.find(({ from }) => from === mail.from) ?? earlier[0] ?? null;
}

function countOf(listed: number, all: number, isWhole: boolean, filter: string): string {
  const total = `${all}${isWhole ? '' : '+'}`;
  return filter === '' ? total : `${listed} of ${total}`;
}

/** Notes that an email is looked at: while it is on screen in a page that can be seen. */
function useSeen(key: string | null, { box, tell }: InboxFeed): void {
  useUntil([key, box.unread], (signal) => {
    const look = () => {
      if (key !== null && !document.hidden) tell({ type: 'seen', key });
    };
    look();
    document.addEventListener('visibilitychange', look, { signal });
  });
}
