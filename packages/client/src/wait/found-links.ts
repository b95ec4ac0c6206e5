import type { EmailLink } from 'mayfly-protocol/wire';
import type { EmailLinks } from './email.js';
import { contains, type Pattern } from './text.js';

/** The links of an email, in the order of its message. */
export class FoundLinks extends Array<EmailLink> implements EmailLinks {
  /**
   * The first link whose text or address matches: a part of it, whatever the case, or a pattern. Or as of any array.
   */
  override find(wanted: Pattern): EmailLink | undefined;
  override find(wanted: (link: EmailLink, index: number, links: EmailLink[]) => unknown): EmailLink | undefined;
  override find(wanted: Pattern | ((link: EmailLink, index: number, links: EmailLink[]) => unknown)) {
    if (typeof wanted === 'function') return super.find(wanted);
    return super.find((link) => isAbout(link, wanted));
  }

  /** The link that the mail asks its reader to follow. */
  get action(): EmailLink | undefined {
    return super.find(({ action }) => action);
  }
}

/** Whether a link's text or address contains a text, or matches a pattern. */
export function isAbout({ text, url }: EmailLink, wanted: Pattern): boolean {
  return contains(text, wanted) || contains(url, wanted);
}
