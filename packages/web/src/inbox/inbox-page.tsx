import { useEffect, useState } from 'preact/hooks';
import { useApiKey } from '../api-key.js';
import { wordsFor } from '../problem-words.js';
import { addressOf } from '../service.js';
import { useSettings } from '../settings.js';
import { rememberInbox } from '../storage.js';
import { Attempts } from './attempts.js';
import { Mails } from './mails.js';
import { Problem } from './notices.js';
import { useSecret } from './secret.js';
import { Toolbar } from './toolbar.js';
import { useBox } from './use-box.js';
import { useConnectionNews, useNews } from './use-news.js';

/** `/inbox/NAME`: the mail of one inbox, as it comes. */
export function InboxPage({ name }: { name: string }) {
  const [apiKey, setApiKey] = useApiKey();
  const [secret, setSecret] = useSecret(name);
  const [visit, setVisit] = useState(0);
  useEffect(() => rememberInbox(name), [name]);
  const beginAnew = () => {
    history.replaceState(null, '', location.pathname);
    setVisit(visit + 1);
  };
  // Another key, or an inbox that was emptied, begins anew.
  const keys = { apiKey, onApiKey: setApiKey, secret, onSecret: setSecret };
  return <Inbox key={`${visit} ${apiKey} ${secret}`} name={name} onEmptied={beginAnew} {...keys} />;
}

interface InboxProps {
  readonly name: string;
  readonly apiKey: string;
  onApiKey(apiKey: string): void;
  readonly secret: string | null;
  onSecret(secret: string): void;
  onEmptied(): void;
}

function Inbox({ name, apiKey, onApiKey, secret, onSecret, onEmptied }: InboxProps) {
  const feed = useBox(name, apiKey, secret);
  const { settings, error } = useSettings(feed.service);
  const address = settings === null ? name : addressOf(name, settings);
  useNews(name, feed.box);
  useConnectionNews(feed.connection);
  return (
    <div class="inbox">
      <Toolbar {...{ name, address, apiKey, onApiKey, onEmptied, feed }} />
      {feed.error === null && <Attempts {...{ name, feed }} />}
      {feed.error !== null && (
        <Problem error={feed.error} retry={feed.retry} {...{ name, apiKey, onApiKey, secret, onSecret }} />
      )}
      {feed.error === null && settings === null && (
        <p class="wait">{error === null ? 'Opening the inbox…' : `${wordsFor(error)} Trying again…`}</p>
      )}
      {feed.error === null && settings !== null && <Mails {...{ name, address, feed, settings }} />}
    </div>
  );
}
