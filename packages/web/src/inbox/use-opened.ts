import { useRef, useState } from 'preact/hooks';
import type { Service } from '../service.js';
import { useUntil } from '../ui/until.js';
import type { Box } from './box.js';
import { type Mail, mailOf } from './mail.js';

/** Why an email is not in its inbox any more. */
export type Gone = 'expired' | 'deleted';

/** What is on screen in the place of one email. */
export type Opened =
  | { readonly state: 'nothing' }
  | { readonly state: 'looking' }
  /** It is not there, and was not while the page was open. */
  | { readonly state: 'missing'; readonly gone: Gone }
  /** An email; one that went while it was on screen stays there. */
  | { readonly state: 'shown'; readonly mail: Mail; readonly gone: Gone | null };

interface OpenedContext {
  readonly service: Service;
  readonly inbox: string;
  readonly box: Box;
  /** The key of the email to show; null for none. */
  readonly key: string | null;
  /** All that were received at this moment or before have expired. */
  readonly expired: number;
}

/** The email of a key: from the list, else asked for by itself, else as it was when it was last there. */
export function useOpened({ service, inbox, box, key, expired }: OpenedContext): Opened {
  const last = useRef<Mail | null>(null);
  const [found, setFound] = useState<Mail | 'nothing' | null>(null);
  const listed = box.mails?.find((mail) => mail.key === key) ?? null;
  if (listed !== null) last.current = listed;
  const kept = last.current?.key === key ? last.current : null;
  const isUnknown = key !== null && kept === null && box.mails !== null;

  useUntil([isUnknown, key], (signal) => {
    if (!isUnknown) return;
    setFound(null);
    const at = Date.parse(key);
    const around = { after: iso(at - 1), before: iso(at + 1), limit: 1 };
    service
      .inbox(inbox)
      .summaries(around, signal)
      .then(
        ([summary]) => setFound(summary === undefined ? 'nothing' : mailOf(summary)),
        () => {
          if (!signal.aborted) setFound('nothing');
        },
      );
  });

  if (key === null) return { state: 'nothing' };
  const goneBy = Date.parse(key) <= expired ? 'expired' : 'deleted';
  if (kept !== null) {
    const isThere = listed !== null && goneBy !== 'expired';
    return { state: 'shown', mail: kept, gone: isThere ? null : goneBy };
  }
  if (box.mails === null || found === null) return { state: 'looking' };
  if (found === 'nothing') return { state: 'missing', gone: goneBy };
  // Too old for the list as it is kept, so that its going is not noticed there.
  return { state: 'shown', mail: found, gone: goneBy === 'expired' ? 'expired' : null };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
