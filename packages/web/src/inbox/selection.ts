import { useState } from 'preact/hooks';
import { toast } from '../ui/announce.js';
import { useUntil } from '../ui/until.js';
import type { Mail } from './mail.js';

/** A `receivedAt` as the service writes it. */
const KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Which mail is chosen, by its key. It stands in the address behind `#`, so that it survives a reload, and that on a
 * phone "back" leads from the mail to the list.
 */
export function useSelection(): [string | null, (key: string | null) => void] {
  const [chosen, setChosen] = useState(read);
  useUntil([], (signal) => addEventListener('popstate', () => setChosen(read()), { signal }));
  const choose = (key: string | null) => {
    const address = key === null ? location.pathname : `#${key}`;
    // Going from one mail to the next is no step that somebody wants to take back.
    if (chosen === null && key !== null) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    setChosen(key);
  };
  return [chosen, choose];
}

/** What stands behind `#`, where that is a moment; it may come from any page. */
function read(): string | null {
  const written = location.hash.slice(1).replaceAll('%3A', ':');
  return KEY.test(written) && !Number.isNaN(Date.parse(written)) ? written : null;
}

/** So many emails are ticked at most: each is deleted by a request of its own. */
const MAX_TICKED = 500;

/** The emails that are ticked, to be deleted together. */
export interface Ticked {
  /** Their keys; null while none are to be ticked. */
  readonly keys: ReadonlySet<string> | null;
  /** Ticks an email, or unticks it. */
  toggle(key: string): void;
  /** Ticks these, as many as can be. */
  all(mails: readonly Mail[]): void;
  begin(): void;
  end(): void;
}

export function useTicked(): Ticked {
  const [keys, setKeys] = useState<ReadonlySet<string> | null>(null);
  const tick = (next: ReadonlySet<string>) => {
    if (next.size > MAX_TICKED) toast(`At most ${MAX_TICKED} emails can be selected.`);
    setKeys(new Set([...next].slice(0, MAX_TICKED)));
  };
  return {
    keys,
    toggle(key) {
      const next = new Set(keys);
      if (!next.delete(key)) next.add(key);
      tick(next);
    },
    all: (mails) => tick(new Set(mails.map(({ key }) => key))),
    begin: () => setKeys(new Set()),
    end: () => setKeys(null),
  };
}
