import type { Rule } from '../score.js';
import { namedAction } from './action-names.js';
import type { LinkFacts } from './link-facts.js';

/** A link with fewer points is not taken for the magic link. */
export const LINK_THRESHOLD = 20;

/** Copying an address into the browser is not beside the matter. */
function isAside({ says }: LinkFacts): boolean {
  return (says.has('aside') || says.has('footer')) && !says.has('action') && !says.has('enter');
}

/**
 * The only link is the magic link if it holds a word (the interface's rule). Not so what mail carries by custom, what
 * locks an account behind "If this was not you", nor what stands beside a code and is not for its reader (D23).
 */
function isOnlyLink(facts: LinkFacts): boolean {
  const { isOnly, customary, denied, secures } = facts;
  return isOnly && !customary && !(denied && secures) && !isBesideCode(facts) && !isContent(facts);
}

/**
 * The code is what its mail is for. A link beside it that nothing but a word in its address speaks for is something
 * else: "Did not ask for this code? Reset your password".
 */
function isBesideCode(facts: LinkFacts): boolean {
  const { hasCode, denied, leaves, secret, isSpokenFor } = facts;
  return hasCode && (denied || leaves || !isSpokenFor || (!secret && isAside(facts)));
}

/** Its target is read and does nothing: a page by its title, or a way out for readers who forgot a password. */
function isContent({ titled, secret, asks, subjectSaysAction }: LinkFacts): boolean {
  return titled || (asks && !secret && !subjectSaysAction);
}

/** "Forgot your password?", or "Trouble signing in?" before what resets one. */
function isAsked({ asks, asked, rest, subjectSaysAction }: LinkFacts): boolean {
  return asks || (asked && !subjectSaysAction && namedAction(rest) === 'reset');
}

/** The address itself names what it does and carries a token, and nothing speaks against it. */
function speaksForItself(facts: LinkFacts): boolean {
  const { rest, secret, says, around, hasCode, isCrowded, link } = facts;
  const isLeaving = says.has('leave') || around.has('leave') || around.has('footer');
  const isAgainst = isLeaving || isAside(facts) || says.has('other') || isCrowded;
  if (!secret || isAgainst || facts.denied || facts.leaves || link.footer || link.hidden) return false;
  const action = namedAction(rest);
  // Beside a code, what resets is mostly for somebody who did not ask for the code.
  return action === 'verify' || (action === 'reset' && !hasCode);
}

function isSpokenOf({ says, around }: LinkFacts): boolean {
  return says.has('action') || around.has('action');
}

/** `?token=yes`: too short to be a token, and called one. */
const NAMED_VALUE = /[?&#](?:token|code|key)=[^&#]/i;

/** What speaks for a link being the one to follow, and what against it. Each holds one of the interface's words. */
export const LINK_RULES: readonly Rule<LinkFacts>[] = [
  // What the address says.
  ['only-link', 60, 'it is the only link of the message', isOnlyLink],
  ['word-is-name', 25, 'the word is a name in the address', (f) => f.keyword === 'name'],
  ['word-is-part', 10, 'the word is part of the address', (f) => f.keyword === 'part'],
  ['word-by-accident', -40, 'the word is in the address by accident, as in /author/', (f) => f.keyword === 'accident'],
  ['token', 25, 'the address carries something like a token', (f) => f.secret],
  [
    'action-without-token',
    -25,
    'the address names an action and carries no token',
    (f) => !f.secret && f.keyword === 'name' && !isOnlyLink(f),
  ],
  [
    'no-token-no-action',
    -50,
    'the address carries no token and names no action',
    (f) => !f.secret && f.keyword !== 'name' && !isOnlyLink(f) && namedAction(f.rest) === null,
  ],
  [
    'no-token-own-words',
    -30,
    'the address carries no token, and only its own text mentions an action',
    (f) => !f.secret && !NAMED_VALUE.test(f.rest) && !isOnlyLink(f) && !f.subjectSaysAction && !f.link.button,
  ],
  [
    'question',
    -40,
    'its text, or what leads to it, is a question, and the address carries no token',
    (f) => isAsked(f) && !f.secret && !isOnlyLink(f),
  ],
  ['title', -40, 'the address is the title of a page', (f) => f.titled],
  ['source-code', -60, 'the address leads to source code', (f) => f.sourceCode],
  ['address-leaves', -50, 'the address says to cancel, decline or revoke', (f) => f.leaves],

  // What the message says of it.
  ['text-action', 20, 'its text mentions verifying, signing in or a password', (f) => f.says.has('action')],
  [
    'around-action',
    10,
    'the text around it mentions verifying, signing in or a password',
    (f) => f.around.has('action'),
  ],
  ['text-leaves', -60, 'its text offers to unsubscribe, cancel or decline', (f) => f.says.has('leave')],
  [
    'around-leaves',
    -40,
    'the text around it offers to unsubscribe, cancel or decline',
    (f) => f.around.has('leave') && !f.says.has('action'),
  ],
  ['denied', -70, 'the text before it says that the reader did not ask for this', (f) => f.denied && !isOnlyLink(f)],
  ['text-denies', -150, 'its own text says that the reader did not do this', (f) => f.denies],
  ['text-aside', -40, 'its text mentions viewing, settings, help, privacy or the like', isAside],
  [
    'text-other',
    -40,
    'its text mentions an order, an invoice or the like',
    (f) => f.says.has('other') && !f.says.has('action'),
  ],
  [
    'crowd',
    -40,
    'many links contain a word, and its text mentions no action',
    (f) => f.isCrowded && !f.says.has('action'),
  ],
  [
    'subject-only',
    -20,
    'only the subject mentions verifying, signing in or a password',
    (f) => !isSpokenOf(f) && f.subjectSaysAction && !isOnlyLink(f),
  ],
  [
    'nothing-speaks',
    -60,
    'no text mentions verifying, signing in or a password',
    // In a mail with a code, the subject speaks of the code.
    (f) => !isSpokenOf(f) && (!f.subjectSaysAction || f.hasCode) && !isOnlyLink(f) && !speaksForItself(f),
  ],

  // How it is set.
  ['button', 10, 'it looks like a button', (f) => f.link.button],
  ['link-repeated', 10, 'it occurs more than once', (f) => f.repeated],
  ['first-link', 5, 'it is the first link that contains a word', (f) => f.isFirst],
  ['link-footer', -20, 'it is in the footer', (f) => f.link.footer],
  ['unseen', -40, 'it is hidden', (f) => f.link.hidden],
];
