import { useEffect, useRef, useState } from 'preact/hooks';
import { keyOf } from '../service.js';
import { keep, kept } from '../storage.js';
import { announce, toast } from '../ui/announce.js';
import { Switch } from '../ui/button.js';
import { writtenOut } from '../ui/visible.js';
import type { Box, BoxEvent } from './box.js';
import { type Mail, senderOf, subjectOf } from './mail.js';

/** All tabs of this browser share the choice. */
const KEY = 'mayfly-notifications';

const MAX_SENDER_CHARS = 100;

/** Chrome on Android has no notifications for pages, although it has their API. */
const MISSING = 'This browser shows no notifications for this page. Most browsers need HTTPS or localhost.';

/** Why the browser cannot show notifications; empty if it can. */
function obstacle(): string {
  if (!isSecureContext || !('Notification' in window)) return MISSING;
  return Notification.permission === 'denied' ? 'The browser blocks notifications. Allow them in its settings.' : '';
}

function areOn(): boolean {
  return obstacle() === '' && Notification.permission === 'granted' && kept('localStorage', KEY) !== null;
}

/** Lets the user turn notifications on. Only then asks the browser for permission. */
export function Notifications() {
  const [isOn, setOn] = useState(areOn());
  const [problem, setProblem] = useState(obstacle());
  const turn = async (isWanted: boolean) => {
    const isAllowed = isWanted && obstacle() === '' && (await Notification.requestPermission()) === 'granted';
    keep('localStorage', KEY, isAllowed ? 'on' : '');
    setOn(isAllowed);
    setProblem(obstacle());
  };
  return (
    <div class="stack">
      <p>
        While this tab is hidden, a notification announces new email. It shows the sender and the code, unless the email
        needs a key. Others may see it on a locked or shared screen.
      </p>
      <Switch label="Show notifications" isOn={isOn} onTurn={turn} />
      <p class="problem" role="alert">
        {problem}
      </p>
    </div>
  );
}

/** Notifies of new mail while the tab is hidden. A key stays in its tab, so nothing that it protects leaves the tab. */
function notify(inbox: string, mail: Mail, count: number): void {
  if (!document.hidden || !areOn()) return;
  const code = mail.code === null ? '' : `, code ${mail.code}`;
  const body = keyOf(inbox) === null ? `${writtenOut(senderOf(mail).slice(0, MAX_SENDER_CHARS))}${code}` : '';
  try {
    // A notification with the same tag replaces the last one.
    const shown = new Notification(count === 1 ? 'New email' : `${count} new emails`, { body, tag: KEY });
    shown.onclick = () => {
      focus();
      shown.close();
    };
  } catch {
    toast(MISSING);
  }
}

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
