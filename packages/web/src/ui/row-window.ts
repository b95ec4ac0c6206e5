import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** So many rows are rendered above and below the visible ones. */
export const SPARE_ROWS = 6;

/** The element that scrolls. */
type List = { readonly current: HTMLDivElement | null };

/** Which of the rows of one height can be seen, as far as the list is scrolled. */
export function useRowWindow(list: List, count: number, rowPx: number): { first: number; last: number } {
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
  return { first, last: Math.min(count, Math.ceil((top + height) / rowPx) + SPARE_ROWS) };
}

/** Keeps the rows that somebody looks at where they are when others come above them. */
export function useSteadyScroll(list: List, rows: readonly { readonly key: string }[], rowPx: number): void {
  const before = useRef<{ readonly key: string } | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = before;
    const came = current === undefined ? 0 : rows.findIndex(({ key }) => key === current.key);
    before.current = rows[0];
    const element = list.current;
    if (element !== null && came > 0 && element.scrollTop > rowPx) element.scrollTop += came * rowPx;
  }, [rows]);
}

/** Scrolls as little as it takes to show a row. */
export function reveal(list: HTMLDivElement | null, position: number, rowPx: number): void {
  if (list === null || position < 0) return;
  const top = position * rowPx;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowPx > list.scrollTop + list.clientHeight) list.scrollTop = top + rowPx - list.clientHeight;
}
