import type { EmailParts } from 'mayfly-client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Service } from '../service.js';
import type { KnownSettings } from '../settings.js';
import { pause } from './feed.js';
import type { Mail } from './mail.js';
import { Pace } from './pace.js';
import type { Known, Term } from './search.js';

/** Which part of the limit of looks may go into this. */
const SHARE = 0.1;

/** So many of the newest emails are looked into, if they are no larger than this. */
const MAX_LOOKED_INTO = 30;
const MAX_BYTES = 64 * 1024;

/** How far apart they are looked into at the least: so that a word that is being typed costs little. */
const GAP_MS = 100;

/** So many emails are remembered. */
const MAX_KNOWN = 1_000;

const NOTHING: Known = { code: null, hasAction: false, names: '' };

interface KnownContext {
  readonly service: Service;
  readonly inbox: string;
  readonly settings: KnownSettings;
  readonly mails: readonly Mail[];
  readonly terms: readonly Term[];
}

/** What is known of emails, by their keys, and how to add to it. */
export interface KnownMails {
  readonly all: ReadonlyMap<string, Known>;
  /** Notes what an email holds that was opened. */
  learn(key: string, parts: EmailParts): void;
}

/**
 * What emails hold that no summary tells: codes with letters, links to follow, and the names of attachments. It is
 * known of those that were opened, and of the newest that a search cannot decide on without. The service parses a
 * message for each, so they are asked for one after the other.
 */
export function useKnown({ service, inbox, settings, mails, terms }: KnownContext): KnownMails {
  const [known, setKnown] = useState<ReadonlyMap<string, Known>>(new Map());
  const pace = useMemo(() => new Pace(settings.lookLimit, SHARE), []);
  const note = (key: string, one: Known) => setKnown((all) => new Map([...all, [key, one] as const].slice(-MAX_KNOWN)));
  const wanted = mails
    .filter((mail) => mail.size <= MAX_BYTES && terms.some((term) => isUndecided(mail, term)))
    .slice(0, MAX_LOOKED_INTO)
    .find(({ key }) => !known.has(key))?.key;
  useEffect(() => {
    if (wanted === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    const look = async () => {
      await pause(Math.max(GAP_MS, pace.waitMs(performance.now())), signal);
      pace.take(performance.now());
      // One that is gone, or cannot be read now, is not asked for again.
      const one = await service
        .inbox(inbox)
        .parts(wanted, signal)
        .then(knownOf, () => NOTHING);
      if (!signal.aborted) note(wanted, one);
    };
    look().catch(() => {});
    return () => controller.abort();
  }, [service, inbox, wanted]);
  return { all: known, learn: (key, parts) => note(key, knownOf(parts)) };
}

/** Whether a summary does not tell if an email meets a term. */
function isUndecided(mail: Mail, { field, text }: Term): boolean {
  if (field === 'any') return mail.attachments > 0;
  return field === 'has' && text !== 'attachment' && isPlain(mail);
}

/** Whether a summary names neither a code nor a link. */
function isPlain({ otp, magicLink, cut }: Mail): boolean {
  return otp === null && magicLink === null && !cut.includes('magicLink');
}

function knownOf({ codes, links, parts }: EmailParts): Known {
  const names = parts.filter(({ attachment }) => attachment).map(({ filename }) => filename ?? '');
  return {
    code: codes[0]?.value ?? null,
    hasAction: links.some(({ action }) => action),
    names: names.join(' ').toLowerCase(),
  };
}
