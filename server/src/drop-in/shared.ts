import type { Clock } from '../clock.js';
import type { DropInGuard } from '../http/app.js';
import type { Inboxes } from '../inbox/inboxes.js';
import type { Mailbox } from '../inbox/mailbox/mailbox.js';
import type { Limiter } from '../limits/limiter.js';
import type { Callers } from './callers.js';
import type { ReadMarks } from './read-marks.js';

/** What the routes answer from. */
export interface Shared {
  readonly inboxes: Inboxes;
  /** All inboxes as one, which hears of what changes in them. */
  readonly mailbox: Mailbox;
  readonly clock: Clock;
  /** What SMTP takes, and so what is sent here. */
  readonly maxMessageBytes: number;
  readonly maxRecipients: number;
  /** Counts the mails of each client, with those that come by SMTP. */
  readonly mailRate: Limiter;
  readonly access: DropInGuard['access'];
  readonly callers: Callers;
  readonly marks: ReadMarks;
  readonly streams: DropInGuard['streams'];
}
