import type { DropIn } from 'mayfly-plugins-shared/drop-in';
import type { ReadMarks, SenderNames } from './message-notes.js';

/** What its routes get. */
export interface Mailpit extends DropIn {
  readonly marks: ReadMarks;
  readonly senders: SenderNames;
}
