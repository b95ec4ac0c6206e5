import type { EmailParts, RateLimit } from 'mayfly-client';
import { useMemo, useState } from 'preact/hooks';
import { inboxApi } from '../service.js';
import { useUntil } from '../ui/until.js';
import type { Mail } from './mail.js';
import { Pace } from './pace.js';
import type { Term } from './search.js';

/** The share of the read limit that requests for file names may use. */
const SHARE = 0.1;

const MAX_LOOKED_INTO = 30;
const MAX_BYTES = 64 * 1024;

/** A pause before each request, so that few requests are sent while a word is being typed. */
const GAP_MS = 100;

const MAX_KNOWN = 1_000;

export type FileNames = ReturnType<typeof useFileNames>;

/**
 * The attachment names of opened emails and, during a search for words, of the newest emails, in lower case by the key
 * of the email. Summaries lack these names. The service parses a message for each request, so requests are sent one
 * after another.
 */
export function useFileNames(
  inbox: string,
  readLimit: RateLimit | null,
  mails: readonly Mail[],
  terms: readonly Term[],
) {
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  const pace = useMemo(() => new Pace(readLimit, SHARE), []);
  const note = (key: string, names: string) =>
    setKnown((all) => new Map([...all, [key, names] as const].slice(-MAX_KNOWN)));
  const isAsked = terms.some(({ field }) => field === 'any');
  const candidates = isAsked ? mails.filter(({ attachments, size }) => attachments > 0 && size <= MAX_BYTES) : [];
  const wanted = candidates.slice(0, MAX_LOOKED_INTO).find(({ key }) => !known.has(key))?.key;
  useUntil([inbox, wanted], async (signal) => {
    if (wanted === undefined) return;
    // Failures are not retried.
    const names = await pace
      .turn(signal, GAP_MS)
      .then(() => inboxApi(inbox).parts(wanted, signal))
      .then(namesOf, () => '');
    if (!signal.aborted) note(wanted, names);
  });
  return { all: known, learn: (key: string, parts: EmailParts) => note(key, namesOf(parts)) };
}

function namesOf({ parts }: EmailParts): string {
  const names = parts.filter(({ attachment }) => attachment).map(({ filename }) => filename ?? '');
  return names.join(' ').toLowerCase();
}
