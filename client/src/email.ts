import type { Email } from './wire.js';

/** An email as this client gives it: that of the wire, with its time as a Date. */
export interface ReceivedEmail extends Omit<Email, 'receivedAt'> {
  /** When the message had arrived, by the server's clock. Strictly increases within an inbox. */
  readonly receivedAt: Date;
}

/** The email that a JSON value of the wire holds. */
export function receivedEmail(email: Email): ReceivedEmail {
  return { ...email, receivedAt: new Date(email.receivedAt) };
}
