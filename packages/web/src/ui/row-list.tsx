import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { keepPlace, placeNow } from '../url.js';
import { useUntil } from './until.js';
import type { Keys } from './use-keys.js';

/** Number of rows that are rendered above and below the visible ones. */
const SPARE_ROWS = 6;

/** How long new rows are held back after the last move of the mouse over the list. */
const REST_MS = 2_000;

/** The list requests the rows of a gap that is this close to the visible rows. */
const NEAR_ROWS = 150;

interface Listed {
  readonly key: string;
  /** In milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Room for rows that are not loaded. `receivedAt` is that of the oldest. */
export interface Gap extends Listed {
  readonly count: number;
}

export function isGap(row: Listed): row is Gap {
  return 'count' in row;
}

interface RowListProps<T> {
  /** Newest first. */
  readonly rows: readonly (T | Gap)[];
  /** The height of a row in the style sheet. */
  readonly rowPx: number;
  /** The key of the row with the tab stop. The list scrolls to this row. */
  readonly anchor: string | null;
  readonly isTicking?: boolean;
  /** Whether the rows are those of another URL, because the list for this URL has not arrived yet. */
  readonly isOld?: boolean;
  propsOf(row: T): Readonly<Record<string, string | boolean | (() => void)>>;
  /** Called with the key of a gap that is in sight, or soon will be. */
  readonly onGap?: ((key: string) => void) | undefined;
  children(row: T, tabIndex: number): ComponentChildren;
}

/** A list that renders only the visible rows and the one with the tab stop. */
export function RowList<T extends Listed>(props: RowListProps<T>) {
  const { rows: all, rowPx, anchor, isTicking = false, isOld = false, propsOf, onGap, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const { rows, ...pointer } = useSteadyRows(all, anchor);
  const tops = useMemo(() => topsOf(rows), [rows]);
  const anchorAt = rows.findIndex(({ key }) => key === anchor);
  const { first, last } = useVisibleRows(list, rowPx);
  useSteadyScroll(list, { rows, tops, rowPx });
  const restored = useListPlace(list, { rows, tops, rowPx }, anchor, isOld);
  const between = (from: number, to: number) => rows.slice(indexAt(tops, from), indexAt(tops, to) + 1);
  useEffect(() => {
    if (isOld) return;
    const gap = between(first, last).find(isGap) ?? between(first - NEAR_ROWS, last + NEAR_ROWS).find(isGap);
    if (gap !== undefined) onGap?.(gap.key);
  });
  useEffect(() => {
    if (restored.current === anchor || (anchor !== null && anchorAt < 0)) return;
    restored.current = anchor;
    reveal(list.current, tops[anchorAt], rowPx);
  }, [anchor, anchorAt >= 0]);
  const start = indexAt(tops, first);
  const positions = between(first, last).map((_, at) => start + at);
  if (anchorAt >= 0 && !positions.includes(anchorAt)) positions.push(anchorAt);
  const shown = positions.filter((position) => isShown(rows[position]));
  const stop = anchorAt >= 0 ? anchorAt : (shown[first <= 0 ? 0 : SPARE_ROWS] ?? shown.at(-1));
  const total = tops.at(-1) ?? 0;
  return (
    <div class="list" ref={list} data-ticking={isTicking} {...pointer}>
      <ul style={{ height: `${total * rowPx}px` }}>
        {between(first, last)
          .filter(isGap)
          .map((gap) => (
            <li
              key={gap.key}
              class="gap wait"
              style={{ top: `${(tops[rows.indexOf(gap)] ?? 0) * rowPx}px`, height: `${gap.count * rowPx}px` }}
            >
              <span>Loading…</span>
            </li>
          ))}
        {shown.map((position) => {
          const row = rows[position] as T;
          const top = tops[position] ?? 0;
          return (
            <li
              key={row.key}
              style={{ top: `${top * rowPx}px` }}
              aria-posinset={top + 1}
              aria-setsize={total}
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

function isShown(row: Listed | undefined): boolean {
  return row !== undefined && !isGap(row);
}

/** How many rows are above each row, and at the end how many there are. */
function topsOf(rows: readonly Listed[]): readonly number[] {
  let top = 0;
  const tops = rows.map((row) => {
    const own = top;
    top += isGap(row) ? row.count : 1;
    return own;
  });
  return [...tops, top];
}

/** The index of the row or gap at a position, or of the nearest. */
function indexAt(tops: readonly number[], position: number): number {
  let [low, high] = [0, tops.length - 1];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle] as number) <= position) low = middle;
    else high = middle;
  }
  return low;
}

/** The positions of the first and the last row to render. */
function useVisibleRows(list: RefObject<HTMLDivElement | null>, rowPx: number) {
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
  return { first: Math.floor(top / rowPx) - SPARE_ROWS, last: Math.ceil((top + height) / rowPx) + SPARE_ROWS - 1 };
}

interface Layout {
  readonly rows: readonly Listed[];
  readonly tops: readonly number[];
  readonly rowPx: number;
}

/** The row at the top of the list, and how much of it is scrolled away; null for a gap. */
function topRow({ scrollTop }: Element, { rows, tops, rowPx }: Layout) {
  const at = indexAt(tops, Math.floor(scrollTop / rowPx));
  const row = rows[at];
  if (row === undefined || isGap(row)) return null;
  return { key: row.key, receivedAt: row.receivedAt, offset: scrollTop - (tops[at] ?? 0) * rowPx };
}

/**
 * Keeps the place of the list in the history, and restores it after Back and a reload. Returns the anchor to which the
 * list has scrolled, or must not scroll.
 */
function useListPlace(
  list: RefObject<HTMLDivElement | null>,
  layout: Layout,
  anchor: string | null,
  isOld: boolean,
): RefObject<string | null | undefined> {
  const [wanted, setWanted] = useState(() => placeNow().row);
  const restored = useRef<string | null | undefined>(undefined);
  const shown = useRef({ layout, isOld, wanted });
  shown.current = { layout, isOld, wanted };
  const { rows, tops, rowPx } = layout;
  useLayoutEffect(() => {
    const at = wanted === null || isOld ? -1 : positionOf(rows, wanted);
    const row = rows[at];
    if (list.current === null || wanted === null || row === undefined) return;
    list.current.scrollTop = (tops[at] ?? 0) * rowPx + wanted.offset;
    restored.current = anchor;
    // The rows of a gap are requested now.
    if (!isGap(row)) setWanted(null);
  }, [rows, wanted, isOld]);
  const keep = () => {
    const { layout, isOld, wanted } = shown.current;
    const element = list.current as HTMLDivElement;
    if (element.clientHeight === 0 || !element.isConnected || isOld || wanted !== null) return;
    const row = topRow(element, layout);
    const { row: before } = placeNow();
    const next = element.scrollTop <= 0 ? null : row;
    if (row !== null && (next?.key !== before?.key || next?.offset !== before?.offset)) keepPlace({ row: next });
  };
  // The rows of a gap may have arrived after the list was scrolled.
  useEffect(keep, [rows, wanted]);
  useUntil([], (signal) => {
    for (const event of ['wheel', 'pointerdown', 'keydown'])
      list.current?.addEventListener(event, () => setWanted(null), { passive: true, signal });
    list.current?.addEventListener('scroll', keep, { passive: true, signal });
    const restore = () => {
      const { row } = placeNow();
      setWanted(row);
      if (row === null) list.current?.scrollTo(0, 0);
    };
    addEventListener('popstate', restore, { signal });
  });
  return restored;
}

/** The index of a row or, if it is gone or not loaded, of the next older row or of its gap; -1 without any. */
function positionOf(rows: readonly Listed[], { key, receivedAt }: Listed): number {
  const at = rows.findIndex((row) => row.key === key);
  return at >= 0 ? at : rows.findIndex((row) => row.receivedAt <= receivedAt);
}

/** Keeps visible rows in place when rows arrive or go above them. */
function useSteadyScroll(list: RefObject<HTMLDivElement | null>, layout: Layout): void {
  const before = useRef(layout);
  useLayoutEffect(() => {
    const element = list.current as HTMLDivElement;
    const row = topRow(element, before.current);
    before.current = layout;
    const at = layout.rows.findIndex(({ key }) => key === row?.key);
    // At its top, the list shows new rows.
    if (row === null || at < 0 || element.scrollTop <= layout.rowPx) return;
    element.scrollTop = (layout.tops[at] ?? 0) * layout.rowPx + row.offset;
  }, [layout.rows]);
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
function reveal(list: HTMLDivElement | null, position: number | undefined, rowPx: number): void {
  if (list === null || position === undefined) return;
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
  const list = () => document.querySelector('.list');
  const to = (position: number) => {
    const row = rows[Math.min(Math.max(position, 0), rows.length - 1)];
    if (row !== undefined && !isGap(row)) go(row.key);
  };
  const by = (step: number) => to(rows.findIndex(({ key }) => key === current()) + step);
  const page = () => Math.max(1, Math.floor((list()?.clientHeight ?? 0) / rowPx) - 1);
  return {
    ArrowUp: () => by(-1),
    ArrowDown: () => by(1),
    PageUp: () => by(-page()),
    PageDown: () => by(page()),
    Home: () => to(0),
    End: () => {
      list()?.scrollTo(0, list()?.scrollHeight ?? 0);
      to(rows.length - 1);
    },
  };
}
