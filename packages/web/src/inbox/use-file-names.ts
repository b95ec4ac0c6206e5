import type { EmailParts } from 'mayfly-client';
import { useMemo, useState } from 'preact/hooks';
import type { Service } from '../service.js';
import type { KnownSettings } from '../settings.js';
import { pause, useUntil } from '../ui/until.js';
import type { Mail } from './mail.js';
import { Pace } from './pace.js';
import type { Term } from './search.js';

/** Which part of the limit of looks may go into this. */
const SHARE = 0.1;

/** Most emails that are looked into, the newest, and the largest of them. */
const MAX_LOOKED_INTO = 30;
const MAX_BYTES = 64 * 1024;

/** How far apart they are looked into at the least: so that a word that is being typed costs little. */
const GAP_MS = 100;

/** Most emails whose file names are remembered. */
const MAX_KNOWN = 1_000;

interface FileNamesContext {
  readonly service: Service;
  readonly inbox: string;
  readonly settings: KnownSettings;
  readonly mails: readonly Mail[];
  readonly terms: readonly Term[];
}

/** The names of the attachments of emails, in lower case, by the keys of the emails. */
export interface FileNames {
  readonly all: ReadonlyMap<string, string>;
  /** Notes those of an email that was opened. */
  learn(key: string, parts: EmailParts): void;
}

/**
 * The names of attachments, which no summary tells: of emails that were opened, and of the newest with attachments
 * while words are searched. The service parses a message for each, so they are asked for one after the other.
 */
export function useFileNames({ service, inbox, settings, mails, terms }: FileNamesContext): FileNames {
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  const pace = useMemo(() => new Pace(settings.readLimit, SHARE), []);
  const note = (key: string, names: string) =>
    setKnown((all) => new Map([...all, [key, names] as const].slice(-MAX_KNOWN)));
  const isAsked = terms.some(({ field }) => field === 'any');
  const candidates = isAsked ? mails.filter(({ attachments, size }) => attachments > 0 && size <= MAX_BYTES) : [];
  const wanted = candidates.slice(0, MAX_LOOKED_INTO).find(({ key }) => !known.has(key))?.key;
  useUntil([service, inbox, wanted], async (signal) => {
    if (wanted === undefined) return;
    await pause(Math.max(GAP_MS, pace.waitMs(performance.now())), signal).catch(() => {});
    if (signal.aborted) return;
    pace.take(performance.now());
    // One that is gone, or cannot be read now, is not asked for again.
    const names = await service
      .inbox(inbox)
      .parts(wanted, signal)
      .then(namesOf, () => '');
    if (!signal.aborted) note(wanted, names);
  });
  return { all: known, learn: (key, parts) => note(key, namesOf(parts)) };
}

function namesOf({ parts }: EmailParts): string {
  const names = parts.filter(({ attachment }) => attachment).map(({ filename }) => filename ?? '');
  return names.join(' ').toLowerCase();
}
