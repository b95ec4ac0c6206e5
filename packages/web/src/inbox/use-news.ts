import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../ui/announce.js';
import type { Box } from './box.js';
import { type Mail, senderOf, subjectOf } from './mail.js';
import type { Connection } from './use-box.js';

type Timed = Pick<Mail, 'receivedAt'>;

/** Tells those who do not look at the page what has come: in its title until it was seen, and aloud. */
export function useNews(name: string, { mails, unread }: Box): void {
  useEffect(() => {
    document.title = titleOf(name, mails?.filter(({ key }) => unread.has(key)) ?? []);
  }, [name, mails, unread]);
  useArrivals(mails, describe);
}

/** The title of the tab: how many are new, and the newest code among them. */
function titleOf(name: string, unread: readonly Mail[]): string {
  if (unread.length === 0) return `${name} – Mayfly`;
  const code = unread.find(({ code }) => code !== null)?.code;
  return `(${unread.length}) ${code ? `${code} – ` : ''}${name}`;
}

/** Says aloud what has come. */
export function useArrivals<T extends Timed>(mails: readonly T[] | null, describe: (mail: T) => string): void {
  const newest = useRef<number | null>(null);
  useEffect(() => {
    if (mails === null) return;
    const before = newest.current;
    newest.current = Math.max(before ?? 0, mails[0]?.receivedAt ?? 0);
    if (before === null) return;
    const fresh = mails.filter(({ receivedAt }) => receivedAt > before);
    const [first] = fresh;
    if (first === undefined) return;
    announce(fresh.length === 1 ? describe(first) : `${fresh.length} new emails.`);
  }, [mails]);
}

/** Takes what has expired from a list. */
export function useExpiry(
  mails: readonly Timed[] | null,
  expired: number,
  tell: (event: { readonly type: 'expired'; readonly upTo: number }) => void,
): void {
  const isStale = (mails?.at(-1)?.receivedAt ?? Number.POSITIVE_INFINITY) <= expired;
  useEffect(() => {
    if (isStale) tell({ type: 'expired', upTo: expired });
  }, [isStale, expired]);
}

function describe(mail: Mail): string {
  const { code, action } = mail;
  const found = [code === null ? '' : ` Code ${code}.`, action ? ' With a link.' : ''];
  return `New email from ${senderOf(mail)}: ${subjectOf(mail)}.${found.join('')}`;
}

/** Says aloud when the service goes, and when it is back. */
export function useConnectionNews(connection: Connection): void {
  const before = useRef(connection);
  useEffect(() => {
    const { current } = before;
    before.current = connection;
    if (connection === 'away' && current !== 'away') announce('Mayfly cannot be reached. Trying again.');
    if (connection === 'live' && current === 'away') announce('Mayfly is back.');
  }, [connection]);
}
