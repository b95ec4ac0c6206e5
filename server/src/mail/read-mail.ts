import { bodyText } from './body.js';
import { extract } from './extract/extraction.js';
import { readPage } from './html/read-page.js';
import type { Reading } from './message-reading.js';
import { parseMessage } from './mime/parse.js';

/**
 * Everything that Mayfly says of a message from its bytes alone: no clock, no I/O, never throws.
 * Bounded in parts, depth, header bytes and decoded text, and linear in the size of the message (D20).
 */
export function readMail(raw: Uint8Array): Reading {
  const { messageId, from, fromName, subject, text, html, attachments } = parseMessage(raw);
  const page = html === null ? null : readPage(html);
  const body = bodyText(text, page);
  const { otp, magicLink } = extract({ subject, text, html: page });
  return { messageId, from, fromName, subject, body, attachments, otp, magicLink };
}
