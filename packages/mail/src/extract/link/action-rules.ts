import type { Exclusion, Rule } from '../score.js';
import { type Address, UNFOLLOWED } from './link-address.js';
import type { LinkFacts } from './link-facts.js';

/** A link with fewer points is not taken for the one that the mail asks its reader to follow. */
export const ACTION_THRESHOLD = 50;

export interface ActionFacts extends LinkFacts {
  /** Its text, or the sentence that leads to its address, offers to see, download, track or review such a thing. */
  readonly saysMatter: boolean;
  readonly nearMatter: boolean;
  readonly subjectNamesMatter: boolean;
  readonly isMagic: boolean;
  readonly isFirst: boolean;
  /** There is no other link except what mail carries by custom: footers, homes, profiles, help. */
  readonly isOnlyMatter: boolean;
  /** No other link of the matter looks like a button. */
  readonly isOnlyButton: boolean;
  readonly ledTo: boolean;
  readonly isHome: boolean;
  /** It stands within a sentence wherever it stands. */
  readonly isInSentence: boolean;
  /** Others have the same text: downloads of a list. */
  readonly isOneOfMany: boolean;
  /** A link of the mail is for somebody who did not do what the mail tells of. */
  readonly isNotice: boolean;
  /** The mail offers to unsubscribe: it was sent to many. */
  readonly isBulk: boolean;
}

/** What nobody asks to be followed whatever speaks for it. The first that holds counts. */
export const ACTION_EXCLUSIONS: readonly Exclusion<Address>[] = [
  ['no-web-address', 'it leads to no page and no application', ({ url }) => !/^[a-z][a-z0-9+.-]*:\//i.test(url)],
  ...UNFOLLOWED,
];

function saysAction({ says }: ActionFacts): boolean {
  return says.has('action');
}

/** Its text offers to see an order, an invoice, a parcel or the like, and nothing that leaves. */
function saysMatter({ saysMatter, says }: ActionFacts): boolean {
  return saysMatter && !says.has('leave') && !says.has('footer');
}

/** What it offers is what the subject tells of. */
function isTold(facts: ActionFacts): boolean {
  return facts.subjectNamesMatter && saysMatter(facts);
}

/** What speaks for a link being the one that the mail asks its reader to follow, and what against it. */
export const ACTION_RULES: readonly Rule<ActionFacts>[] = [
  ['magic-link', 100, 'it is the magicLink of the email', (f) => f.isMagic],

  // What is said of it.
  ['says-action', 35, 'its text mentions verifying, signing in, accepting or a password', saysAction],
  ['near-action', 10, 'the text around it mentions such an action', (f) => f.around.has('action')],
  ['subject-of-action', 10, 'the subject mentions such an action', (f) => f.subjectSaysAction],
  [
    'says-matter',
    35,
    'its text offers to see, download or track an order, an invoice, a parcel or the like',
    saysMatter,
  ],
  [
    'near-matter',
    20,
    'the text around it offers to see, download or track such a thing',
    (f) => f.nearMatter && !saysMatter(f) && !saysAction(f),
  ],
  [
    'subject-of-matter',
    15,
    'the subject names an order, an invoice, a parcel or the like',
    (f) => f.subjectNamesMatter && (f.saysMatter || f.nearMatter),
  ],
  ['led-to', 15, 'it follows a colon', (f) => f.ledTo],
  [
    'says-leave',
    -80,
    'its text, the text around it, or its address offers to unsubscribe, cancel or decline',
    (f) => f.leaves || f.says.has('leave') || (f.around.has('leave') && !saysAction(f)),
  ],
  ['denied-action', -80, 'the text before it says that the reader did not ask for this', (f) => f.denied],
  ['notice', -25, 'another link is for readers who did not do this', (f) => f.isNotice && !f.denied],
  [
    'button-aside',
    -25,
    'it is a button for viewing, settings, help or the like',
    (f) => f.says.has('aside') && !saysAction(f) && !saysMatter(f) && f.link.button,
  ],

  // What its address says.
  ['names-action', 15, 'its address says to verify, confirm or activate', (f) => f.address.action !== null],
  ['carries-token', 15, 'its address carries something like a token', (f) => f.secret],
  ['home', -30, 'it leads to the first page of a site', (f) => f.isHome && !saysAction(f)],
  [
    'beside-code',
    -40,
    'the mail has a code, and this is no button, carries no token and names no action',
    (f) => f.hasCode && !f.link.button && !f.secret && f.address.action === null,
  ],

  // How it is set.
  ['is-button', 20, 'it looks like a button', (f) => f.link.button],
  ['only-button', 15, 'it is the only button', (f) => f.link.button && f.isOnlyButton],
  ['only-matter', 20, 'it is the only link except for customary ones', (f) => f.isOnlyMatter],
  [
    'written-too',
    10,
    'the HTML part also writes its address out',
    (f) => f.link.occurrences.some(({ isWritten, passage }) => isWritten && passage.source === 'html'),
  ],
  ['first-of-matter', 5, 'it is the first of the links that matter', (f) => f.isFirst],
  ['in-sentence', -15, 'it is within a sentence, next to other links', (f) => f.isInSentence && !f.isOnlyMatter],
  ['one-of-many', -40, 'others have the same text', (f) => f.isOneOfMany],
  ['in-footer', -30, 'it is in the footer', (f) => f.link.footer],
  [
    'bulk',
    -25,
    'the mail was sent to many readers, and the text of this link mentions no such action',
    (f) => f.isBulk && !saysAction(f) && !isTold(f),
  ],
];
