import type { EmailParts } from 'mayfly-client';
import type { Service } from '../service.js';
import { pause } from './feed.js';
import type { Pace } from './pace.js';
import { type Answer, useAnswer } from './use-answer.js';

/** How long an email must stay chosen before it is fetched, so that going through a list fetches none on the way. */
const REST_MS = 150;

/** What an email holds. */
export type Parts = Answer<EmailParts>;

interface PartsContext {
  readonly service: Service;
  readonly inbox: string;
  /** The email's key. */
  readonly mail: string;
  readonly pace: Pace;
  onParts(parts: EmailParts): void;
  /** Is told when the email is not there any more. */
  onGone(): void;
}

/** What an email holds, fetched when it is opened. */
export function useParts({ service, inbox, mail, pace, onParts, onGone }: PartsContext): Parts {
  return useAnswer(async (signal) => {
    await paced(pace, signal);
    const parts = await service.inbox(inbox).parts(mail, signal);
    onParts(parts);
    return parts;
  }, onGone);
}

/** Resolves when an email has been on screen for a moment and a request for it may be made, and counts it. */
export async function paced(pace: Pace, signal: AbortSignal): Promise<void> {
  await pause(REST_MS, signal);
  // Another request may have been counted meanwhile.
  for (let waitMs = pace.waitMs(performance.now()); waitMs > 0; waitMs = pace.waitMs(performance.now())) {
    await pause(waitMs, signal);
  }
  pace.take(performance.now());
}
