import { HANDLING, ORDERING, SALE, THING } from '../../words/words.js';
import type { Address } from './link-address.js';
import { type LinkMessage, linkFacts, type Place } from './link-facts.js';
import type { Link } from './links.js';

/** Matches the path of a site's home page. */
const HOME = /^\/?(?:\?[^#]*)?$/;

type OwnFacts = ReturnType<typeof ownFacts>;

export type ActionFacts = OwnFacts & { readonly mail: ReturnType<typeof mailFacts>; readonly isMagic: boolean };

/** The facts of one link. `thing` is the thing that the subject names, or null. */
export function ownFacts(link: Link, address: Address, message: LinkMessage, thing: string | null) {
  const facts = linkFacts(link, address, message);
  const { shown } = facts;
  return {
    ...facts,
    // A link with its own text is judged by that text, even if its address also occurs as plain text elsewhere.
    says: new Set(shown.flatMap(({ own }) => own)),
    /** The link's text, or the sentence before its address, offers to see, download, track or review the thing. */
    offersMatter: shown.some(({ label }) => offers(label, thing)),
    nearMatter: shown.some(({ before, after }) => handles(`${before} ${after}`, thing)),
    ledTo: shown.some(isLedTo),
    isHome: HOME.test(address.rest),
    /** Every occurrence of the link is within a sentence. */
    isInSentence: shown.every(isInSentence),
    name: nameOf(shown),
  };
}

/** Facts about a message from all of its links. */
export function mailFacts(links: readonly OwnFacts[], thing: string | null, hasFooterAddress: boolean) {
  const matter = links.filter(isOfMatter);
  return {
    namesMatter: thing !== null,
    /** Links that are specific to this message, without footers, home pages, profiles and help. */
    matter: matter.map(({ link }) => link),
    buttons: matter.map(({ link }) => link).filter(({ button }) => button),
    /** The number of links by name. Several links with one name may be a list of downloads. */
    names: counted(matter.map(({ name }) => name)),
    /** Links to unsubscribe, change preferences or view the email in a browser show that many people received it. */
    isBulk:
      hasFooterAddress || links.some(({ says, link }) => says.has('footer') || (says.has('leave') && link.footer)),
    /** A link is for readers who did not cause the event that the message reports, as in "This wasn't me". */
    isNotice: links.some(({ denied }) => denied),
  };
}

/** Whether a link is specific to this message, not the same in every message of its sender. */
function isOfMatter({ customary, isHome, link, denied, says, offersMatter }: OwnFacts): boolean {
  if (customary || link.footer || denied || says.has('leave')) return false;
  return says.has('action') || link.button || (!isHome && (offersMatter || !says.has('aside')));
}

/** The letters of the link's text, so that "Invoice 1" and "Invoice 2" have one name. `""` for a link without text. */
function nameOf(shown: readonly Place[]): string {
  const linked = shown.find(({ isWritten }) => !isWritten);
  return linked === undefined ? '' : linked.label.replace(/[^\p{L}]+/gu, ' ').trim();
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Whether the text before the link ends with a colon or, for an address on its own line, mentions an action. */
function isLedTo({ before, isWritten, isFirst, lead }: Place): boolean {
  return /[:：]$/.test(before) || (isWritten && isFirst && lead.includes('action'));
}

/** Whether words are before and after the link in its line. */
function isInSentence({ before, after, isFirst }: Place): boolean {
  return !isFirst && /\p{L}/u.test(before) && /\p{L}/u.test(after);
}

/** The thing that a subject is about: `order`, `rechnung`. Null if the subject offers something for sale. */
export function thingOf(subject: string): string | null {
  return SALE.test(subject) ? null : (THING.exec(subject)?.[0] ?? null);
}

/** Link texts longer than this are titles and sentences, not offers. */
const MAX_OFFER_CHARS = 160;

/** Whether a text offers to do something with a thing, such as an order, or names the thing that the subject names. */
function offers(text: string, thing: string | null): boolean {
  if (text.length > MAX_OFFER_CHARS || ORDERING.test(text)) return false;
  return handles(text, thing) || (thing !== null && THING.exec(text)?.[0] === thing);
}

function handles(text: string, thing: string | null): boolean {
  return HANDLING.test(text) && (thing !== null || THING.test(text)) && !ORDERING.test(text);
}
