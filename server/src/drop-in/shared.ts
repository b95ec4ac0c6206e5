import type { Clock } from '../base/clock.js';
import type { DropInGuard } from '../http/http.js';
import type { Inboxes, ReadingThreads } from '../inbox/inboxes.js';
import type { Mailbox } from '../inbox/mailbox/mailbox.js';
import type { Limiter } from '../limits/limiter.js';
import type { Callers } from './callers.js';
import type { ReadMarks, SenderNames } from './message-notes.js';

/** Requests count against the limit of drop-ins. */
export const CONFIG = { config: { limit: 'drop-in' } } as const;

export interface Shared {
  readonly inboxes: Inboxes;
  readonly threads: Pick<ReadingThreads, 'run'>;
  readonly mailbox: Mailbox;
  readonly clock: Clock;
  /** The path that routes are below, such as `/mailpit`, or empty. */
  readonly root: string;
  readonly hasPage: boolean;
  readonly maxMessageBytes: number;
  readonly maxRecipients: number;
  readonly mailRate: Limiter;
  readonly access: DropInGuard['access'];
  readonly callers: Callers;
  readonly marks: ReadMarks;
  readonly senders: SenderNames;
  readonly streams: DropInGuard['streams'];
}
