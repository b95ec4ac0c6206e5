import { useEffect } from 'preact/hooks';
import { wordsFor } from '../problem-words.js';
import { addressOf } from '../service.js';
import { useSettings } from '../settings.js';
import { rememberInbox } from '../storage.js';
import { Attempts } from './attempts.js';
import { useConnectionNews } from './connection.js';
import { Mails } from './mails.js';
import { Problem } from './notices.js';
import { Toolbar } from './toolbar.js';
import { useBox } from './use-box.js';
import { useNews } from './use-news.js';

/** `/inbox/NAME`: the mail of one inbox. */
export function InboxPage({ name }: { name: string }) {
  const feed = useBox(name);
  const { settings, error } = useSettings();
  const address = settings === null ? name : addressOf(name, settings);
  useEffect(() => rememberInbox(name), [name]);
  useNews(name, feed.box);
  useConnectionNews(feed.connection);
  return (
    <div class="inbox">
      <Toolbar {...{ name, address, feed }} />
      {feed.error === null ? (
        <>
          <Attempts {...{ name, feed }} />
          {settings === null ? (
            <p class="wait">{error === null ? 'Opening the inbox…' : `${wordsFor(error)} Trying again…`}</p>
          ) : (
            <Mails {...{ name, address, feed, settings }} />
          )}
        </>
      ) : (
        <Problem error={feed.error} retry={feed.retry} name={name} />
      )}
    </div>
  );
}
