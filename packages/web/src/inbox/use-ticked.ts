import { useState } from 'preact/hooks';
import { toast } from '../ui/announce.js';
import type { Mail } from './mail.js';

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
