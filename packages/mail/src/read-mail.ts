import { extractAtArrival } from './extract/at-arrival.js';
import type { HtmlPage } from './html/html-page.js';
import { readPage } from './html/read-page.js';
import type { Reading } from './message-reading.js';
import { parseMessage } from './mime/parse.js';
import { firstCharacters, withLineFeeds } from './text.js';

/**
 * Everything that Mayfly says of a message from its bytes alone: no clock, no I/O, never throws.
 * Bounded in parts, depth, header bytes and decoded text, and linear in the size of the message (D20).
 */
export function readMail(raw: Uint8Array): Reading {
  const { messageId, from, fromName, subject, text, html, attachments, fileNames, inlineFiles } = parseMessage(raw);
  const page = html === null ? null : readPage(html);
  const lines = text === null ? null : withLineFeeds(text);
  const body = bodyText(lines, page);
  const found = extractAtArrival({ subject, text: lines, html: page });
  return { messageId, from, fromName, subject, body, attachments, fileNames, inlineFiles, ...found };
}

/** Length of an Email's `body` (interface section 2.1). */
export const MAX_BODY_CHARS = 5_000;

/**
 * The `body` of an Email (interface section 2.1, D5): the text part with its line ends as `\n`, or the HTML part as
 * readable text when there is no text part or nothing in it; at most the first 5,000 characters.
 */
export function bodyText(text: string | null, html: string | HtmlPage | null): string {
  if (html === null || (text !== null && text.trim() !== ''))
    return firstCharacters(withLineFeeds(text ?? ''), MAX_BODY_CHARS);
  return firstCharacters(typeof html === 'string' ? readPage(html).text : html.text, MAX_BODY_CHARS);
}
