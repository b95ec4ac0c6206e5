import type { Calls } from './calls.js';
import { Contents } from './contents.js';
import type { Deadline } from './deadline.js';
import type { ReceivedEmail } from './email.js';
import type { MayflyError } from './errors.js';
import type { InboxApi } from './inbox-api.js';
import { receivedEmail } from './received-email.js';
import { retried } from './retry.js';
import { nullIfGone } from './search.js';
import type { EmailSummary } from './wire.js';

/** How many emails a message names, the newest ones, and how many bytes of messages are read for that. */
export const MAX_NAMED = 10;
const MAX_EXPLAINED_BYTES = 2 ** 22;

/** What is in an inbox when a wait is about to end in vain. Whatever was read by then counts. */
export interface LastLook {
  /** All that is there, newest first; null where it could not be listed. */
  summaries: readonly EmailSummary[] | null;
  /** The newest of it, as far as it was read. */
  emails: ReceivedEmail[];
  /** The domains that this Mayfly takes mail for; null where that is not known. */
  domains: readonly string[] | null;
  /** What kept it from being read. */
  trouble: MayflyError | null;
}

/** Looks what is there, and notes it as it comes. Never rejects. */
export async function lookAround(api: InboxApi, calls: Calls, look: LastLook, deadline: Deadline): Promise<void> {
  const { signal } = deadline;
  try {
    look.summaries = await retried(deadline, () => api.summaries({}, signal));
    if (look.summaries.length === 0) look.domains = await calls.domains(signal);
    let bytes = 0;
    const small = look.summaries.slice(0, MAX_NAMED).filter(({ size }) => {
      bytes += size;
      return bytes <= MAX_EXPLAINED_BYTES;
    });
    const emails = await Promise.all(small.map(({ receivedAt }) => nullIfGone(api.email(receivedAt, signal))));
    look.emails = emails.flatMap((email) =>
      email === null ? [] : [receivedEmail(email, new Contents(api, calls, email.receivedAt))],
    );
  } catch (error) {
    look.trouble = error as MayflyError;
  }
}
