import { useEffect, useRef, useState } from 'preact/hooks';
import { Attached, Sign } from '../inbox/mail-row.js';
import { useKeys } from '../inbox/use-keys.js';
import { CopyButton } from '../ui/copy.js';
import { reveal, useRowWindow, useSteadyScroll } from '../ui/row-window.js';
import { ago, exact } from '../ui/time.js';
import { directionOf, Visible } from '../ui/visible.js';
import { hrefOf, type Row } from './rows.js';

/** Height of a row, as in the style sheet, in CSS pixels. */
const ROW_PX = 72;

/** So many rows from the end, what is older is listed. */
const READ_ON_ROWS = 200;

/** How long rows stay where they are under a mouse that has moved: what came would be under its click. */
const STEADY_MS = 2_000;

interface AllListProps {
  readonly rows: readonly Row[];
  /** The cursor of what is older; null if nothing is. */
  readonly next: string | null;
  /** The server's time. */
  readonly now: number;
  readOn(): void;
}

/** All mail, newest first. Only those rows are there that can be seen, and the one that can have the focus. */
export function AllList({ rows, next, now, readOn }: AllListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const [steady, hold] = useSteadyRows(rows);
  const { first, last } = useRowWindow(list, steady.length, ROW_PX);
  useSteadyScroll(list, steady, ROW_PX);
  const at = Math.max(
    0,
    steady.findIndex(({ key }) => key === current),
  );
  const isNearEnd = last >= steady.length - READ_ON_ROWS;
  useEffect(() => {
    if (isNearEnd) readOn();
  }, [isNearEnd, rows, next]);

  const go = (position: number) => {
    const row = steady[Math.min(Math.max(position, 0), steady.length - 1)];
    if (row === undefined) return;
    setCurrent(row.key);
    reveal(list.current, steady.indexOf(row), ROW_PX);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-key="${row.key}"]`)?.focus());
  };
  const page = () => Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / ROW_PX) - 1);
  useKeys(
    {
      ArrowUp: () => go(at - 1),
      ArrowDown: () => go(at + 1),
      PageUp: () => go(at - page()),
      PageDown: () => go(at + page()),
      Home: () => go(0),
      End: () => go(steady.length - 1),
      c: () => list.current?.querySelector<HTMLElement>('[data-current=true] .chip')?.click(),
    },
    list,
  );
  const positions = Array.from({ length: Math.max(0, last - first) }, (_, position) => first + position);
  if (at < steady.length && (at < first || at >= last)) positions.push(at);
  return (
    <div class="list" ref={list} onPointerMove={hold}>
      <ul style={{ height: `${steady.length * ROW_PX}px` }}>
        {positions.map((position) => {
          const row = steady[position] as Row;
          return (
            <li
              key={row.key}
              class="row all-row"
              style={{ top: `${position * ROW_PX}px` }}
              aria-posinset={position + 1}
              aria-setsize={steady.length}
              data-current={position === at}
              onFocusIn={() => setCurrent(row.key)}
            >
              <AllRow row={row} now={now} tabIndex={position === at ? 0 : -1} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface AllRowProps {
  readonly row: Row;
  readonly now: number;
  readonly tabIndex: number;
}

function AllRow({ row, now, tabIndex }: AllRowProps) {
  const { key, to, from, subject, text, receivedAt, code, action, attachments, size } = row;
  return (
    <>
      <a class="row-open" href={hrefOf(row)} data-key={key} tabIndex={tabIndex}>
        <span class="all-to">
          <Visible text={to} />
        </span>
        <span class="all-from" dir={directionOf(from)}>
          <Visible text={from} />
        </span>
        <span class="all-subject" dir={directionOf(subject)}>
          <Visible text={subject || 'No subject'} />
        </span>
        <span class="all-text" dir={directionOf(text)}>
          <Visible text={text.replace(/\s+/g, ' ')} />
        </span>
        <time class="row-time all-time" title={exact(receivedAt)}>
          {ago(now - receivedAt)}
        </time>
      </a>
      <p class="row-found">
        {code !== null && (
          <CopyButton class="chip" text={code} what={`code ${code}`} tabIndex={tabIndex}>
            {code}
          </CopyButton>
        )}
        {action && <Sign icon="link" text="Link" />}
        <Attached count={attachments} size={size} />
      </p>
    </>
  );
}

/** The rows, without those that came after a mouse moved over them. */
function useSteadyRows(rows: readonly Row[]): [readonly Row[], (event: PointerEvent) => void] {
  const [heldAt, setHeldAt] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hold = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse') return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHeldAt(null), STEADY_MS);
    if (heldAt === null) setHeldAt(rows[0]?.receivedAt ?? null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const start = heldAt === null ? 0 : rows.findIndex(({ receivedAt }) => receivedAt <= heldAt);
  return [start > 0 ? rows.slice(start) : rows, hold];
}
