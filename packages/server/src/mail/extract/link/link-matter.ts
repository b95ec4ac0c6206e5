import { HANDLING, ORDERING, SALE, THING } from '../../words/words.js';
import type { Passage } from '../text/passages.js';
import { leadOf, shown, surroundingsOf } from './link-facts.js';
import type { Link, LinkOccurrence } from './links.js';

export interface MatterFacts {
  /** Its text, or the sentence that leads to its address, offers to see, download, track or review such a thing. */
  readonly saysMatter: boolean;
  readonly nearMatter: boolean;
  readonly subjectNamesMatter: boolean;
}

/** Longer texts of links are titles and sentences. */
const MAX_LABEL_CHARS = 60;
const MAX_LEAD_CHARS = 160;

/** What a subject names: `order`, `rechnung`; null where it names nothing, or offers something for sale. */
export function matterOf({ lower }: Passage): string | null {
  return SALE.test(lower) ? null : (THING.exec(lower)?.[0] ?? null);
}

/** What a link says of the matter that the subject names, or of another. */
export function matterFacts(link: Link, subject: string | null): MatterFacts {
  const places = shown(link);
  return {
    saysMatter: places.some((place) => offers(ownText(place), subject)),
    nearMatter: places.some((place) => handles(surroundingsOf(place), subject)),
    subjectNamesMatter: subject !== null,
  };
}

/** What links of a list share: "Invoice 1" and "Invoice 2" all but the number. `""` for a link without text. */
export function labelOf(link: Link): string {
  const linked = shown(link).find(({ isWritten }) => !isWritten);
  return linked === undefined
    ? ''
    : ownText(linked)
        .replace(/[^\p{L}]+/gu, ' ')
        .trim();
}

/** The text of a link, or what leads to an address that is written out. */
function ownText(occurrence: LinkOccurrence): string {
  const { passage, at, isWritten, title } = occurrence;
  if (!isWritten) {
    const text = passage.lower.slice(at.start, Math.min(at.end, at.start + MAX_LABEL_CHARS + 1)).trim();
    return text === '' ? title.slice(0, MAX_LABEL_CHARS + 1).toLowerCase() : text;
  }
  const lead = leadOf(occurrence);
  return lead === null ? '' : passage.lower.slice(Math.max(lead.start, lead.end - MAX_LEAD_CHARS), lead.end);
}

/** It says to do something with a thing, or is the name of what the subject names. */
function offers(text: string, subject: string | null): boolean {
  if (text.length > MAX_LEAD_CHARS) return false;
  return handles(text, subject) || (subject !== null && THING.exec(text)?.[0] === subject && !ORDERING.test(text));
}

function handles(text: string, subject: string | null): boolean {
  return HANDLING.test(text) && (subject !== null || THING.test(text)) && !ORDERING.test(text);
}
