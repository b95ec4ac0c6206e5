import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../ui/copy.js';
import { Icon } from '../ui/icon.js';
import { ago, left } from '../ui/time.js';
import type { Mail } from './mail.js';

/** Height of a row, as in the style sheet, in CSS pixels. */
const ROW_PX = 96;

/** So many rows are there above and below those that can be seen. */
const SPARE_ROWS = 6;

interface MailListProps {
  readonly mails: readonly Mail[];
  /** The key of the mail that is shown. */
  readonly shown: string | undefined;
  /** The server's time. */
  readonly now: number;
  readonly retentionMs: number;
  onChoose(mail: Mail): void;
}

/** The mails of an inbox, newest first. Only those rows are there that can be seen, and the chosen one. */
export function MailList({ mails, shown, now, retentionMs, onChoose }: MailListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { first, last } = useWindow(list, mails.length);
  const shownAt = mails.findIndex(({ key }) => key === shown);
  useSteadyScroll(list, mails);
  useEffect(() => reveal(list.current, shownAt), [shown]);

  const positions = mails.map((_, position) => position).slice(first, last);
  if (shownAt >= 0 && (shownAt < first || shownAt >= last)) positions.push(shownAt);
  return (
    <div class="list" ref={list}>
      <ul style={{ height: `${mails.length * ROW_PX}px` }}>
        {positions.map((position) => {
          const mail = mails[position] as Mail;
          return (
            <li
              key={mail.key}
              class="row"
              style={{ top: `${position * ROW_PX}px` }}
              aria-posinset={position + 1}
              aria-setsize={mails.length}
            >
              <Row mail={mail} isShown={mail.key === shown} {...{ now, retentionMs, onChoose }} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface RowProps extends Pick<MailListProps, 'now' | 'retentionMs' | 'onChoose'> {
  readonly mail: Mail;
  readonly isShown: boolean;
}

function Row({ mail, isShown, now, retentionMs, onChoose }: RowProps) {
  const { from, subject, receivedAt, otp, magicLink } = mail;
  return (
    <>
      <button type="button" class="row-open" aria-current={isShown} data-key={mail.key} onClick={() => onChoose(mail)}>
        <span class="row-from">{from || 'No sender'}</span>
        <time class="row-time" dateTime={mail.key}>
          {ago(now - receivedAt)}
        </time>
        <span class="row-subject">{subject || 'No subject'}</span>
        <span class="row-left">{left(receivedAt + retentionMs - now)}</span>
      </button>
      <p class="row-found">
        {otp !== null && (
          <CopyButton class="chip" text={otp} what={`code ${otp}`}>
            {otp}
          </CopyButton>
        )}
        {magicLink !== null && (
          <span class="row-link">
            <Icon name="link" /> Link
          </span>
        )}
      </p>
    </>
  );
}

/** Which rows can be seen, as far as the list is scrolled. */
function useWindow(list: { current: HTMLDivElement | null }, count: number): { first: number; last: number } {
  const [{ top, height }, setView] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const first = Math.max(0, Math.floor(top / ROW_PX) - SPARE_ROWS);
  return { first, last: Math.min(count, Math.ceil((top + height) / ROW_PX) + SPARE_ROWS) };
}

/** Keeps the rows that somebody looks at where they are when others come above them. */
function useSteadyScroll(list: { current: HTMLDivElement | null }, mails: readonly Mail[]): void {
  const before = useRef<Mail | undefined>(undefined);
  useLayoutEffect(() => {
    const came = before.current === undefined ? 0 : mails.indexOf(before.current);
    before.current = mails[0];
    const element = list.current;
    if (element !== null && came > 0 && element.scrollTop > ROW_PX) element.scrollTop += came * ROW_PX;
  }, [mails]);
}

/** Scrolls as little as it takes to show a row. */
function reveal(list: HTMLDivElement | null, position: number): void {
  if (list === null || position < 0) return;
  const top = position * ROW_PX;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW_PX > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW_PX - list.clientHeight;
}
