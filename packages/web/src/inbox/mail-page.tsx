import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { credentials, restart } from '../credentials.js';
import { DeliveryLog, LastFailure, LogButton } from '../log/delivery-log.js';
import { useLog } from '../log/use-log.js';
import { wordsFor } from '../problem-words.js';
import { addressOf, inboxApi } from '../service.js';
import { mayListAll, useSettings } from '../settings.js';
import { remember } from '../storage.js';
import { announce, Problem } from '../ui/announce.js';
import { Button, CopyButton } from '../ui/button.js';
import { Guide } from '../ui/guide.js';
import { type Entry, Toolbar } from '../ui/toolbar.js';
import { useUntil } from '../ui/until.js';
import { change, useQuery } from '../url.js';
import { shareDeletion, useDeletions } from './deletion.js';
import { type Connection, type Feed, useFeed } from './feed.js';
import { Mails } from './mails.js';
import { EmptyInbox, isRefusal, Unreadable } from './notices.js';
import { Notifications, useNews } from './notifications.js';
import { ALL_MAIL, inboxSource } from './sources.js';

/** The page at `/inbox/NAME` shows the mail of one inbox. */
export function InboxPage({ name }: { name: string }) {
  useEffect(() => remember('inboxes', name), [name]);
  const feed = useFeed(useMemo(() => inboxSource(name), [name]));
  useDeletions(name, feed.tell, feed.retry);
  return <MailPage name={name} feed={feed} />;
}

/** The page at `/` shows all mail. For those who may not list all mail, shows `lost` or, without it, how to start. */
export function AllPage({ lost }: { lost?: ComponentChild }) {
  const [search] = useQuery('q');
  const { settings } = useSettings();
  const mayList = settings !== null && mayListAll();
  const feed = useFeed(ALL_MAIL, mayList, search.trim());
  // New emails are marked until the user leaves the tab.
  useUntil([], (signal) => {
    const leave = () => document.hidden && feed.tell({ type: 'seen' });
    document.addEventListener('visibilitychange', leave, { signal });
  });
  const isRefused = settings !== null && (!mayList || (isRefusal(feed.error) && credentials.key === null));
  if (isRefused && lost) return <>{lost}</>;
  return <MailPage name="" feed={feed} isRefused={isRefused} />;
}

interface MailPageProps {
  /** Empty for all mail. */
  readonly name: string;
  readonly feed: Feed;
  readonly isRefused?: boolean;
}

function MailPage({ name, feed, isRefused = false }: MailPageProps) {
  const { settings, error } = useSettings();
  const isOpen = feed.error === null && !isRefused;
  const log = useLog(isOpen ? name : null);
  const address = name === '' || settings === null ? name : addressOf(name, settings);
  const title = isRefused ? 'Mayfly' : name || 'All mail';
  useNews(isRefused ? '' : title, feed.box, name);
  useConnectionNews(feed.connection);
  const entries: Entry[] = [{ text: 'Notifications', icon: 'bell', content: <Notifications /> }];
  if (name !== '' && isOpen)
    entries.push({ text: 'Empty this inbox', icon: 'empty', content: <EmptyForm {...{ name, feed }} /> });
  const content = () => {
    if (settings === null) {
      const isKnown = error === null || feed.connection === 'away';
      return <main class="wait">{isKnown ? 'Opening…' : `${wordsFor(error)} Trying again…`}</main>;
    }
    if (isRefused) return <Guide />;
    if (feed.error !== null) return <Unreadable error={feed.error} {...{ name }} retry={feed.retry} />;
    const empty = name === '' ? <Guide /> : <EmptyInbox inbox={name} />;
    const all = [{ text: 'Delivery log', icon: 'log', act: log.open } as const, ...entries];
    return <Mails entries={all} {...{ name, feed, empty }} />;
  };
  return (
    <div class="inbox">
      <Toolbar
        inbox={name}
        title={name === '' ? title : `Inbox of ${address}`}
        log={isOpen && <LogButton log={log} />}
        {...{ entries }}
      >
        {name !== '' && (
          <CopyButton class="address bar" text={address} what={`address ${address}`}>
            <span class="address-text">{address}</span>
          </CopyButton>
        )}
        {isOpen && <ConnectionState connection={feed.connection} retry={feed.retry} />}
      </Toolbar>
      {isOpen && <DeliveryLog mails={feed.box.mails ?? []} {...{ log, address }} />}
      {isOpen && name !== '' && <LastFailure log={log} />}
      {content()}
    </div>
  );
}

function EmptyForm({ name, feed }: Pick<MailPageProps, 'name' | 'feed'>) {
  const [error, setError] = useState<Error | null>(null);
  const empty = async () => {
    try {
      await inboxApi(name).clear();
      announce('The inbox is empty.');
      shareDeletion(name, { upTo: feed.box.mails?.[0]?.receivedAt ?? 0 });
      change({ fragment: '' });
      restart();
    } catch (reason) {
      setError(reason as Error);
    }
  };
  return (
    <>
      <p>This deletes all of its emails, for everyone. A test that is waiting for one of them will not find it.</p>
      {error && <Problem error={error} />}
      <p>
        <Button class="button-danger" text="Empty this inbox" onClick={empty} />
      </p>
    </>
  );
}

const TEXTS: Readonly<Record<Connection, string>> = {
  connecting: 'Opening',
  live: 'Live',
  away: 'Mayfly cannot be reached. Trying again…',
  limited: 'Too many requests from your address. Continuing in a moment…',
  resting: 'Paused until you come back',
};

/** Shows the state of the connection to the service. With `retry`, also shows a button to reconnect now. */
function ConnectionState({ connection, retry }: { connection: Connection; retry?: () => void }) {
  const isTrouble = connection === 'away' || connection === 'limited';
  return (
    <span class="connection bar soft text-14" data-state={connection} data-trouble={isTrouble}>
      {TEXTS[connection]}
      {isTrouble && retry && <Button class="button-small" text="Try now" onClick={retry} />}
    </span>
  );
}

/** Announces when the service goes away, and when it is back. */
function useConnectionNews(connection: Connection): void {
  const before = useRef(connection);
  useEffect(() => {
    const { current } = before;
    before.current = connection;
    if (connection === 'away' && current !== 'away') announce('Mayfly cannot be reached. Trying again.');
    if (connection === 'live' && current === 'away') announce('Mayfly is back.');
  }, [connection]);
}
