import type { Rule } from '../score.js';
import type { LinkFacts } from './link-facts.js';

/** A link with fewer points is not taken for the magic link. */
export const LINK_THRESHOLD = 20;

/** Copying an address into the browser is not beside the matter. */
function isAside({ says }: LinkFacts): boolean {
  return says.has('aside') && !says.has('action') && !says.has('enter');
}

function isSpokenOf({ says, around }: LinkFacts): boolean {
  return says.has('action') || around.has('action');
}

/** What speaks for a link being the one to follow, and what against it. Each holds one of the interface's words. */
export const LINK_RULES: readonly Rule<LinkFacts>[] = [
  // What the address says.
  [60, 'it is the only link of the message', (f) => f.isOnly],
  [25, 'the word is a name in the address', (f) => f.keyword === 'name'],
  [10, 'the word is part of the address', (f) => f.keyword === 'part'],
  [-40, 'the word is in the address by accident, as in /author/', (f) => f.keyword === 'accident'],
  [25, 'the address carries something like a token', (f) => f.secret],
  [-25, 'the address names an action and carries no token', (f) => !f.secret && f.keyword === 'name' && !f.isOnly],
  [-50, 'the address carries no token and names no action', (f) => !f.secret && f.keyword !== 'name' && !f.isOnly],
  [-60, 'the address leads to source code', (f) => f.sourceCode],
  [-50, 'the address says to cancel, decline or revoke', (f) => f.leaves],

  // What the message says of it.
  [20, 'its text speaks of verifying, signing in or a password', (f) => f.says.has('action')],
  [10, 'the text around it speaks of verifying, signing in or a password', (f) => f.around.has('action')],
  [-60, 'its text offers to unsubscribe, cancel or decline', (f) => f.says.has('leave')],
  [
    -40,
    'the text around it offers to unsubscribe, cancel or decline',
    (f) => f.around.has('leave') && !f.says.has('action'),
  ],
  [-70, 'what is said before it is that the reader did not ask for this', (f) => f.denied && !f.isOnly],
  [-40, 'its text speaks of viewing, settings, help, privacy or the like', isAside],
  [-40, 'its text speaks of an order, an invoice or the like', (f) => f.says.has('other') && !f.says.has('action')],
  [-40, 'many links hold a word, and its text does not speak of it', (f) => f.isCrowded && !f.says.has('action')],
  [-20, 'only the subject speaks of that', (f) => !isSpokenOf(f) && f.subjectSaysAction && !f.isOnly],
  [-60, 'nothing speaks of that', (f) => !isSpokenOf(f) && !f.subjectSaysAction && !f.isOnly],

  // How it is set.
  [10, 'it looks like a button', (f) => f.link.button],
  [10, 'it occurs more than once', (f) => f.repeated],
  [5, 'it is the first link that holds a word', (f) => f.isFirst],
  [-20, 'it stands in the footer', (f) => f.link.footer],
  [-40, 'nobody sees it', (f) => f.link.hidden],
];
