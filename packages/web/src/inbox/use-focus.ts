import { useEffect, useRef, useState } from 'preact/hooks';
import { focusMail, focusRow } from './row-focus.js';

/** Where list and mail stand side by side, as in the style sheet. */
const WIDE = '(min-width: 60rem)';

/** Whether list and mail stand side by side. */
export function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const media = matchMedia(WIDE);
    const look = () => setWide(media.matches);
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, []);
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
