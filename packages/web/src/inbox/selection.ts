import { useState } from 'preact/hooks';
import { toast } from '../ui/announce.js';
import { useUntil } from '../ui/until.js';
import type { Mail } from './mail.js';

/** A `receivedAt` of the service. */
const KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * The key of the chosen email. The URL's fragment holds the key, so that the choice survives a reload, and Back on a
 * phone leads from the email to the list.
 */
export function useSelection(): [string | null, (key: string | null) => void] {
  const [chosen, setChosen] = useState(read);
  useUntil([], (signal) => addEventListener('popstate', () => setChosen(read()), { signal }));
  const choose = (key: string | null) => {
    const address = key === null ? location.pathname : `#${key}`;
    // Going from one email to the next adds nothing to the history.
    if (chosen === null && key !== null) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    setChosen(key);
  };
  return [chosen, choose];
}

/** The key in the URL, checked, because any page may link to any fragment. */
function read(): string | null {
  const written = location.hash.slice(1).replaceAll('%3A', ':');
  return KEY.test(written) && !Number.isNaN(Date.parse(written)) ? written : null;
}

/** Each selected email is deleted by its own request. */
const MAX_TICKED = 500;

/** The emails selected for deletion. */
export interface Ticked {
  /** Null unless emails are being selected. */
  readonly keys: ReadonlySet<string> | null;
  toggle(key: string): void;
  all(mails: readonly Mail[]): void;
  begin(): void;
  end(): void;
}

export function useTicked(): Ticked {
  const [keys, setKeys] = useState<ReadonlySet<string> | null>(null);
  const tick = (next: readonly string[]) => {
    if (next.length > MAX_TICKED) toast(`At most ${MAX_TICKED} emails can be selected.`);
    setKeys(new Set(next.slice(0, MAX_TICKED)));
  };
  return {
    keys,
    toggle: (key) => tick(keys?.has(key) ? [...keys].filter((one) => one !== key) : [...(keys ?? []), key]),
    all: (mails) => tick(mails.map(({ key }) => key)),
    begin: () => setKeys(new Set()),
    end: () => setKeys(null),
  };
}
