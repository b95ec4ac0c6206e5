import { type Candidate, type Exclusion, exclusionOf, judged, type Rule } from '../score.js';
import type { Content } from '../text/passages.js';
import { type ActionFacts, mailFacts, ownFacts, thingOf } from './action-facts.js';
import { type Address, addressOf, UNFOLLOWED } from './link-address.js';
import { ANY_ADDRESS, findLinks, type Link } from './links.js';

/** A link with fewer points is not the action link. */
const ACTION_THRESHOLD = 50;

/** Why a link is not the action link, whatever its points. The first match counts. */
const ACTION_EXCLUSIONS: readonly Exclusion<Address>[] = [
  ['no-web-address', 'it opens neither a page nor an application', ({ url }) => !/^[a-z][a-z0-9+.-]*:\//i.test(url)],
  ...UNFOLLOWED,
];

function saysAction({ says }: ActionFacts): boolean {
  return says.has('action');
}

/** The link's text offers to view an order, an invoice, a parcel or the like, and the link undoes nothing. */
function saysMatter({ offersMatter, says }: ActionFacts): boolean {
  return offersMatter && !says.has('leave') && !says.has('footer');
}

/** The link's text mentions an action, or offers the thing that the subject names. */
function isMeant(facts: ActionFacts): boolean {
  return saysAction(facts) || (facts.mail.namesMatter && saysMatter(facts));
}

function isOnly({ link }: ActionFacts, links: readonly Link[]): boolean {
  return links.length === 1 && links[0] === link;
}

/** This many links with the same name are a list. */
const MANY = 3;

/** Evidence that a link is the action link, or is not. */
const ACTION_RULES: readonly Rule<ActionFacts>[] = [
  ['magic-link', 100, 'it is the magicLink of the email', (f) => f.isMagic],

  // Evidence from text.
  ['says-action', 35, 'its text mentions verifying, signing in, accepting or a password', saysAction],
  ['near-action', 10, 'the text around it mentions verifying or signing in', (f) => f.around.has('action')],
  ['subject-of-action', 10, 'the subject mentions verifying or signing in', (f) => f.message.subjectSaysAction],
  ['says-matter', 35, 'its text offers to see, download or track an order, a parcel or the like', saysMatter],
  [
    'near-matter',
    20,
    'the text around it offers to see, download or track an order, a parcel or the like',
    (f) => f.nearMatter && !saysMatter(f) && !saysAction(f),
  ],
  [
    'subject-of-matter',
    15,
    'the subject names an order, an invoice, a parcel or the like',
    (f) => f.mail.namesMatter && (f.offersMatter || f.nearMatter),
  ],
  ['led-to', 15, 'it follows a colon', (f) => f.ledTo],
  [
    'says-leave',
    -80,
    'its text, the text around it, or its address offers to unsubscribe, cancel or decline',
    (f) => f.leaves || f.says.has('leave') || (f.around.has('leave') && !saysAction(f)),
  ],
  ['denied-action', -80, 'it is for readers who say "I did not request this"', (f) => f.denied],
  ['notice', -25, 'another link is for readers who say "this was not me"', (f) => f.mail.isNotice && !f.denied],
  [
    'button-aside',
    -25,
    'it is a button for viewing, settings, help or the like',
    (f) => f.link.button && f.says.has('aside') && !saysAction(f) && !saysMatter(f),
  ],

  // Evidence from the address.
  ['names-action', 15, 'its address says to verify, confirm or activate', (f) => f.address.action !== null],
  ['carries-token', 15, 'its address carries something like a token', (f) => f.secret],
  ['home', -30, 'it leads to the home page of a site', (f) => f.isHome && !saysAction(f)],
  [
    'beside-code',
    -40,
    'the message has a code, and the link is no button, carries no token and names no action',
    (f) => f.message.code !== null && !f.link.button && !f.secret && f.address.action === null,
  ],

  // Evidence from style.
  ['is-button', 20, 'it looks like a button', (f) => f.link.button],
  ['only-button', 15, 'it is the only button', (f) => isOnly(f, f.mail.buttons)],
  ['only-matter', 20, 'it is the only link that is specific to this email', (f) => isOnly(f, f.mail.matter)],
  [
    'written-too',
    10,
    'the HTML part also shows the address of the link as text',
    (f) => f.link.occurrences.some(({ isWritten, passage }) => isWritten && passage.source === 'html'),
  ],
  ['first-of-matter', 5, 'it is the first link that is specific to this email', (f) => f.mail.matter[0] === f.link],
  ['in-sentence', -15, 'it is in a sentence, next to other links', (f) => f.isInSentence && !isOnly(f, f.mail.matter)],
  ['one-of-many', -40, 'other links have the same text', (f) => (f.mail.names.get(f.name) ?? 0) >= MANY],
  ['in-footer', -30, 'it is in the footer', (f) => f.link.footer],
  ['bulk', -25, 'the message is bulk mail, and the link mentions no action', (f) => f.mail.isBulk && !isMeant(f)],
];

export type ActionCandidate = Candidate<ActionFacts, Link>;

interface Chosen {
  readonly magicLink: string | null;
  /** The chosen code, which may contain letters. */
  readonly code: string | null;
}

/** All visible links in order, as candidates for the action link. */
export function actionCandidates(content: Content, chosen: Chosen): ActionCandidate[] {
  const seen = findLinks(content, ANY_ADDRESS)
    .filter(({ url, hidden, isCut }) => url === chosen.magicLink || (!hidden && !isCut && URL.canParse(url)))
    .map((link) => {
      const address = addressOf(link.url, link.isCut);
      return { link, address, excluded: exclusionOf(ACTION_EXCLUSIONS, address) };
    });
  const open = seen.filter(({ excluded }) => excluded === null);
  const { subject } = content;
  const message = {
    code: chosen.code,
    isOnly: open.length === 1,
    isCrowded: false,
    subjectSaysAction: subject.says('action'),
    subject: subject.lower,
  };
  const thing = thingOf(subject.lower);
  const known = open.map(({ link, address }) => ownFacts(link, address, message, thing));
  const hasFooterAddress = seen.some(({ address }) => address.footer !== null);
  const mail = mailFacts(known, thing, hasFooterAddress);
  const facts = new Map(known.map((one) => [one.link, { ...one, mail, isMagic: one.link.url === chosen.magicLink }]));
  return seen.map(({ link, excluded }) =>
    judged({ value: link.url, place: link, excluded, facts: facts.get(link) ?? null }, ACTION_RULES),
  );
}

/** If two links tie for the highest score, the first is the action link. If more tie, the email has no action link. */
const MAX_EQUALS = 2;

/** The magic link if there is one, or else the best link, or null. */
export function actionLink(candidates: readonly ActionCandidate[]): ActionCandidate | null {
  const magic = candidates.find(({ facts }) => facts?.isMagic);
  if (magic !== undefined) return magic;
  const open = candidates.filter(({ excluded, score }) => excluded === null && score >= ACTION_THRESHOLD);
  const most = Math.max(...open.map(({ score }) => score));
  const best = open.filter(({ score }) => score === most);
  return best.length > MAX_EQUALS ? null : (best[0] ?? null);
}
