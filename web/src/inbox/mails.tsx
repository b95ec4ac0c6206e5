import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { KnownSettings } from '../settings.js';
import { Dialog } from '../ui/dialog.js';
import { useNow } from '../ui/time.js';
import { MAX_MAILS } from './box.js';
import { EmptyInbox } from './empty-inbox.js';
import { MissingMail } from './gone.js';
import { KeyHelp } from './key-help.js';
import { keysFor } from './keys.js';
import type { Mail } from './mail.js';
import { MailList } from './mail-list.js';
import { MailView } from './mail-view.js';
import { NewMail } from './new-mail.js';
import { Pace } from './pace.js';
import { PaneDivider } from './pane-divider.js';
import { focusRow } from './row-focus.js';
import type { InboxFeed } from './use-box.js';
import { useKeys } from './use-keys.js';
import { useMatching } from './use-matching.js';
import { type Opened, useOpened } from './use-opened.js';
import { useSelection } from './use-selection.js';

/** Where list and mail stand side by side, as in the style sheet. */
const WIDE = '(min-width: 60rem)';

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
  const { retentionMs, clockOffsetMs, lookLimit } = settings;
  const now = useNow() + clockOffsetMs;
  const [filter, setFilter] = useState('');
  const [chosen, choose] = useSelection();
  const isWide = useMedia(WIDE);
  const search = useRef<HTMLInputElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  const pace = useMemo(() => new Pace(lookLimit, OPENING_SHARE), []);

  const expired = now - retentionMs;
  const isStale = (box.mails?.at(-1)?.receivedAt ?? now) <= expired;
  useEffect(() => {
    if (isStale) tell({ type: 'expired', upTo: expired });
  }, [isStale, expired]);

  const listed = useMatching({ service, inbox: name, mails: box.mails ?? NO_MAILS, filter });
  // Where there is room and nothing is chosen, the newest mail is shown: usually it is the one that is waited for.
  const key = chosen ?? (isWide ? box.held : null);
  const opened = useOpened({ service, inbox: name, box, key, expired });
  const shown = opened.state === 'shown' ? opened.mail : null;
  useSeen(shown?.key ?? null, feed);
  const anchor = useFocus(key, isWide);
  const letGo = () => {
    choose(null);
    tell({ type: 'let go' });
  };
  useKeys(keysFor({ listed, shown: key, search, help, choose, letGo }));

  if (box.mails === null) return <p class="wait">Opening the inbox…</p>;
  if (box.mails.length === 0 && opened.state === 'nothing') return <EmptyInbox {...{ address, settings }} />;
  const news = <NewMail box={box} onOpen={choose} />;
  return (
    <main class="panes" data-shows={opened.state === 'nothing' ? 'list' : 'mail'}>
      <section class="pane-list" aria-label="Emails">
        <div class="search">
          <input
            ref={search}
            type="search"
            placeholder="Filter"
            aria-label="Filter by sender, subject, text or code"
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
            onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
          />
          <span class="search-count">{countOf(listed.length, box.mails.length, box.isWhole, filter)}</span>
          {news}
        </div>
        {listed.length === 0 && (
          <p class="wait">{box.mails.length === 0 ? 'No email is left.' : 'No email matches.'}</p>
        )}
        <MailList
          mails={listed}
          unread={box.unread}
          shown={key}
          onChoose={({ key }) => choose(key)}
          {...{ anchor, now, retentionMs }}
        />
        {box.mails.length >= MAX_MAILS && <p class="list-end">The newest {MAX_MAILS.toLocaleString()} are listed.</p>}
        <p class="keys">
          <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>c</kbd> copy code · <kbd>o</kbd> open link · <kbd>?</kbd> all keys
        </p>
      </section>
      <PaneDivider />
      <OpenedMail {...{ name, feed, pace, opened, now, retentionMs, letGo, news }} />
      <Dialog dialog={help} title="Keys" closing="Close">
        <KeyHelp />
      </Dialog>
    </main>
  );
}

interface OpenedMailProps extends Pick<MailsProps, 'name' | 'feed'> {
  readonly pace: Pace;
  readonly opened: Opened;
  readonly now: number;
  readonly retentionMs: number;
  readonly news: ComponentChild;
  letGo(): void;
}

function OpenedMail({ name, feed, pace, opened, now, retentionMs, news, letGo }: OpenedMailProps) {
  if (opened.state === 'nothing') return null;
  if (opened.state === 'looking') return <p class="mail wait">Looking for the email…</p>;
  if (opened.state === 'missing') return <MissingMail gone={opened.gone} {...{ retentionMs, letGo }} />;
  const { mail, gone } = opened;
  return (
    <MailView
      key={mail.key}
      service={feed.service}
      inbox={name}
      onGone={() => feed.tell({ type: 'deleted', key: mail.key })}
      {...{ pace, mail, gone, now, retentionMs, news, letGo }}
    />
  );
}

function countOf(listed: number, all: number, isWhole: boolean, filter: string): string {
  const total = `${all}${isWhole ? '' : '+'}`;
  return filter === '' ? total : `${listed} of ${total}`;
}

/** Notes that an email is looked at: while it is on screen in a page that can be seen. */
function useSeen(key: string | null, { box, tell }: InboxFeed): void {
  useEffect(() => {
    const look = () => {
      if (key !== null && !document.hidden) tell({ type: 'seen', key });
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [key, box.unread]);
}

/**
 * Where the list is left for the email, the focus goes to the email, and back to its row. Gives the key of the last
 * email that was shown, whose row is kept for that.
 */
function useFocus(key: string | null, isWide: boolean): string | null {
  const last = useRef<string | null>(null);
  const isFirst = useRef(true);
  const left = last.current;
  if (key !== null) last.current = key;
  useEffect(() => {
    const isOpening = isFirst.current;
    isFirst.current = false;
    if (isWide || isOpening) return;
    if (key !== null) document.querySelector<HTMLElement>('.mail .title')?.focus();
    else focusRow(left);
  }, [key === null, isWide]);
  return last.current;
}

function useMedia(query: string): boolean {
  const [isMatch, setMatch] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const look = () => setMatch(media.matches);
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, [query]);
  return isMatch;
}
