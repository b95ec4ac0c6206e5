import { toast } from '../ui/announce.js';
import { rowsPerPage } from '../ui/row-list.js';
import type { Keys } from '../ui/use-keys.js';
import { focusedRow, focusMail, focusRow } from './focus.js';
import type { Mail } from './mail.js';
import { ROW_PX } from './mail-list.js';
import type { Ticked } from './selection.js';

interface KeyContext {
  readonly listed: readonly Mail[];
  /** The key of what is shown; null for nothing. */
  readonly shown: string | null;
  /** The key of the unseen email that came last. */
  readonly newest: string | null;
  readonly search: { readonly current: HTMLInputElement | null };
  readonly help: { readonly current: HTMLDialogElement | null };
  readonly ticked: Ticked;
  /** Goes to an email of the list, and shows it where there is room. */
  goTo(key: string): void;
  choose(key: string): void;
  letGo(): void;
  remove(keys: readonly string[]): void;
  undo(): void;
}

/** The tabs of an email have the digits from 1 on. */
const TAB_KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** What the keys of an inbox do. */
export function keysFor(context: KeyContext): Keys {
  const { listed, shown, newest, search, help, ticked, goTo, choose, letGo, remove, undo } = context;
  const current = () => shown ?? focusedRow();
  const at = () => listed.findIndex(({ key }) => key === current());
  const page = () => rowsPerPage(document.querySelector('.list'), ROW_PX);
  const go = (position: number) => {
    const next = listed[Math.min(Math.max(position, 0), listed.length - 1)];
    if (next === undefined) return;
    goTo(next.key);
    focusRow(next.key);
  };
  const enter = () => {
    const key = current();
    if (key === null) return;
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
    ArrowUp: () => go(at() - 1),
    ArrowDown: () => go(at() + 1),
    ArrowRight: enter,
    PageUp: () => go(at() - page()),
    PageDown: () => go(at() + page()),
    Home: () => go(0),
    End: () => go(listed.length - 1),
    Delete: () => remove([...(ticked.keys ?? [current() ?? []].flat())]),
    x: () => {
      const key = current();
      if (key !== null) ticked.toggle(key);
    },
    z: undo,
    n: () => (newest === null ? toast('There is no new email.') : choose(newest)),
    c: () => press('.found-code button', 'This email has no code.'),
    o: () => press('.found-link a', 'This email has no link to open.') && toast('Opened the link in a new tab.'),
    ...Object.fromEntries(TAB_KEYS.map((key, position) => [key, () => openTab(position)])),
    '/': () => search.current?.focus(),
    '?': () => help.current?.showModal(),
    Escape: back,
  };
}

/** Presses a button of the mail that is shown, or says that it has none. Returns whether it has one. */
function press(selector: string, none: string): boolean {
  const button = document.querySelector<HTMLElement>(`.mail ${selector}`);
  if (button !== null) button.click();
  else if (document.querySelector('.mail') !== null) toast(none);
  return button !== null;
}

function openTab(position: number): void {
  const tab = document.querySelectorAll<HTMLElement>('.mail [role=tab]')[position];
  tab?.click();
  tab?.focus();
}

const KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓', 'the email above, below'],
  ['Page up, down', 'a page of the list further'],
  ['Home, End', 'the newest, the oldest email'],
  ['Enter, →', 'into the email'],
  ['Esc', 'back to the list'],
  ['1 to 9', 'the tabs of the email'],
  ['n', 'the newest email that you have not seen'],
  ['c', 'copies the code'],
  ['o', 'opens the link in a tab of its own'],
  ['Delete', 'deletes the email, or the selected ones'],
  ['x', 'selects the email'],
  ['z', 'undoes a deletion within 5 seconds'],
  ['/', 'searches'],
  ['?', 'this help'],
];

/** What the keys do. */
export function KeyHelp() {
  return (
    <dl class="key-help">
      {KEYS.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
