import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { addressOf } from '../service.js';
import { useKnown } from '../settings.js';
import { useUntil } from '../ui/until.js';
import type { Keys } from '../ui/use-keys.js';
import { keepPlace, placeNow } from '../url.js';
import { isGap, type Row } from './box.js';
import type { Mail } from './mail.js';
import { MailRow, ROW_PX } from './mail-row.js';

/** Number of rows that are rendered above and below the visible ones. */
const SPARE_ROWS = 6;

/** How long new rows are held back after the last move of the mouse over the list. */
const REST_MS = 2_000;

/** The list requests the rows of a gap that is this close to the visible rows. */
const NEAR_ROWS = 150;

interface MailListProps {
  /** Empty for all mail. */
  readonly inbox: string;
  /** Newest first. */
  readonly rows: readonly Row[];
  readonly words: readonly string[];
  /** Whether the rows are those of another URL, because the list for this URL has not arrived yet. */
  readonly isOld: boolean;
  /** The key of the row with the tab stop. The list scrolls to this row. */
  readonly anchor: string | null;
  readonly unread: ReadonlySet<string>;
  /** The key of the email on screen. */
  readonly shown: string | null;
  /** The keys of selected emails; null if a click opens an email instead of selecting it. */
  readonly ticked: ReadonlySet<string> | null;
  readonly now: number;
  onChoose(mail: Mail, way: 'keyboard' | 'pointer'): void;
  /** Called with the key of a gap that is in sight, or soon will be. */
  onGap(key: string): void;
}

/** A list that renders only the visible emails and the one with the tab stop. */
export function MailList(props: MailListProps) {
  const { rows: all, isOld, anchor, unread, ticked, onGap } = props;
  const list = useRef<HTMLDivElement>(null);
  const { rows, ...pointer } = useSteadyRows(all, anchor);
  const tops = useMemo(() => topsOf(rows), [rows]);
  const anchorAt = rows.findIndex(({ key }) => key === anchor);
  const { first, last } = useVisibleRows(list);
  useSteadyScroll(list, { rows, tops });
  const restored = useListPlace(list, { rows, tops }, anchor, isOld);
  const between = (from: number, to: number) => rows.slice(indexAt(tops, from), indexAt(tops, to) + 1);
  useEffect(() => {
    if (isOld) return;
    const gap = between(first, last).find(isGap) ?? between(first - NEAR_ROWS, last + NEAR_ROWS).find(isGap);
    if (gap !== undefined) onGap(gap.key);
  });
  useEffect(() => {
    if (restored.current === anchor || (anchor !== null && anchorAt < 0)) return;
    restored.current = anchor;
    reveal(list.current, tops[anchorAt]);
  }, [anchor, anchorAt >= 0]);
  const start = indexAt(tops, first);
  const positions = between(first, last).map((_, at) => start + at);
  if (anchorAt >= 0 && !positions.includes(anchorAt)) positions.push(anchorAt);
  const mails = positions.filter((position) => !isGap(rows[position] as Row));
  const stop = anchorAt >= 0 ? anchorAt : (mails[first <= 0 ? 0 : SPARE_ROWS] ?? mails.at(-1));
  const total = tops.at(-1) ?? 0;
  return (
    <div class="list" ref={list} data-ticking={ticked !== null} {...pointer}>
      <ul style={{ height: `${total * ROW_PX}px` }}>
        {positions.map((position) => {
          const row = rows[position] as Row;
          const above = tops[position] ?? 0;
          const top = `${above * ROW_PX}px`;
          if (isGap(row))
            return (
              <li key={row.key} class="gap wait" style={{ top, height: `${row.count * ROW_PX}px` }}>
                <span>Loading…</span>
              </li>
            );
          return (
            <li
              key={row.key}
              class="row"
              data-unread={unread.has(row.key)}
              style={{ top }}
              aria-posinset={above + 1}
              aria-setsize={total}
            >
              <ListedMail mail={row} tabIndex={position === stop ? 0 : -1} {...props} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function ListedMail(props: MailListProps & { readonly mail: Mail; readonly tabIndex: number }) {
  const { mail, inbox, words, unread, shown, ticked, tabIndex, now, onChoose } = props;
  const settings = useKnown();
  return (
    <MailRow
      hasRecipient={mail.to !== addressOf(inbox, settings) && mail.to !== inbox}
      isUnread={unread.has(mail.key)}
      isShown={mail.key === shown}
      isTicked={ticked?.has(mail.key)}
      retentionMs={settings.retentionMs}
      onOpen={(way) => onChoose(mail, way)}
      {...{ mail, inbox, words, tabIndex, now }}
    />
  );
}

/** How many rows are above each row, and at the end how many there are. */
function topsOf(rows: readonly Row[]): readonly number[] {
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
function useVisibleRows(list: RefObject<HTMLDivElement | null>) {
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
  return { first: Math.floor(top / ROW_PX) - SPARE_ROWS, last: Math.ceil((top + height) / ROW_PX) + SPARE_ROWS - 1 };
}

interface Layout {
  readonly rows: readonly Row[];
  readonly tops: readonly number[];
}

/** The row at the top of the list, and how much of it is scrolled away; null for a gap. */
function topRow({ scrollTop }: Element, { rows, tops }: Layout) {
  const at = indexAt(tops, Math.floor(scrollTop / ROW_PX));
  const row = rows[at];
  if (row === undefined || isGap(row)) return null;
  return { key: row.key, receivedAt: row.receivedAt, offset: scrollTop - (tops[at] ?? 0) * ROW_PX };
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
  const { rows, tops } = layout;
  useLayoutEffect(() => {
    const at = wanted === null || isOld ? -1 : positionOf(rows, wanted);
    const row = rows[at];
    if (list.current === null || wanted === null || row === undefined) return;
    list.current.scrollTop = (tops[at] ?? 0) * ROW_PX + wanted.offset;
    restored.current = anchor;
    // The rows of a gap are requested now.
    if (!isGap(row)) setWanted(null);
  }, [rows, wanted, isOld]);
  const keep = () => {
    const { layout, isOld, wanted } = shown.current;
    const element = list.current;
    if (!element?.isConnected || element.clientHeight === 0 || isOld || wanted !== null) return;
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
function positionOf(rows: readonly Row[], { key, receivedAt }: Pick<Row, 'key' | 'receivedAt'>): number {
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
    if (row === null || at < 0 || element.scrollTop <= ROW_PX) return;
    element.scrollTop = (layout.tops[at] ?? 0) * ROW_PX + row.offset;
  }, [layout.rows]);
}

/**
 * Holds back new rows while a mouse moves over the list, and for `REST_MS` after that. Otherwise a click could hit a
 * row that has just arrived. The rows also appear once the mouse leaves, or if one of them becomes `anchor`.
 */
function useSteadyRows(rows: readonly Row[], anchor: string | null) {
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
function reveal(list: HTMLDivElement | null, position: number | undefined): void {
  if (list === null || position === undefined) return;
  const top = position * ROW_PX;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW_PX > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW_PX - list.clientHeight;
}

export function listKeys(rows: readonly Row[], current: () => string | null, go: (key: string) => void): Keys {
  const list = () => document.querySelector('.list');
  const to = (position: number) => {
    const row = rows[Math.min(Math.max(position, 0), rows.length - 1)];
    if (row !== undefined && !isGap(row)) go(row.key);
  };
  const by = (step: number) => to(rows.findIndex(({ key }) => key === current()) + step);
  const page = () => Math.max(1, Math.floor((list()?.clientHeight ?? 0) / ROW_PX) - 1);
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
