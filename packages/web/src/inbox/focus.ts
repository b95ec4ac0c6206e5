import { useEffect, useRef, useState } from 'preact/hooks';
import { useUntil } from '../ui/until.js';

/** Whether the window is so wide that list and email are side by side, as in the style sheet. */
export const useIsWide = () => useIsMedia('(min-width: 60rem)');

/** Whether the window is so narrow that an email has the bar of a phone, as in the style sheet. */
export const useIsPhone = () => useIsMedia('(max-width: 36rem)');

export const useIsDark = () => useIsMedia('(prefers-color-scheme: dark)');

function useIsMedia(query: string): boolean {
  const [isMet, setMet] = useState(() => matchMedia(query).matches);
  useUntil([], (signal) => {
    const media = matchMedia(query);
    const look = () => setMet(media.matches);
    media.addEventListener('change', look, { signal });
    // The window may have changed before the listener was added.
    look();
  });
  return isMet;
}

/** On a narrow screen, moves the focus to an email that replaces the list, and back to its row. */
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

/** Focuses the row of an email; if it is gone, the row with the tab stop. */
export function focusRow(key: string | null): void {
  focusSoon(`[data-key="${CSS.escape(key ?? '')}"]`, '.row-open[tabindex="0"]');
}

/** Focuses the first button above the list, if the buttons there are about to be replaced. */
export function focusSearch(): void {
  if (document.activeElement?.closest('.search')) focusSoon('.search button');
}

/** The key of the email whose row has the focus. */
export function focusedRow(): string | null {
  return (document.activeElement?.closest<HTMLElement>('.row')?.firstElementChild as HTMLElement)?.dataset.key ?? null;
}

/** Focuses the subject, so that Tab goes through the email. */
export function focusMail(): void {
  focusSoon('.mail .title');
}

/**
 * Focuses the first of several elements in the next frame, unless the user has entered a field: typing would then
 * trigger shortcuts.
 */
function focusSoon(...selectors: readonly string[]): void {
  const before = document.activeElement;
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement !== before && activeElement instanceof HTMLInputElement) return;
    selectors
      .map((one) => document.querySelector<HTMLElement>(one))
      .find((found) => found !== null)
      ?.focus();
  });
}

/** Marks the focused frame, because no selector matches a frame whose document has the focus. */
export function useFrameFocus(): void {
  useUntil([], (signal) => {
    const mark = () => {
      for (const frame of document.querySelectorAll('iframe')) {
        frame.toggleAttribute('data-focused', frame === document.activeElement);
      }
    };
    // Some browsers update the active element after the event.
    const soon = () => setTimeout(mark);
    addEventListener('blur', soon, { signal });
    addEventListener('focus', soon, { signal });
  });
}
