import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** So many rows are rendered above and below the visible ones. */
const SPARE_ROWS = 6;

/** How long a resting mouse keeps new rows from the list. */
const REST_MS = 2_000;

/** What a list shows, newest first. */
interface Listed {
  readonly key: string;
  /** In milliseconds since the epoch. */
  readonly receivedAt: number;
}

interface RowListProps<T> {
  /** The element that scrolls. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly rows: readonly T[];
  /** The height of a row, as in the style sheet, in CSS pixels. */
  readonly rowPx: number;
  readonly view: RowView;
  readonly isTicking?: boolean;
  /** What an item has beside its place. */
  itemOf(row: T, isStop: boolean): Readonly<Record<string, string | boolean | (() => void)>>;
  onPointerMove(event: PointerEvent): void;
  onPointerLeave?(): void;
  children(row: T, tabIndex: number): ComponentChildren;
}

/** A list of which only those rows are there that can be seen, and the one that can have the focus. */
export function RowList<T extends Listed>(props: RowListProps<T>) {
  const { list, rows, rowPx, view, isTicking = false, itemOf, children, ...handlers } = props;
  useSteadyScroll(list, rows, rowPx);
  return (
    <div class="list" ref={list} data-ticking={isTicking} {...handlers}>
      <ul style={{ height: `${rows.length * rowPx}px` }}>
        {view.positions.map((position) => {
          const row = rows[position] as T;
          const isStop = position === view.stop;
          return (
            <li
              key={row.key}
              style={{ top: `${position * rowPx}px` }}
              aria-posinset={position + 1}
              aria-setsize={rows.length}
              {...itemOf(row, isStop)}
            >
              {children(row, isStop ? 0 : -1)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Which rows are there, by their positions, and which of them has the tab stop. */
export interface RowView {
  readonly positions: readonly number[];
  readonly stop: number;
  /** One more than the position of the last one that can be seen. */
  readonly last: number;
}

/** The view of a list, as far as it is scrolled. The row of the anchor has the tab stop; -1 for none. */
export function useRowView(
  list: RefObject<HTMLDivElement | null>,
  count: number,
  rowPx: number,
  anchor: number,
): RowView {
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
  const first = Math.max(0, Math.floor(top / rowPx) - SPARE_ROWS);
  const last = Math.min(count, Math.ceil((top + height) / rowPx) + SPARE_ROWS);
  const positions = Array.from({ length: Math.max(0, last - first) }, (_, position) => first + position);
  const isThere = anchor >= 0 && anchor < count;
  if (isThere && (anchor < first || anchor >= last)) positions.push(anchor);
  return { positions, stop: isThere ? anchor : Math.min(first === 0 ? 0 : first + SPARE_ROWS, last - 1), last };
}

/** Keeps the rows that somebody looks at where they are when others come above them. */
function useSteadyScroll(list: RefObject<HTMLDivElement | null>, rows: readonly Listed[], rowPx: number): void {
  const before = useRef<Listed | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = before;
    const came = current === undefined ? 0 : rows.findIndex(({ key }) => key === current.key);
    before.current = rows[0];
    const element = list.current;
    if (element !== null && came > 0 && element.scrollTop > rowPx) element.scrollTop += came * rowPx;
  }, [rows]);
}

/**
 * Keeps the rows where they are while a mouse moves above them, and for `REST_MS` after that: what comes meanwhile
 * would be under it when it clicks. Newer rows are there then, on `release`, or when one of them is shown.
 */
export function useSteadyRows<T extends Listed>(rows: readonly T[], shownAt = Number.NEGATIVE_INFINITY) {
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
    setHeldAt((held) => held ?? rows[0]?.receivedAt ?? null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const isHeld = heldAt !== null && shownAt <= heldAt;
  return { steady: isHeld ? rows.filter(({ receivedAt }) => receivedAt <= heldAt) : rows, rest, release };
}

/** Scrolls as little as it takes to show a row. */
export function reveal(list: HTMLDivElement | null, position: number, rowPx: number): void {
  if (list === null || position < 0) return;
  const top = position * rowPx;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowPx > list.scrollTop + list.clientHeight) list.scrollTop = top + rowPx - list.clientHeight;
}

/** How many rows can be seen at once. */
export function rowsPerPage(list: Element | null, rowPx: number): number {
  return Math.max(1, Math.floor((list?.clientHeight ?? 0) / rowPx) - 1);
}
