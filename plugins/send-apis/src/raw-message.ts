import { readMessageHead } from 'mayfly-mail/internal/message-head';
import { refuse } from './problem.js';

/** Header fields that a provider sets itself, or hides from recipients. */
const REPLACED = ['message-id', 'bcc'];

/**
 * A message that the application composed. Its sender and recipients are the given ones or, if empty, those in its
 * header. `withMessageId` adds the message's ID later.
 */
export function rawOrder(message: Buffer, from: string, recipients: readonly string[], notes: readonly string[] = []) {
  const head = readMessageHead(message);
  const sender = from || (head.from[0]?.address ?? '');
  const named = [...head.to, ...head.cc, ...head.bcc].map(({ address }) => address);
  if (message.length === 0) refuse('missing', { field: 'RawMessage.Data' });
  if (sender === '') refuse('missing', { field: 'From' });
  const all = recipients.length > 0 ? recipients : named;
  if (all.length === 0) refuse('missing', { field: 'To' });
  return { raw: message, from: sender, recipients: all, notes };
}

/** Returns the message with this Message-ID, without Bcc, and with CRLF line ends (RFC 5321 section 2.3.8). */
export function withMessageId(message: Buffer, messageId: string): Buffer {
  // Decodes one character per byte, so that no byte changes.
  const text = message.toString('latin1').replace(/\r?\n/g, '\r\n');
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end + 2);
  let isReplaced = false;
  const kept = head.split('\r\n').filter((line) => {
    if (!/^[ \t]/.test(line)) isReplaced = REPLACED.includes(line.slice(0, line.indexOf(':')).trim().toLowerCase());
    return !isReplaced;
  });
  return Buffer.from(`Message-ID: ${messageId}\r\n${kept.join('\r\n')}${text.slice(head.length)}`, 'latin1');
}
