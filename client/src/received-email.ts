import type { Contents } from './contents.js';
import type { EmailData, ReceivedEmail } from './email.js';
import { fromName } from './from-name.js';
import type { Email } from './wire.js';

/** The data of an email of the wire. */
export function emailData(email: Email): EmailData {
  return { ...email, receivedAt: new Date(email.receivedAt), fromName: fromName(email.rawBody) };
}

/** An email of the wire, and what can be asked for of it. */
export function receivedEmail(email: Email, contents: Contents): ReceivedEmail {
  const data = emailData(email);
  // Methods that are no data: whoever prints an email, compares it or makes JSON of it sees what came.
  for (const name of ['html', 'links', 'codes', 'attachments', 'headers', 'explain'] as const) {
    Object.defineProperty(data, name, { value: () => contents[name]() });
  }
  return data as ReceivedEmail;
}
