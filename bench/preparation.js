// The inboxes that attacks are made on, filled beforehand.

import { open } from './http.js';
import { filled } from './mails.js';
import { deliver, SmtpConnection } from './smtp.js';

/** An inbox with as many emails as one may have, each with a body of the largest length that a filter looks at. */
export const FULL_INBOX = 'full';
const FULL_INBOX_EMAILS = 1_000;
const BODY_CHARACTERS = 5_000;

/** As many recipients as a mail may have. */
const RECIPIENTS = 100;

/** An inbox with one email of nearly the largest size. */
export const LARGE_INBOX = 'large';

/** Fills inboxes; neither an attacker nor one of the other clients. */
export const FILLER = { localAddress: '127.0.0.9' };

/** How many connections fill at once. */
const FILLING_LANES = 4;

/**
 * Fills the inboxes that attacks share. With `isShort` the full inbox gets few messages with many recipients each,
 * which is faster, and otherwise as many messages as emails.
 */
export async function fillSharedInboxes(service, { isShort }) {
  await fillInbox(service, FULL_INBOX, { recipientsOfEach: isShort ? RECIPIENTS : 1 });
  await deliver(service, filled('Subject: large\r\nContent-Type: text/html\r\n\r\n', LINK), [at(LARGE_INBOX)], FILLER);
}

const LINK = '<p>Your <b>code</b> is 482913, <a href="https://a.test/verify?t=1">verify</a></p>\r\n';

/** Fills one inbox to its limit. */
export async function fillInbox(service, inbox, { recipientsOfEach = RECIPIENTS } = {}) {
  const body = 'The quick brown fox jumps over the lazy dog. '.repeat(BODY_CHARACTERS / 45);
  let left = FULL_INBOX_EMAILS / recipientsOfEach;
  const lane = async () => {
    const connection = new SmtpConnection(service, FILLER);
    await connection.greet();
    while (left > 0) {
      left -= 1;
      const mail = Buffer.from(
        `From: app@bench.test\r\nSubject: Number ${left}\r\n\r\n${body.slice(0, 900)}\r\n${body}\r\n`,
      );
      await connection.send(mail, Array(recipientsOfEach).fill(at(inbox)));
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: FILLING_LANES }, lane));
}

/** Resolves to the `receivedAt` of the newest email of an inbox, and reads no more of the list than that. */
export async function newestIn(service, inbox) {
  const response = await open(service, `/api/inbox/${inbox}`, FILLER);
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    const [, receivedAt] = /"receivedAt":"([^"]+)"/.exec(text) ?? [];
    if (receivedAt !== undefined) return receivedAt;
  }
  throw new Error(`The inbox ${inbox} has no email: ${text}`);
}

/** The address of an inbox. */
export function at(inbox) {
  return `${inbox}@inbox.example.com`;
}
