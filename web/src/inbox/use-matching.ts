import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Service } from '../service.js';
import { type Mail, matching } from './mail.js';

/** How long the user must have stopped typing before the service is asked. */
const TYPING_MS = 400;

/** So many emails whose text holds what is looked for are taken, the newest. */
const MAX_FOUND = 1_000;

interface MatchingContext {
  readonly service: Service;
  readonly inbox: string;
  readonly mails: readonly Mail[];
  /** The text that filters the list. */
  readonly filter: string;
}

/**
 * The mails that somebody looks for: at once by what their summaries hold, and a moment later also those whose text
 * holds it further down, which the service knows.
 */
export function useMatching({ service, inbox, mails, filter }: MatchingContext): readonly Mail[] {
  const [deeper, setDeeper] = useState<ReadonlySet<string>>(new Set());
  const body = filter.trim();
  useEffect(() => {
    setDeeper(new Set());
    if (body === '') return;
    const controller = new AbortController();
    const ask = async () => {
      const found = await service.inbox(inbox).summaries({ body, limit: MAX_FOUND }, controller.signal);
      setDeeper(new Set(found.map(({ receivedAt }) => receivedAt)));
    };
    // Where it cannot be had, what the summaries tell stands.
    const timer = setTimeout(() => ask().catch(() => {}), TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [service, inbox, body]);
  return useMemo(() => {
    const near = matching(mails, filter);
    if (deeper.size === 0) return near;
    const keys = new Set(near.map(({ key }) => key));
    return mails.filter(({ key }) => keys.has(key) || deeper.has(key));
  }, [mails, filter, deeper]);
}
