import { firstCharacters } from './first-characters.js';
import type { HtmlPage } from './html/html-page.js';
import { readPage } from './html/read-page.js';
import { withLineFeeds } from './line-feeds.js';

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
