import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { restart } from '../credentials.js';
import { DeliveryLog, LastFailure } from '../log/delivery-log.js';
import { type Log, useLog } from '../log/use-log.js';
import { wordsFor } from '../problem-words.js';
import { addressOf, inboxApi } from '../service.js';
import { mayListAll, useSettings } from '../settings.js';
import { rememberInbox } from '../storage.js';
import { announce } from '../ui/announce.js';
import { Button, CopyButton } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { ApiKeyForm } from '../ui/field.js';
import { HomeLink } from '../ui/icon.js';
import { Where } from '../ui/where.js';
import { change } from '../url.js';
import { ConnectionState, useConnectionNews } from './connection.js';
import { shareDeletion } from './deletion.js';
import { Mails } from './mails.js';
import { EmptyInbox, UnreadableInbox } from './notices.js';
import { type InboxFeed, useBox } from './use-box.js';
import { describe, useNews } from './use-news.js';

/** The page at `/inbox/NAME` shows the mail of one inbox. */
export function InboxPage({ name }: { name: string }) {
  const feed = useBox(name);
  const { settings, error } = useSettings();
  const log = useLog(feed.error === null ? name : null);
  const address = settings === null ? name : addressOf(name, settings);
  useEffect(() => rememberInbox(name), [name]);
  useNews(name, feed.box, describe);
  useConnectionNews(feed.connection);
  return (
    <div class="inbox">
      <Toolbar {...{ name, address, feed, log }} />
      {feed.error === null ? (
        <>
          <LastFailure log={log} />
          {settings === null ? (
            <p class="wait">{error === null ? 'Opening the inbox…' : `${wordsFor(error)} Trying again…`}</p>
          ) : (
            <Mails {...{ name, feed, settings }} empty={<EmptyInbox inbox={name} settings={settings} />} />
          )}
        </>
      ) : (
        <UnreadableInbox error={feed.error} retry={feed.retry} name={name} />
      )}
    </div>
  );
}

interface ToolbarProps {
  readonly name: string;
  readonly address: string;
  readonly feed: InboxFeed;
  readonly log: Log;
}

function Toolbar({ name, address, feed, log }: ToolbarProps) {
  const keyDialog = useRef<HTMLDialogElement>(null);
  const emptyDialog = useRef<HTMLDialogElement>(null);
  const opener = (icon: 'key' | 'empty', text: string, dialog: RefObject<HTMLDialogElement | null>) => (
    <Button class="button-quiet" aria-label={text} onClick={() => dialog.current?.showModal()} {...{ icon, text }} />
  );
  return (
    <header class="toolbar bar gap-12">
      <HomeLink />
      {mayListAll() && (
        <a class="all-link text-15" href="/all">
          All mail
        </a>
      )}
      <Where inbox={name} />
      <h1 class="unseen">Inbox of {address}</h1>
      <CopyButton class="address bar" text={address} what={`address ${address}`}>
        <span class="address-text">{address}</span>
      </CopyButton>
      {feed.error === null && <ConnectionState connection={feed.connection} retry={feed.retry} />}
      <span class="toolbar-actions bar gap-0">
        {feed.error === null && <DeliveryLog mails={feed.box.mails ?? []} {...{ log, address }} />}
        {opener('key', 'API key', keyDialog)}
        {feed.error === null && opener('empty', 'Empty this inbox', emptyDialog)}
      </span>
      <Dialog dialog={keyDialog} title="API key">
        <ApiKeyForm />
      </Dialog>
      <Dialog dialog={emptyDialog} title="Empty this inbox?">
        <EmptyForm {...{ name, feed }} />
      </Dialog>
    </header>
  );
}

function EmptyForm({ name, feed }: Pick<ToolbarProps, 'name' | 'feed'>) {
  const [problem, setProblem] = useState('');
  const empty = async (event: Event) => {
    event.preventDefault();
    try {
      await inboxApi(name).clear();
      announce('The inbox is empty.');
      shareDeletion(name, { upTo: feed.box.mails?.[0]?.receivedAt ?? 0 });
      change({ fragment: '' });
      restart();
    } catch (error) {
      setProblem(wordsFor(error as Error));
    }
  };
  return (
    <form class="stack" onSubmit={empty}>
      <p>This deletes all of its emails, for everyone. A test that is waiting for one of them will not find it.</p>
      <p class="problem" role="alert">
        {problem}
      </p>
      <p>
        <Button type="submit" class="button-danger" text="Empty this inbox" />
      </p>
    </form>
  );
}
