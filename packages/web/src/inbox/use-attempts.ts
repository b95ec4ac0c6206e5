import type { Attempt, InboxAttempts } from 'mayfly-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Service } from '../service.js';
import { pause } from './feed.js';

/** How often a page that is seen asks, and how long it waits where it got no answer. */
const ASK_MS = 2_000;
const TROUBLE_MS = 10_000;

export type Timeline = Pick<InboxAttempts, 'attempts' | 'waits'>;

const NOTHING: Timeline = { attempts: [], waits: [] };

/**
 * The attempts to send mail to an inbox and who waits for it, asked for again and again while the page is seen.
 * `onRefused` hears of each answer whose newest attempt is new and came to nothing. The feed tells what keeps them from
 * being read.
 */
export function useAttempts(service: Service, name: string, onRefused: (attempt: Attempt) => void): Timeline {
  const [timeline, setTimeline] = useState(NOTHING);
  const told = useRef<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const inbox = service.inbox(name);
    const look = async () => {
      if (document.hidden) return ASK_MS;
      try {
        const { attempts: all, waits } = await inbox.attempts(signal);
        // What is not over has not come to nothing.
        const attempts = all.filter(({ outcome }) => outcome !== 'open');
        setTimeline({ attempts, waits });
        const newest = attempts.find(({ outcome }) => outcome !== 'kept');
        if (newest && told.current !== null && newest.at > told.current) onRefused(newest);
        told.current = newest?.at ?? told.current ?? '';
        return ASK_MS;
      } catch {
        return TROUBLE_MS;
      }
    };
    const run = async () => {
      while (!signal.aborted) await pause(await look(), signal);
    };
    // It ends with the signal.
    run().catch(() => {});
    return () => controller.abort();
  }, [service, name]);
  return timeline;
}
