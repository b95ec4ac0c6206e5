import { useRef, useState } from 'preact/hooks';
import { wordsFor } from '../problem-words.js';
import { announce } from '../ui/announce.js';
import { CopyButton } from '../ui/copy.js';
import { Dialog } from '../ui/dialog.js';
import { ApiKeyForm } from '../ui/field.js';
import { HomeLink, Icon } from '../ui/icon.js';
import { shareDeletion } from './deletion.js';
import type { Connection, InboxFeed } from './use-box.js';

interface ToolbarProps {
  readonly name: string;
  readonly address: string;
  readonly apiKey: string;
  readonly feed: InboxFeed;
  onApiKey(apiKey: string): void;
  onEmptied(): void;
}

/** Which inbox this is, whether mail is coming in, and what can be done with the whole of it. */
export function Toolbar({ name, address, apiKey, feed, onApiKey, onEmptied }: ToolbarProps) {
  const keyDialog = useRef<HTMLDialogElement>(null);
  const emptyDialog = useRef<HTMLDialogElement>(null);
  return (
    <header class="toolbar">
      <HomeLink />
      <h1 class="unseen">Inbox of {address}</h1>
      <CopyButton class="address" text={address} what={`address ${address}`}>
        <span class="address-text">{address}</span>
      </CopyButton>
      {feed.error === null && <ConnectionState connection={feed.connection} retry={feed.retry} />}
      <span class="toolbar-actions">
        <button
          type="button"
          class="button button-quiet"
          aria-label="API key"
          onClick={() => keyDialog.current?.showModal()}
        >
          <Icon name="key" /> <span>API key</span>
        </button>
        {feed.error === null && (
          <button
            type="button"
            class="button button-quiet"
            aria-label="Empty this inbox"
            onClick={() => emptyDialog.current?.showModal()}
          >
            <Icon name="empty" /> <span>Empty this inbox</span>
          </button>
        )}
      </span>
      <Dialog dialog={keyDialog} title="API key">
        <ApiKeyForm apiKey={apiKey} onApiKey={onApiKey} />
      </Dialog>
      <Dialog dialog={emptyDialog} title="Empty this inbox?">
        <EmptyForm {...{ name, feed, onEmptied }} />
      </Dialog>
    </header>
  );
}

export const CONNECTION_TEXTS: Readonly<Record<Connection, string>> = {
  connecting: 'Opening',
  live: 'Live',
  away: 'Mayfly cannot be reached. Trying again…',
  limited: 'Too many requests from your address. Continuing in a moment…',
  resting: 'Paused until you come back',
};

interface ConnectionStateProps {
  readonly connection: Connection;
  retry(): void;
}

function ConnectionState({ connection, retry }: ConnectionStateProps) {
  const isTrouble = connection === 'away' || connection === 'limited';
  return (
    <span class="connection" data-state={connection} data-trouble={isTrouble}>
      {CONNECTION_TEXTS[connection]}
      {isTrouble && (
        <button type="button" class="button" onClick={retry}>
          Try now
        </button>
      )}
    </span>
  );
}

function EmptyForm({ name, feed, onEmptied }: Pick<ToolbarProps, 'name' | 'feed' | 'onEmptied'>) {
  const [problem, setProblem] = useState('');
  const empty = (event: Event) => {
    event.preventDefault();
    feed.service
      .inbox(name)
      .clear()
      .then(
        () => {
          announce('The inbox is empty.');
          shareDeletion(feed.service, name, { upTo: feed.box.mails?.[0]?.receivedAt ?? 0 });
          onEmptied();
        },
        (error: Error) => setProblem(wordsFor(error)),
      );
  };
  return (
    <form onSubmit={empty}>
      <p>This deletes all of its emails, for everyone. A test that is waiting for one of them will not find it.</p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="button button-danger">
        Empty this inbox
      </button>
    </form>
  );
}
