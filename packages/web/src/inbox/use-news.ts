import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../ui/announce.js';
import type { Box, BoxEvent } from './box.js';
import { type Mail, senderOf, subjectOf } from './mail.js';
import { notify } from './notifications.js';

/** Shows unread mail in the title, with the newest code, and announces new mail. `inbox` is empty for all mail. */
export function useNews(name: string, { mails, unread }: Box, inbox: string): void {
  useEffect(() => {
    const fresh = unread.size === 0 ? [] : (mails?.filter(({ key }) => unread.has(key)) ?? []);
    const code = fresh.find(({ code }) => code !== null)?.code;
    const parts = fresh.length === 0 ? [name, 'Mayfly'] : [code, name];
    document.title = `${fresh.length === 0 ? '' : `(${fresh.length}) `}${parts.filter(Boolean).join(' – ')}`;
  }, [name, mails, unread]);
  useArrivals(mails, inbox);
}

function useArrivals(mails: readonly Mail[] | null, inbox: string): void {
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
    notify(inbox, first, fresh.length);
  }, [mails]);
}

export function useExpiry({ mails, pages }: Box, expired: number, tell: (event: BoxEvent) => void): void {
  const isOld = (time: number | undefined) => (time || Number.POSITIVE_INFINITY) <= expired;
  const isStale = isOld(mails?.at(-1)?.receivedAt) || pages.some(({ oldest, isSized }) => isSized && isOld(oldest));
  useEffect(() => {
    if (isStale) tell({ type: 'expired', upTo: expired });
  }, [isStale, expired]);
}

function describe(mail: Mail): string {
  const { code, action } = mail;
  const found = [code === null ? '' : ` Code ${code}.`, action ? ' With a link.' : ''];
  return `New email from ${senderOf(mail)}: ${subjectOf(mail)}.${found.join('')}`;
}
