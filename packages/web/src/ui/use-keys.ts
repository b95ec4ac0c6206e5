import { useRef } from 'preact/hooks';
import { useUntil } from './until.js';

export type Keys = Readonly<Record<string, () => void>>;

/** Elements that handle all keys themselves. */
const OWN_KEYS = 'input, textarea, select, dialog';

/** The element that each key scrolls. The keys for large steps scroll the whole email. */
const SCROLLED: Readonly<Record<string, string>> = {
  ArrowUp: '[data-scrolls]',
  ArrowDown: '[data-scrolls]',
  Home: '.mail',
  End: '.mail',
  PageUp: '.mail',
  PageDown: '.mail',
  ArrowRight: '.mail',
};

/** Handles keys wherever the focus is, but not in elements that use these keys. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useUntil([], (signal) => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      const target = event.target as Element;
      // Leaves all keys to an open dialog or menu, even if the focus is elsewhere, because Escape must close it.
      const isTaken = defaultPrevented || document.querySelector('dialog[open], :popover-open') !== null;
      if (isTaken || ctrlKey || metaKey || altKey) return;
      if (target.closest?.(OWN_KEYS) || (SCROLLED[key] && target.closest?.(SCROLLED[key]))) return;
      if (!Object.hasOwn(current.current, key)) return;
      event.preventDefault();
      current.current[key]?.();
    };
    addEventListener('keydown', press, { signal });
  });
}
