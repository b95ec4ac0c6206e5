import { FieldScanner } from '../../src/mime/field-scanner.js';
import { type Mailbox, nextMailbox } from '../../src/mime/mailbox.js';

/** The first mailbox with an address in an address field, or null. */
export function firstMailbox(field: string): Mailbox | null {
  return nextMailbox(new FieldScanner(field));
}
