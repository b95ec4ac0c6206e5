import { useEffect, useRef } from 'preact/hooks';

/** What the keys of the page do, by the name of the key. */
export type Keys = Readonly<Record<string, () => void>>;

/** Where the arrow keys, letters and signs have a meaning of their own. */
const OWN_KEYS = 'input, textarea, select, dialog, [role=tab], [data-scrolls]';

/** What these do inside a mail: they scroll it. */
const SCROLLING = ['Home', 'End', 'PageUp', 'PageDown'];

/** Listens for keys wherever the focus is, but where they have a meaning of their own. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(OWN_KEYS) !== null) return;
      if (event.target instanceof Element && SCROLLING.includes(event.key) && event.target.closest('.mail')) return;
      const action = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
