import type { LinkFacts } from './link-facts.js';
import type { Rule } from './score.js';

/** A link with fewer points is not taken for the magic link. */
export const LINK_THRESHOLD = 20;

/** What speaks for and against a link that holds one of the interface's words. */
export const LINK_RULES: readonly Rule<LinkFacts>[] = [
  // What the address says.
  { points: 60, text: 'it is the only link of the message', holds: (f) => f.isOnly },
  { points: 25, text: 'the word is a name of its own in the address', holds: (f) => f.keyword === 'name' },
  { points: 10, text: 'the word is part of a longer one in the address', holds: (f) => f.keyword === 'part' },
  {
    points: -40,
    text: 'the word is in the address by accident, as in /author/',
    holds: (f) => f.keyword === 'accident',
  },
  { points: 25, text: 'the address carries something like a token', holds: (f) => f.token },

  // What the message says of it.
  {
    points: 20,
    text: 'its text speaks of verifying, signing in or a password',
    holds: (f) => f.says.has('action'),
  },
  {
    points: 10,
    text: 'the text around it speaks of verifying, signing in or a password',
    holds: (f) => f.around.has('action'),
  },
  { points: -60, text: 'its text offers to unsubscribe, cancel or decline', holds: (f) => f.says.has('leave') },
  {
    points: -40,
    text: 'the text around it offers to unsubscribe, cancel or decline',
    holds: (f) => f.around.has('leave') && !f.says.has('action'),
  },
  {
    points: -40,
    text: 'its text speaks of settings, help, privacy or the like',
    holds: (f) => f.says.has('aside') && !f.says.has('action'),
  },
  {
    points: -40,
    text: 'its text speaks of an order, an invoice or the like',
    holds: (f) => f.says.has('other') && !f.says.has('action'),
  },

  // How it is set.
  { points: 10, text: 'it looks like a button', holds: (f) => f.link.button },
  { points: 10, text: 'it occurs more than once', holds: (f) => f.repeated },
  { points: 5, text: 'it is the first link that holds a word', holds: (f) => f.isFirst },
  { points: -20, text: 'it stands in the footer', holds: (f) => f.link.footer },
  { points: -40, text: 'nobody sees it', holds: (f) => f.link.hidden },
];
