import { toast } from '../ui/announce.js';
import type { Mail } from './mail.js';
import { rowsPerPage } from './mail-list.js';
import { focusRow } from './row-focus.js';
import type { Keys } from './use-keys.js';

interface KeyContext {
  readonly listed: readonly Mail[];
  /** The key of what is shown; null for nothing. */
  readonly shown: string | null;
  readonly search: { readonly current: HTMLInputElement | null };
  readonly help: { readonly current: HTMLDialogElement | null };
  choose(key: string): void;
  letGo(): void;
}

/** What the keys of an inbox do. */
export function keysFor({ listed, shown, search, help, choose, letGo }: KeyContext): Keys {
  const at = listed.findIndex(({ key }) => key === shown);
  const go = (position: number) => {
    const next = listed[Math.min(Math.max(position, 0), listed.length - 1)];
    if (next === undefined) return;
    choose(next.key);
    focusRow(next.key);
  };
  return {
    ArrowUp: () => go(at - 1),
    ArrowDown: () => go(at + 1),
    PageUp: () => go(at - rowsPerPage()),
    PageDown: () => go(at + rowsPerPage()),
    Home: () => go(0),
    End: () => go(listed.length - 1),
    c: () => press('.found-code button', 'This email has no code.'),
    o: () => press('.found-link a', 'This email has no link to open.') && toast('Opened the link in a new tab.'),
    '/': () => search.current?.focus(),
    '?': () => help.current?.showModal(),
    Escape: letGo,
  };
}

/** Presses a button of the mail that is shown, or says that it has none. Returns whether it has one. */
function press(selector: string, none: string): boolean {
  const button = document.querySelector<HTMLElement>(`.mail ${selector}`);
  if (button !== null) button.click();
  else if (document.querySelector('.mail') !== null) toast(none);
  return button !== null;
}
