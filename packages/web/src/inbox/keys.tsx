import { toast } from '../ui/announce.js';
import type { Keys } from '../ui/use-keys.js';
import type { Row } from './box.js';
import { focusedRow, focusMail, focusRow } from './focus.js';
import { listKeys } from './mail-list.js';
import type { Ticked } from './selection.js';

interface KeyContext {
  readonly rows: readonly Row[];
  /** The key of the email on screen. */
  readonly shown: string | null;
  readonly newest: string | null;
  readonly ticked: Ticked;
  /** Moves to an email's row. On a wide page, or while another email is on screen, also shows the email. */
  goTo(key: string): void;
  choose(key: string): void;
  letGo(): void;
  remove(keys: readonly string[]): void;
  undo(): void;
  help(): void;
}

export function keysFor(context: KeyContext): Keys {
  const { rows, shown, newest, help, ticked, goTo, choose, letGo, remove, undo } = context;
  const current = () => shown ?? focusedRow();
  const go = (key: string) => {
    goTo(key);
    focusRow(key);
  };
  const onCurrent = (act: (key: string) => void) => {
    const key = current();
    if (key !== null) act(key);
  };
  const enter = (key: string) => {
    choose(key);
    focusMail();
  };
  const back = () => {
    const isInMail = document.activeElement?.closest('.mail') != null;
    if (isInMail && document.querySelector('.list')?.checkVisibility()) return focusRow(shown);
    if (ticked.keys !== null) return ticked.end();
    letGo();
  };
  return {
    ...listKeys(rows, current, go),
    ArrowRight: () => onCurrent(enter),
    Delete: () => (ticked.keys === null ? onCurrent((key) => remove([key])) : remove([...ticked.keys])),
    x: () => onCurrent(ticked.toggle),
    z: undo,
    n: () => (newest === null ? toast('There is no new email.') : choose(newest)),
    ...MAIL_KEYS,
    '?': help,
    Escape: back,
  };
}

/** The keys for the search, and for the email on screen and its tabs. Without one, for the row with the focus. */
export const MAIL_KEYS: Keys = {
  '/': () => document.querySelector<HTMLElement>('.search input')?.focus(),
  c: () => press('.found-code button, .row-code', 'This email has no code.'),
  o: () => press('.found-link a, .row-link', 'This email has no link to open.', 'Opened the link in a new tab.'),
  ...Object.fromEntries(Array.from({ length: 8 }, (_, tab) => [`${tab + 1}`, () => openTab(tab)])),
};

function press(selector: string, none: string, done?: string): void {
  const place = document.querySelector('.mail') ?? document.activeElement?.closest('.row');
  if (place == null) return;
  const control = place.querySelector<HTMLElement>(selector);
  control?.click();
  if (control === null) toast(none);
  else if (done) toast(done);
}

function openTab(position: number): void {
  const tab = document.querySelectorAll<HTMLElement>('.mail [role=tab]')[position];
  tab?.click();
  tab?.focus();
}

/** The keys, with what they do. */
export const KEY_FACTS = Object.entries({
  '↑ ↓': 'the email above, below',
  'Page up, down': 'a page of the list up, down',
  'Home, End': 'the newest, the oldest email',
  'Enter, →': 'into the email',
  Esc: 'back to the list',
  '1 to 8': 'the tabs of the email',
  n: 'the newest email that you have not seen',
  c: 'copies the code',
  o: 'opens the link in a new tab',
  Delete: 'deletes the email, or the selected ones',
  x: 'selects the email',
  z: 'undoes a deletion within 5 seconds',
  l: 'the delivery log',
  '/': 'searches',
  '?': 'this help',
}).map(([key, action]) => [<kbd key={key}>{key}</kbd>, action, 'said'] as const);
