import { choose } from './extract/extraction.js';
import { actionCandidates, actionLink } from './extract/link/action-rules.js';
import { codesOf } from './extract/listing.js';
import { contentOf, type ExtractionInput } from './extract/text/passages.js';
import type { HtmlPage } from './html/html-page.js';
import { readPage } from './html/read-page.js';
import type { Reading } from './message-reading.js';
import { parseMessage } from './mime/parse.js';
import { firstCharacters, withLineFeeds } from './text.js';

/**
 * Reads a message from its bytes alone: no clock, no I/O, never throws. Takes time linear in the size of the message,
 * with limits for parts, depth, header bytes and decoded text (D20).
 */
export function readMail(raw: Uint8Array): Reading {
  const { messageId, from, fromName, subject, text, html, attachments, fileNames, inlineFiles } = parseMessage(raw);
  const page = html === null ? null : readPage(html);
  const lines = text === null ? null : withLineFeeds(text);
  const body = bodyText(lines, page);
  const found = codeAndLinkOf({ subject, text: lines, html: page });
  return { messageId, from, fromName, subject, body, attachments, fileNames, inlineFiles, ...found };
}

/** Without `otp` and `magicLink`, also searches for codes with letters and other links. This doubles the time (D31). */
function codeAndLinkOf(input: ExtractionInput): Pick<Reading, 'otp' | 'magicLink' | 'code' | 'action'> {
  const content = contentOf(input);
  const choice = choose(content);
  const otp = choice.code?.value ?? null;
  const magicLink = choice.link?.value ?? null;
  if (otp !== null || magicLink !== null) return { otp, magicLink, code: otp, action: magicLink !== null };
  // A code with letters counts only if the message mentions a code, or entering one.
  const saysCode = content.passages.some((passage) => passage.says('code') || passage.says('enter'));
  const code = saysCode ? (codesOf(content, choice).found[0]?.value ?? null) : null;
  const action = code === null && actionLink(actionCandidates(content, { magicLink, code })) !== null;
  return { otp, magicLink, code, action };
}

/** Maximum length of an Email's `body` (interface section 2.1). */
export const MAX_BODY_CHARS = 5_000;

/**
 * The `body` of an Email (interface section 2.1, D5): the text part with its line ends as `\n`, or the HTML part as
 * readable text if the text part is missing or empty; at most the first 5,000 characters.
 */
export function bodyText(text: string | null, html: string | HtmlPage | null): string {
  if (html === null || (text !== null && text.trim() !== ''))
    return firstCharacters(withLineFeeds(text ?? ''), MAX_BODY_CHARS);
  return firstCharacters(typeof html === 'string' ? readPage(html).text : html.text, MAX_BODY_CHARS);
}
