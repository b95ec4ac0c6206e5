import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepPlace, placeNow } from '../url.js';
import { useUntil } from './until.js';
import type { Keys } from './use-keys.js';

/** Number of rows that are rendered above and below the visible ones. */
const SPARE_ROWS = 6;

/** How long new rows are held back after the last move of the mouse over the list. */
const REST_MS = 2_000;

/** The list requests older emails once it renders a row that is this close to the end. */
const NEAR_END_ROWS = 200;

interface Listed {
  readonly key: string;
  /** In milliseconds since the epoch. */
  readonly receivedAt: number;
}

interface RowListProps<T> {
  /** Newest first. */
  readonly rows: readonly T[];
  /** The height of a row in the style sheet. */
  readonly rowPx: number;
  /** The key of the row with the tab stop. The list scrolls to this row. */
  readonly anchor: string | null;
  readonly isTicking?: boolean;
  /** Whether the rows are those of another URL, because the list for this URL has not arrived yet. */
  readonly isOld?: boolean;
  propsOf(row: T): Readonly<Record<string, string | boolean | (() => void)>>;
  readonly onNearEnd?: (() => void) | undefined;
  children(row: T, tabIndex: number): ComponentChildren;
}

/** A list that renders only the visible rows and the one with the tab stop. */
export function RowList<T extends Listed>(props: RowListProps<T>) {
  const { rows: all, rowPx, anchor, isTicking = false, isOld = false, propsOf, onNearEnd, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const { rows, ...pointer } = useSteadyRows(all, anchor);
  const anchorAt = rows.findIndex(({ key }) => key === anchor);
  const { first, last } = useVisibleRows(list, rows.length, rowPx);
  useSteadyScroll(list, rows, rowPx);
  const { isMissing, restored } = useListPlace(list, rows, rowPx, anchor, isOld);
  useEffect(() => {
    if (isMissing || last >= rows.length - NEAR_END_ROWS) onNearEnd?.();
  });
  useEffect(() => {
    if (restored.current !== anchor) reveal(list.current, anchorAt, rowPx);
  }, [anchor, anchorAt >= 0]);
  const positions = Array.from({ length: Math.max(0, last - first) }, (_, position) => first + position);
  if (anchorAt >= 0 && (anchorAt < first || anchorAt >= last)) positions.push(anchorAt);
  const stop = anchorAt >= 0 ? anchorAt : Math.min(first === 0 ? 0 : first + SPARE_ROWS, last - 1);
  return (
    <div class="list" ref={list} data-ticking={isTicking} {...pointer}>
      <ul style={{ height: `${rows.length * rowPx}px` }}>
        {positions.map((position) => {
          const row = rows[position] as T;
          return (
            <li
              key={row.key}
              style={{ top: `${position * rowPx}px` }}
              aria-posinset={position + 1}
              aria-setsize={rows.length}
              {...propsOf(row)}
            >
              {children(row, position === stop ? 0 : -1)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The position of the first row to render, and the position after the last. */
function useVisibleRows(list: RefObject<HTMLDivElement | null>, count: number, rowPx: number) {
  const [{ top, height }, setView] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = list.current as HTMLDivElement;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => observer.disconnect();
  }, []);
  return {
    first: Math.max(0, Math.floor(top / rowPx) - SPARE_ROWS),
    last: Math.min(count, Math.ceil((top + height) / rowPx) + SPARE_ROWS),
  };
}

/**
 * Keeps the place of the list in the history, and restores it after Back and a reload. `isMissing` says that the first
 * visible row is not loaded yet, and `restored` is the anchor to which the list must not scroll.
 */
function useListPlace(
  list: RefObject<HTMLDivElement | null>,
  rows: readonly Listed[],
  rowPx: number,
  anchor: string | null,
  isOld: boolean,
) {
  const [wanted, setWanted] = useState(() => placeNow().row);
  const restored = useRef<string | null | undefined>(undefined);
  const shown = useRef({ rows, isOld });
  shown.current = { rows, isOld };
  useLayoutEffect(() => {
    const at = wanted === null ? -1 : positionOf(rows, wanted);
    if (list.current === null || wanted === null || at < 0 || isOld) return;
    list.current.scrollTop = at * rowPx + wanted.offset;
    restored.current = anchor;
    setWanted(null);
  }, [rows, wanted, isOld]);
  useUntil([], (signal) => {
    const keep = () => {
      const { scrollTop, clientHeight, isConnected } = list.current as HTMLDivElement;
      const row = shown.current.rows[Math.floor(scrollTop / rowPx)];
      if (row === undefined || clientHeight === 0 || !isConnected || shown.current.isOld) return;
      setWanted(null);
      const { key, receivedAt } = row;
      keepPlace({ row: scrollTop <= 0 ? null : { key, receivedAt, offset: scrollTop % rowPx } });
    };
    list.current?.addEventListener('scroll', keep, { passive: true, signal });
    const restore = () => {
      const { row } = placeNow();
      setWanted(row);
      if (row === null) list.current?.scrollTo(0, 0);
    };
    addEventListener('popstate', restore, { signal });
  });
  return { isMissing: wanted !== null, restored };
}

/** The position of a row or, if it is gone, of the next older one; -1 if neither is loaded. */
function positionOf(rows: readonly Listed[], { key, receivedAt }: Listed): number {
  const at = rows.findIndex((row) => row.key === key);
  return at >= 0 ? at : rows.findIndex((row) => row.receivedAt < receivedAt);
}

/** Keeps visible rows in place when new rows arrive above them. */
function useSteadyScroll(list: RefObject<HTMLDivElement | null>, rows: readonly Listed[], rowPx: number): void {
  const before = useRef<Listed | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = before;
    const added = current === undefined ? 0 : rows.findIndex(({ key }) => key === current.key);
    before.current = rows[0];
    const element = list.current;
    if (element !== null && added > 0 && element.scrollTop > rowPx) element.scrollTop += added * rowPx;
  }, [rows]);
}

/**
 * Holds back new rows while a mouse moves over the list, and for `REST_MS` after that. Otherwise a click could hit a
 * row that has just arrived. The rows also appear once the mouse leaves, or if one of them becomes `anchor`.
 */
function useSteadyRows<T extends Listed>(rows: readonly T[], anchor: string | null) {
  const [heldAt, setHeldAt] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const onPointerLeave = () => {
    clearTimeout(timer.current);
    setHeldAt(null);
  };
  const onPointerMove = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse') return;
    clearTimeout(timer.current);
    timer.current = setTimeout(onPointerLeave, REST_MS);
    setHeldAt((held) => held ?? rows[0]?.receivedAt ?? null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const steady = heldAt === null ? rows : rows.filter(({ receivedAt }) => receivedAt <= heldAt);
  const isAnchorNew = rows.slice(0, rows.length - steady.length).some(({ key }) => key === anchor);
  return { rows: isAnchorNew ? rows : steady, onPointerMove, onPointerLeave };
}

/** Scrolls as little as necessary to show a row. */
function reveal(list: HTMLDivElement | null, position: number, rowPx: number): void {
  if (list === null || position < 0) return;
  const top = position * rowPx;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowPx > list.scrollTop + list.clientHeight) list.scrollTop = top + rowPx - list.clientHeight;
}

export function listKeys(
  rows: readonly Listed[],
  current: () => string | null,
  rowPx: number,
  go: (key: string) => void,
): Keys {
  const to = (position: number) => {
    const row = rows[Math.min(Math.max(position, 0), rows.length - 1)];
    if (row !== undefined) go(row.key);
  };
  const by = (step: number) => to(rows.findIndex(({ key }) => key === current()) + step);
  const page = () => Math.max(1, Math.floor((document.querySelector('.list')?.clientHeight ?? 0) / rowPx) - 1);
  return {
    ArrowUp: () => by(-1),
    ArrowDown: () => by(1),
    PageUp: () => by(-page()),
    PageDown: () => by(page()),
    Home: () => to(0),
    End: () => to(rows.length - 1),
  };
}
