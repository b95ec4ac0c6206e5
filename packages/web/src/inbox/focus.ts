import { useEffect, useRef, useState } from 'preact/hooks';
import { useUntil } from '../ui/until.js';

/** Where list and mail stand side by side, as in the style sheet. */
const WIDE = '(min-width: 60rem)';

/** Whether list and mail stand side by side. */
export function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useUntil([], (signal) => {
    matchMedia(WIDE).addEventListener('change', ({ matches }) => setWide(matches), { signal });
  });
  return isWide;
}

/** Where the list is left for the email, the focus goes to the email, and back to its row. */
export function useFocus(key: string | null, isWide: boolean): void {
  const last = useRef<string | null>(null);
  const isFirst = useRef(true);
  const left = last.current;
  if (key !== null) last.current = key;
  useEffect(() => {
    const isOpening = isFirst.current;
    isFirst.current = false;
    if (isWide || isOpening) return;
    if (key !== null) focusMail();
    else focusRow(left);
  }, [key === null, isWide]);
}

/** Focuses the row of an email, once it is there. */
export function focusRow(key: string | null): void {
  focusSoon(`[data-key="${key}"]`);
}

/** The key of the email whose row has the focus, or null. */
export function focusedRow(): string | null {
  return (document.activeElement as HTMLElement | null)?.dataset.key ?? null;
}

/** Focuses the email that is shown, once it is there: from its subject on, Tab goes through it. */
export function focusMail(): void {
  focusSoon('.mail .title');
}

/** In the next frame, unless somebody has gone to a field since: what is typed there must not become keys of the page. */
function focusSoon(selector: string): void {
  const before = document.activeElement;
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement === before || !(activeElement instanceof HTMLInputElement))
      document.querySelector<HTMLElement>(selector)?.focus();
  });
}

/**
 * Marks the frame that has the focus. No style sheet can: where the focus is in the document of a frame, the page
 * around it has none.
 */
export function useFrameFocus(): void {
  useUntil([], (signal) => {
    let frame: HTMLIFrameElement | null = null;
    const look = () => {
      frame?.removeAttribute('data-focused');
      const { activeElement } = document;
      frame = activeElement instanceof HTMLIFrameElement ? activeElement : null;
      frame?.setAttribute('data-focused', '');
    };
    // Some browsers say only afterwards where the focus went.
    const soon = () => setTimeout(look);
    addEventListener('blur', soon, { signal });
    addEventListener('focus', soon, { signal });
  });
}
