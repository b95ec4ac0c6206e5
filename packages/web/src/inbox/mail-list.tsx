import { useEffect, useRef, useState } from 'preact/hooks';
import { reveal, SPARE_ROWS, useRowWindow, useSteadyScroll } from '../ui/row-window.js';
import type { Mail } from './mail.js';
import { MailRow } from './mail-row.js';

/** Height of a row, as in the style sheet, in CSS pixels. */
const ROW_PX = 68;

/** How long a resting mouse keeps new rows from the list. */
const REST_MS = 2_000;

interface MailListProps {
  readonly mails: readonly Mail[];
  readonly unread: ReadonlySet<string>;
  /** The key of the mail that is shown. */
  readonly shown: string | null;
  /** The key of the mail whose row has the tab stop of the list, and is there in any case. */
  readonly anchor: string | null;
  /** The keys of those that are ticked; null while a click opens a mail. */
  readonly ticked: ReadonlySet<string> | null;
  /** The server's time. */
  readonly now: number;
  readonly retentionMs: number;
  onChoose(mail: Mail, way: 'keyboard' | 'pointer'): void;
}

/**
 * The mails of an inbox, newest first. Only those rows are there that can be seen, and the one that can have the focus.
 */
export function MailList({ mails, unread, shown, anchor, ticked, now, retentionMs, onChoose }: MailListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { steady, rest, release } = useSteadyRows(mails, shown);
  const { first, last } = useRowWindow(list, steady.length, ROW_PX);
  const anchorAt = steady.findIndex(({ key }) => key === anchor);
  useSteadyScroll(list, steady, ROW_PX);
  useEffect(() => reveal(list.current, anchorAt, ROW_PX), [shown, anchorAt >= 0]);

  const positions = Array.from({ length: Math.max(0, last - first) }, (_, position) => first + position);
  if (anchorAt >= 0 && (anchorAt < first || anchorAt >= last)) positions.push(anchorAt);
  const stop = anchorAt >= 0 ? anchorAt : Math.min(first === 0 ? 0 : first + SPARE_ROWS, last - 1);
  return (
    <div class="list" ref={list} onPointerMove={rest} onPointerLeave={release} data-ticking={ticked !== null}>
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
                isTicked={ticked?.has(mail.key)}
                tabIndex={position === stop ? 0 : -1}
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
 * Keeps the rows where they are while a mouse moves above them, and for `REST_MS` after that: what comes meanwhile
 * would be under it when it clicks. Newer rows are there then, when the mouse leaves, or when one of them is shown.
 */
function useSteadyRows(mails: readonly Mail[], shown: string | null) {
  const [heldAt, setHeldAt] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const release = () => {
    clearTimeout(timer.current);
    setHeldAt(null);
  };
  const rest = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse') return;
    clearTimeout(timer.current);
    timer.current = setTimeout(release, REST_MS);
    setHeldAt((held) => held ?? mails[0]?.receivedAt ?? null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const isHeld = heldAt !== null && !(shown !== null && Date.parse(shown) > heldAt);
  const steady = isHeld ? mails.filter(({ receivedAt }) => receivedAt <= heldAt) : mails;
  return { steady, rest, release };
}
