import { useEffect, useRef, useState } from 'preact/hooks';
import { reveal, useRowWindow, useSteadyScroll } from '../ui/row-window.js';
import type { Mail } from './mail.js';
import { MailRow } from './mail-row.js';

/** Height of a row, as in the style sheet, in CSS pixels. */
const ROW_PX = 68;

interface MailListProps {
  readonly mails: readonly Mail[];
  readonly unread: ReadonlySet<string>;
  /** The key of the mail that is shown. */
  readonly shown: string | null;
  /** The key of a mail whose row is there in any case, so that it can have the focus. */
  readonly anchor: string | null;
  /** The server's time. */
  readonly now: number;
  readonly retentionMs: number;
  onChoose(mail: Mail): void;
}

/**
 * The mails of an inbox, newest first. Only those rows are there that can be seen, and the one that can have the focus.
 */
export function MailList({ mails, unread, shown, anchor, now, retentionMs, onChoose }: MailListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { steady, hold, release } = useSteadyRows(mails, shown);
  const { first, last } = useRowWindow(list, steady.length, ROW_PX);
  const anchorAt = steady.findIndex(({ key }) => key === anchor);
  useSteadyScroll(list, steady, ROW_PX);
  useEffect(() => reveal(list.current, anchorAt, ROW_PX), [shown, anchorAt >= 0]);

  const positions = Array.from({ length: Math.max(0, last - first) }, (_, position) => first + position);
  if (anchorAt >= 0 && (anchorAt < first || anchorAt >= last)) positions.push(anchorAt);
  return (
    <div class="list" ref={list} onPointerEnter={hold} onPointerLeave={release}>
      <ul style={{ height: `${steady.length * ROW_PX}px` }}>
        {positions.map((position) => {
          const mail = steady[position] as Mail;
          return (
            <li
              key={mail.key}
              class="row"
              style={{ top: `${position * ROW_PX}px` }}
              aria-posinset={position + 1}
              aria-setsize={steady.length}
              data-unread={unread.has(mail.key)}
            >
              <MailRow
                mail={mail}
                isShown={mail.key === shown}
                isUnread={unread.has(mail.key)}
                {...{ now, retentionMs, onChoose }}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** How many rows can be seen at once. */
export function rowsPerPage(): number {
  const height = document.querySelector('.list')?.clientHeight ?? 0;
  return Math.max(1, Math.floor(height / ROW_PX) - 1);
}

/**
 * Keeps the rows where they are while a mouse is above them: what comes meanwhile would be under it when it clicks.
 * Newer rows are there when it leaves, or when one of them is shown.
 */
function useSteadyRows(mails: readonly Mail[], shown: string | null) {
  const [heldAt, setHeldAt] = useState<number | null>(null);
  const hold = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') setHeldAt(mails[0]?.receivedAt ?? null);
  };
  const isHeld = heldAt !== null && !(shown !== null && Date.parse(shown) > heldAt);
  const steady = isHeld ? mails.filter(({ receivedAt }) => receivedAt <= heldAt) : mails;
  return { steady, hold, release: () => setHeldAt(null) };
}
