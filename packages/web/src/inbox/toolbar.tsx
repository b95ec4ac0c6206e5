import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { restart } from '../credentials.js';
import { wordsFor } from '../problem-words.js';
import { inboxApi } from '../service.js';
import { announce } from '../ui/announce.js';
import { CopyButton } from '../ui/copy.js';
import { Dialog } from '../ui/dialog.js';
import { ApiKeyForm } from '../ui/field.js';
import { HomeLink, Icon } from '../ui/icon.js';
import { ConnectionState } from './connection.js';
import { shareDeletion } from './deletion.js';
import type { InboxFeed } from './use-box.js';

interface ToolbarProps {
  readonly name: string;
  readonly address: string;
  readonly feed: InboxFeed;
}

/** The address of the inbox, the state of the connection, and the actions on the whole inbox. */
export function Toolbar({ name, address, feed }: ToolbarProps) {
  const keyDialog = useRef<HTMLDialogElement>(null);
  const emptyDialog = useRef<HTMLDialogElement>(null);
  const opener = (icon: 'key' | 'empty', text: string, dialog: RefObject<HTMLDialogElement | null>) => (
    <button type="button" class="button button-quiet" aria-label={text} onClick={() => dialog.current?.showModal()}>
      <Icon name={icon} /> <span>{text}</span>
    </button>
  );
  return (
    <header class="toolbar bar gap-12">
      <HomeLink />
      <h1 class="unseen">Inbox of {address}</h1>
      <CopyButton class="address bar" text={address} what={`address ${address}`}>
        <span class="address-text">{address}</span>
      </CopyButton>
      {feed.error === null && <ConnectionState connection={feed.connection} retry={feed.retry} />}
      <span class="toolbar-actions bar gap-0">
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
      history.replaceState(null, '', location.pathname);
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
        <button type="submit" class="button button-danger">
          Empty this inbox
        </button>
      </p>
    </form>
  );
}
