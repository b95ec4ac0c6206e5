import { FieldScanner } from '../../../src/mail/mime/field-scanner.js';
import { type Mailbox, nextMailbox } from '../../../src/mail/mime/mailbox.js';

/** The first mailbox of an address field that has an address; null when none has. */
export function firstMailbox(field: string): Mailbox | null {
  return nextMailbox(new FieldScanner(field));
}
