import type { Exclusion, Rule } from '../score.js';
import { namedAction } from './action-names.js';
import { type Address, UNFOLLOWED } from './link-address.js';
import type { LinkFacts } from './link-facts.js';

/** A link with fewer points is not taken for the one that the mail asks its reader to follow. */
export const ACTION_THRESHOLD = 50;

/** What is known of one web link, whatever words are in it. */
export interface ActionFacts extends LinkFacts {
  /** It is the magic link (interface section 2.1). */
  readonly isMagic: boolean;
  /** There is no other link but what mail carries by custom: footers, homes, profiles, help. */
  readonly isOnlyMatter: boolean;
  /** No other link of the matter looks like a button. */
  readonly isOnlyButton: boolean;
  /** A colon leads to it. */
  readonly ledTo: boolean;
  /** Its address is written out where it is a link, too, for whom the link does not work. */
  readonly isWrittenToo: boolean;
  /** It leads to the first page of a site. */
  readonly isHome: boolean;
  /** It stands within a sentence wherever it stands. */
  readonly isInSentence: boolean;
  /** A link of the mail is for somebody who did not do what the mail tells of. */
  readonly isNotice: boolean;
  /** The mail offers to unsubscribe: it was sent to many. */
  readonly isBulk: boolean;
}

/** What nobody asks to be followed whatever speaks for it. The first that holds counts. */
export const ACTION_EXCLUSIONS: readonly Exclusion<Address>[] = [
  ['no-web-address', 'it is not an address of the web', ({ url }) => !/^https?:/i.test(url)],
  ...UNFOLLOWED,
];

function saysAction({ says }: ActionFacts): boolean {
  return says.has('action');
}

/** What speaks for a link being the one that the mail asks its reader to follow, and what against it. */
export const ACTION_RULES: readonly Rule<ActionFacts>[] = [
  ['magic-link', 100, 'it is the magicLink of the email', (f) => f.isMagic],

  // What is said of it.
  ['says-action', 35, 'its text speaks of verifying, signing in, accepting or a password', saysAction],
  ['near-action', 10, 'the text around it speaks of that', (f) => f.around.has('action')],
  ['subject-of-action', 10, 'the subject speaks of that', (f) => f.subjectSaysAction],
  ['led-to', 15, 'a colon leads to it', (f) => f.ledTo],
  ['says-leave', -80, 'its text offers to unsubscribe, cancel or decline', (f) => f.says.has('leave')],
  [
    'near-leave',
    -40,
    'the text around it offers to unsubscribe, cancel or decline',
    (f) => f.around.has('leave') && !saysAction(f),
  ],
  ['denied-action', -80, 'what is said before it is that the reader did not ask for this', (f) => f.denied],
  ['notice', -25, 'another link is for who did not do what the mail tells of', (f) => f.isNotice && !f.denied],
  [
    'button-aside',
    -25,
    'it is a button for viewing, settings, help or the like',
    (f) => f.says.has('aside') && !saysAction(f) && f.link.button,
  ],

  // What its address says.
  ['names-action', 15, 'its address says to verify, confirm or activate', (f) => namedAction(f.rest) !== null],
  ['carries-token', 15, 'its address carries something like a token', (f) => f.secret],
  ['home', -30, 'it leads to the first page of a site', (f) => f.isHome && !saysAction(f)],
  [
    'beside-code',
    -40,
    'the mail has a code, and this is no button, carries no token and names no action',
    (f) => f.hasCode && !f.link.button && !f.secret && namedAction(f.rest) === null,
  ],
  ['undoes', -50, 'its address says to cancel, decline or revoke', (f) => f.leaves],

  // How it is set.
  ['is-button', 20, 'it looks like a button', (f) => f.link.button],
  ['only-button', 15, 'it is the only button', (f) => f.link.button && f.isOnlyButton],
  ['only-matter', 20, 'it is the only link but those that mail carries by custom', (f) => f.isOnlyMatter],
  ['written-too', 10, 'its address is written out too', (f) => f.isWrittenToo],
  ['first-of-matter', 5, 'it is the first link of the matter', (f) => f.isFirst],
  ['in-sentence', -15, 'it stands within a sentence, beside other links', (f) => f.isInSentence && !f.isOnlyMatter],
  ['in-footer', -30, 'it stands in the footer', (f) => f.link.footer],
  ['bulk', -25, 'the mail was sent to many, and its text speaks of no such thing', (f) => f.isBulk && !saysAction(f)],
];
