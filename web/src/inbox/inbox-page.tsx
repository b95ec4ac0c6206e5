import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useApiKey } from '../api-key.js';
import { addressOf } from '../service.js';
import { type KnownSettings, useSettings } from '../settings.js';
import { copyAloud } from '../ui/copy.js';
import { useNow } from '../ui/time.js';
import { EmptyInbox } from './empty-inbox.js';
import { type Mail, matching } from './mail.js';
import { MailList } from './mail-list.js';
import { MailView } from './mail-view.js';
import { Pace } from './pace.js';
import { Problem } from './problem.js';
import { Toolbar } from './toolbar.js';
import { type InboxFeed, useFeed } from './use-feed.js';
import { useKeys } from './use-keys.js';
import { useSelection } from './use-selection.js';

/** Where list and mail stand side by side, as in the style sheet. */
const WIDE = '(min-width: 60rem)';

/** `/inbox/NAME`: the mail of one inbox, as it comes. */
export function InboxPage({ name }: { name: string }) {
  const [apiKey, setApiKey] = useApiKey();
  const [visit, setVisit] = useState(0);
  // Another key, or an inbox that was emptied, begins anew.
  return (
    <Inbox
      key={`${visit} ${apiKey}`}
      name={name}
      apiKey={apiKey}
      onApiKey={setApiKey}
      onEmptied={() => setVisit(visit + 1)}
    />
  );
}

interface InboxProps {
  readonly name: string;
  readonly apiKey: string;
  onApiKey(apiKey: string): void;
  onEmptied(): void;
}

function Inbox({ name, apiKey, onApiKey, onEmptied }: InboxProps) {
  const feed = useFeed(name, apiKey);
  const settings = useSettings(feed.service);
  const address = settings === null ? name : addressOf(name, settings);
  useEffect(() => {
    document.title = `${name} – Mayfly`;
  }, [name]);
  return (
    <div class="inbox">
      <Toolbar {...{ name, address, apiKey, onApiKey, onEmptied, feed }} />
      {feed.error !== null && <Problem error={feed.error} apiKey={apiKey} onApiKey={onApiKey} />}
      {feed.error === null && settings === null && <p class="wait">Opening the inbox…</p>}
      {feed.error === null && settings !== null && <Mails {...{ name, address, feed, settings }} />}
    </div>
  );
}

interface MailsProps {
  readonly name: string;
  readonly address: string;
  readonly feed: InboxFeed;
  readonly settings: KnownSettings;
}

function Mails({ name, address, feed, settings }: MailsProps) {
  const { retentionMs, clockOffsetMs, fetchLimit } = settings;
  const now = useNow() + clockOffsetMs;
  const [filter, setFilter] = useState('');
  const [chosen, choose] = useSelection();
  const isWide = useMedia(WIDE);
  const search = useRef<HTMLInputElement>(null);
  const pace = useMemo(() => new Pace(fetchLimit), []);

  const expired = now - retentionMs;
  const { forget } = feed;
  const mails = feed.mails?.filter(({ receivedAt }) => receivedAt > expired) ?? null;
  const isStale = mails?.length !== feed.mails?.length;
  useEffect(() => {
    if (isStale) forget(expired);
  }, [isStale]);

  const listed = matching(mails ?? [], filter);
  // Where there is room and nothing is chosen, the newest mail is shown: usually it is the one that is waited for.
  const shown = listed.find(({ key }) => key === chosen) ?? (isWide ? listed[0] : undefined);
  useKeys(keysFor({ listed, shown, search, choose }));

  if (mails === null) return <p class="wait">Opening the inbox…</p>;
  if (mails.length === 0) return <EmptyInbox {...{ address, settings }} />;
  return (
    <main class="panes" data-shows={shown === undefined ? 'list' : 'mail'}>
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
          <span class="search-count">{filter === '' ? mails.length : `${listed.length} of ${mails.length}`}</span>
        </div>
        {listed.length === 0 && <p class="wait">No email matches.</p>}
        <MailList mails={listed} shown={shown?.key} onChoose={({ key }) => choose(key)} {...{ now, retentionMs }} />
        <p class="keys">
          <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>c</kbd> copy code · <kbd>o</kbd> open link · <kbd>/</kbd> filter
        </p>
      </section>
      {shown !== undefined && (
        <MailView
          key={shown.key}
          service={feed.service}
          pace={pace}
          inbox={name}
          mail={shown}
          onBack={() => choose(null)}
          {...{ now, retentionMs }}
        />
      )}
    </main>
  );
}

interface KeyContext {
  readonly listed: readonly Mail[];
  readonly shown: Mail | undefined;
  readonly search: { readonly current: HTMLInputElement | null };
  choose(key: string | null): void;
}

function keysFor({ listed, shown, search, choose }: KeyContext) {
  const step = (by: number) => {
    const next = listed[shown === undefined ? 0 : listed.indexOf(shown) + by];
    if (next === undefined) return;
    choose(next.key);
    // The row may have to be made first.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus());
  };
  return {
    ArrowUp: () => step(-1),
    ArrowDown: () => step(1),
    c: () => shown?.otp && copyAloud(shown.otp, `code ${shown.otp}`),
    o: () => shown?.magicLink && open(shown.magicLink, '_blank', 'noopener,noreferrer'),
    '/': () => search.current?.focus(),
    Escape: () => choose(null),
  };
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
