import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Service } from '../service.js';
import { announce } from '../ui/announce.js';
import { Feed } from './feed.js';
import { type Mail, mailOf, withMails } from './mail.js';

/** How the page stands to the service. */
export type Connection = 'connecting' | 'live' | 'away';

/** One inbox as the page sees it. */
export interface InboxFeed {
  readonly service: Service;
  readonly connection: Connection;
  /** Newest first; null until the first list has come. */
  readonly mails: readonly Mail[] | null;
  /** What keeps the inbox from being read, and trying again does not mend. */
  readonly error: Error | null;
  /** Drops the mails that were received at this moment or before. */
  forget(upTo: number): void;
}

/** Follows an inbox while the page can be seen. A hidden one would hold one of the few connections of its browser. */
export function useFeed(name: string, apiKey: string): InboxFeed {
  const [connection, setConnection] = useState<Connection>('connecting');
  const [mails, setMails] = useState<readonly Mail[] | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const isVisible = useVisibility();
  const { service, feed } = useMemo(() => {
    const service = new Service(apiKey, (isReached) => setConnection(isReached ? 'live' : 'away'));
    const feed = new Feed(service.mayfly.inbox(name), (emails) =>
      setMails((known) => withMails(known ?? [], emails.map(mailOf))),
    );
    return { service, feed };
  }, [name, apiKey]);

  useEffect(() => {
    if (!isVisible) return;
    const controller = new AbortController();
    setError(null);
    feed.run(controller.signal).catch((reason: Error) => {
      if (controller.signal.aborted) return;
      controller.abort();
      setError(reason);
    });
    return () => controller.abort();
  }, [feed, isVisible]);
  useAnnouncements(connection, mails);

  const forget = (upTo: number) => setMails((known) => known?.filter(({ receivedAt }) => receivedAt > upTo) ?? null);
  return { service, connection, mails, error, forget };
}

function useVisibility(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
}

/** Tells those who cannot see it what has come, and whether the service is there. */
function useAnnouncements(connection: Connection, mails: readonly Mail[] | null): void {
  const before = useRef({ connection, newest: mails?.[0] ?? null, isListed: mails !== null });
  useEffect(() => {
    const { current } = before;
    before.current = { connection, newest: mails?.[0] ?? null, isListed: mails !== null };
    if (connection === 'away' && current.connection !== 'away') announce('Mayfly cannot be reached. Trying again.');
    if (connection === 'live' && current.connection === 'away') announce('Mayfly is back.');
    if (mails === null || !current.isListed) return;
    const fresh = mails.filter(({ receivedAt }) => receivedAt > (current.newest?.receivedAt ?? 0));
    const [newest] = fresh;
    if (newest === undefined) return;
    announce(fresh.length === 1 ? describe(newest) : `${fresh.length} new emails.`);
  }, [connection, mails]);
}

function describe({ from, subject, otp, magicLink }: Mail): string {
  const found = [otp === null ? '' : ` Code ${otp}.`, magicLink === null ? '' : ' With a link.'];
  return `New email from ${from || 'nobody'}: ${subject || 'no subject'}.${found.join('')}`;
}
