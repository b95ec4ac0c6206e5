import { HANDLING, ORDERING, SALE, THING } from '../../words/words.js';
import type { Address } from './link-address.js';
import { type LinkMessage, linkFacts, type Place } from './link-facts.js';
import type { Link } from './links.js';

/** Where an address leads to the first page of a site. */
const HOME = /^\/?(?:\?[^#]*)?$/;

type OwnFacts = ReturnType<typeof ownFacts>;

export type ActionFacts = OwnFacts & { readonly mail: ReturnType<typeof mailFacts>; readonly isMagic: boolean };

/** What is known of a link by itself. `thing` is what the subject names, or null. */
export function ownFacts(link: Link, address: Address, message: LinkMessage, thing: string | null) {
  const facts = linkFacts(link, address, message);
  const { shown } = facts;
  return {
    ...facts,
    // What stands before an address that is written out somewhere is not said of it where its text says something else.
    says: new Set(shown.flatMap(({ own }) => own)),
    /** Its text, or the sentence that leads to its address, offers to see, download, track or review such a thing. */
    offersMatter: shown.some(({ label }) => offers(label, thing)),
    nearMatter: shown.some(({ before, behind }) => handles(`${before} ${behind}`, thing)),
    ledTo: shown.some(isLedTo),
    isHome: HOME.test(address.rest),
    /** It stands within a sentence wherever it stands. */
    isInSentence: shown.every(isInSentence),
    name: nameOf(shown),
  };
}

/** What all links of a mail say of it. */
export function mailFacts(links: readonly OwnFacts[], thing: string | null, hasFooterAddress: boolean) {
  const matter = links.filter(isOfMatter);
  return {
    namesMatter: thing !== null,
    /** The links but those that mail carries by custom: footers, homes, profiles, help. */
    matter: matter.map(({ link }) => link),
    buttons: matter.map(({ link }) => link).filter(({ button }) => button),
    /** How many links have the same name: downloads of a list. */
    names: counted(matter.map(({ name }) => name)),
    /** It was sent to many: it offers to unsubscribe, to set what comes, or to see it in a browser. */
    isBulk:
      hasFooterAddress || links.some(({ says, link }) => says.has('footer') || (says.has('leave') && link.footer)),
    /** A link is for somebody who did not do what the mail tells of. */
    isNotice: links.some(({ denied }) => denied),
  };
}

/** It belongs to what this mail is about, and is not what every mail of its sender carries. */
function isOfMatter({ customary, isHome, link, denied, says, offersMatter }: OwnFacts): boolean {
  if (customary || link.footer || denied || says.has('leave')) return false;
  return says.has('action') || link.button || (!isHome && (offersMatter || !says.has('aside')));
}

/** What links of a list share: "Invoice 1" and "Invoice 2" all but the number. `""` for a link without text. */
function nameOf(shown: readonly Place[]): string {
  const linked = shown.find(({ isWritten }) => !isWritten);
  return linked === undefined ? '' : linked.label.replace(/[^\p{L}]+/gu, ' ').trim();
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** A colon precedes it or, if it is an address on its own line, a sentence of action. */
function isLedTo({ before, isWritten, isFirst, lead }: Place): boolean {
  return /[:：]$/.test(before) || (isWritten && isFirst && lead.includes('action'));
}

/** Words stand before and behind it in its line. */
function isInSentence({ before, behind, isFirst }: Place): boolean {
  return !isFirst && /\p{L}/u.test(before) && /\p{L}/u.test(behind);
}

/** What a subject names: `order`, `rechnung`; null where it names nothing, or offers something for sale. */
export function thingOf(subject: string): string | null {
  return SALE.test(subject) ? null : (THING.exec(subject)?.[0] ?? null);
}

/** Longer texts of links are titles and sentences. */
const MAX_OFFER_CHARS = 160;

/** It says to do something with a thing, or is the name of what the subject names. */
function offers(text: string, thing: string | null): boolean {
  if (text.length > MAX_OFFER_CHARS || ORDERING.test(text)) return false;
  return handles(text, thing) || (thing !== null && THING.exec(text)?.[0] === thing);
}

function handles(text: string, thing: string | null): boolean {
  return HANDLING.test(text) && (thing !== null || THING.test(text)) && !ORDERING.test(text);
}
