import { type Candidate, exclusionOf, judged, type Reason, type Rule } from '../score.js';
import type { Content } from '../text/passages.js';
import { KEYWORD } from './action-names.js';
import { addressOf, LINK_EXCLUSIONS } from './link-address.js';
import { type LinkFacts, linkFacts } from './link-facts.js';
import { findLinks, type Link } from './links.js';

/** A link with fewer points is not the magic link. */
export const LINK_THRESHOLD = 20;

/** If this many links have a keyword, a keyword alone does not show which one is the magic link. */
const CROWD = 4;

const NO_WORD: Reason = {
  rule: 'no-word',
  points: 0,
  text: 'it contains none of the words verify, confirm, reset, token, activate, auth',
};

/** The web links of a message in order, starting with the links of the HTML part. */
export function linkCandidates(content: Content, code: string | null): Candidate<LinkFacts, Link>[] {
  const links = findLinks(content).map((link) => {
    if (!KEYWORD.test(link.url)) return { link, address: null, excluded: NO_WORD };
    const address = addressOf(link.url, link.isCut);
    return { link, address, excluded: exclusionOf(LINK_EXCLUSIONS, address) };
  });
  const open = links.filter(({ excluded }) => excluded === null);
  const message = {
    code,
    isOnly: links.length === 1,
    isCrowded: open.length >= CROWD,
    subjectSaysAction: open.length > 0 && content.subject.says('action'),
    subject: content.subject.lower,
  };
  return links.map(({ link, address, excluded }) => {
    const facts = address === null || excluded !== null ? null : linkFacts(link, address, message);
    return judged({ value: link.url, place: link, excluded, facts }, LINK_RULES);
  });
}

/** Whether the link's text mentions help, an order or the like. False if it asks to copy the address to a browser. */
function isAside({ says }: LinkFacts): boolean {
  if (says.has('action')) return false;
  return says.has('other') || ((says.has('aside') || says.has('footer')) && !says.has('enter'));
}

/**
 * The only link with a keyword is the magic link. Exceptions are common footer links, links that lock an account after
 * "If this was not you", and links next to a code that serve another purpose (D23).
 */
function isOnlyLink(facts: LinkFacts): boolean {
  const { message, customary, says, denied, leaves, address, asks, secret } = facts;
  if (!message.isOnly || (customary && !says.has('action')) || address.secures || (denied && leaves)) return false;
  // The link only leads to a page to read, or only helps readers who forgot their password.
  const isContent = address.titled || (asks && !secret && !message.subjectSaysAction);
  return !isContent && !isBesideCode(facts);
}

/** Whether a link serves another purpose than the message's code: "Did not ask for this code? Reset your password". */
function isBesideCode(facts: LinkFacts): boolean {
  const { message, denied, leaves, secret, isSpokenFor } = facts;
  return message.code !== null && (denied || leaves || !isSpokenFor || (!secret && isAside(facts)));
}

/** A question is in the link's text or precedes a reset link: "Forgot your password?" or "Trouble signing in?" */
function isAsked({ asks, asked, address, message }: LinkFacts): boolean {
  return asks || (asked && !message.subjectSaysAction && address.action === 'reset');
}

/** The address names its action and contains a token, and no words contradict the address. */
function speaksForItself(facts: LinkFacts): boolean {
  const { secret, says, around, message, address, link } = facts;
  const isLeaving = says.has('leave') || around.has('leave') || around.has('footer');
  const isAgainst = isLeaving || isAside(facts) || message.isCrowded;
  if (!secret || isAgainst || facts.denied || facts.leaves || link.footer || link.hidden) return false;
  // In a message with a code, a reset link is usually for readers who did not request the code.
  return address.action === 'verify' || (address.action === 'reset' && message.code === null);
}

function isSpokenOf({ says, around, isSpokenFor }: LinkFacts): boolean {
  return isSpokenFor && (says.has('action') || around.has('action'));
}

/** Paths of pages with source code. A keyword there is part of the name of a branch, a file or a version. */
const SOURCE_CODE = /\/-\/|\/(?:commits?|blob|tree|pulls?|compare|merge_requests)\//;

/** A value that is too short for a token but is named like a token: `?token=yes`. */
const NAMED_VALUE = /[?&#](?:token|code|key)=[^&#]/i;

/** Evidence that a link with a keyword is the magic link, or is not. */
const LINK_RULES: readonly Rule<LinkFacts>[] = [
  // Evidence from the address.
  ['only-link', 60, 'it is the only link of the message', isOnlyLink],
  ['word-is-name', 25, 'the keyword names a page or parameter in the address', (f) => f.address.isNamed],
  ['word-by-accident', -40, 'the keyword is in the address by accident, as in /author/', (f) => f.address.isAccident],
  ['token', 25, 'the address carries something like a token', (f) => f.secret],
  ['no-token', -25, 'the address carries no token', (f) => !f.secret && !isOnlyLink(f)],
  [
    'no-token-no-action',
    -25,
    'the address carries no token and names no action',
    (f) => !f.secret && !f.address.isNamed && !isOnlyLink(f),
  ],
  [
    'no-token-own-words',
    -30,
    "the address carries no token, and only the link's text mentions an action",
    (f) =>
      !f.secret &&
      !NAMED_VALUE.test(f.address.rest) &&
      !isOnlyLink(f) &&
      !f.message.subjectSaysAction &&
      !f.link.button,
  ],
  [
    'question',
    -40,
    'its text, or the text before it, is a question, and the address carries no token',
    (f) => isAsked(f) && !f.secret && !isOnlyLink(f),
  ],
  [
    'content',
    -60,
    'the keyword is part of a page title in the address, or the link leads to source code',
    (f) => f.address.titled || SOURCE_CODE.test(f.address.rest),
  ],
  ['address-leaves', -50, 'the address says to cancel, decline or revoke', (f) => f.leaves],

  // Evidence from text.
  ['text-action', 20, 'its text mentions verifying, signing in or a password', (f) => f.says.has('action')],
  ['around-action', 10, 'the text around it mentions verifying or signing in', (f) => f.around.has('action')],
  [
    'leaves',
    -60,
    'its text, or the text around it, offers to unsubscribe, cancel or decline',
    (f) => f.says.has('leave') || (f.around.has('leave') && !f.says.has('action')),
  ],
  ['denied', -70, 'it is for readers who say "I did not request this"', (f) => f.denied && !isOnlyLink(f)],
  ['text-denies', -150, 'its text says "this was not me" or the like', (f) => f.denies],
  ['text-aside', -40, 'its text mentions viewing, settings, help, an order, an invoice or the like', isAside],
  [
    'crowd',
    -40,
    'many links contain a keyword, and the text of this one mentions no action',
    (f) => f.message.isCrowded && !f.says.has('action'),
  ],
  [
    'subject-only',
    -20,
    'only the subject mentions verifying, signing in or a password',
    (f) => !isSpokenOf(f) && f.message.subjectSaysAction && !isOnlyLink(f),
  ],
  [
    'nothing-speaks',
    -60,
    'no text mentions verifying, signing in or a password',
    // In a message with a code, the subject is about the code, not about the link.
    (f) =>
      !isSpokenOf(f) &&
      (!f.message.subjectSaysAction || f.message.code !== null) &&
      !isOnlyLink(f) &&
      !speaksForItself(f),
  ],

  // Evidence from style.
  ['button', 10, 'it looks like a button', (f) => f.link.button],
  ['link-repeated', 10, 'it occurs more than once', (f) => f.link.occurrences.length > 1],
  ['out-of-sight', -40, 'it is in the footer, or hidden', (f) => f.link.footer || f.link.hidden],
];
