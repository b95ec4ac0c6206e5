import { useRef } from 'preact/hooks';
import { useUntil } from './until.js';

/** What the keys of the page do, by the name of the key. */
export type Keys = Readonly<Record<string, () => void>>;

/** Where all keys have a meaning of their own. */
const OWN_KEYS = 'input, textarea, select, dialog';

/** Where these scroll: what can be scrolled by itself, and of the mail as a whole those that take large steps. */
const SCROLLED: Readonly<Record<string, string>> = {
  ArrowUp: '[data-scrolls]',
  ArrowDown: '[data-scrolls]',
  Home: '.mail',
  End: '.mail',
  PageUp: '.mail',
  PageDown: '.mail',
  ArrowRight: '.mail',
};

/** Listens for keys wherever the focus is, or only within a place, but where they have a meaning of their own. */
export function useKeys(keys: Keys, place?: { readonly current: Element | null }): void {
  const current = useRef(keys);
  current.current = keys;
  useUntil([], (signal) => {
    const press = (event: KeyboardEvent) => {
      if (place !== undefined && !place.current?.contains(event.target as Node)) return;
      // A dialog may be open without the focus: Escape closes it.
      if (isModified(event) || event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      const isOwn = (places: string | undefined) =>
        places !== undefined && event.target instanceof Element && event.target.closest(places) !== null;
      if (isOwn(OWN_KEYS) || isOwn(SCROLLED[event.key])) return;
      const action = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press, { signal });
  });
}

/** Whether it is a key of the browser or the system. */
function isModified({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}
