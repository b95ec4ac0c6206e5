import type { LinkFacts } from './link-facts.js';
import type { Rule } from './score.js';

/** A link with fewer points is no magic link. */
export const LINK_THRESHOLD = 20;

/** What speaks for and against a link that holds one of the interface's words. */
export const LINK_RULES: readonly Rule<LinkFacts>[] = [
  { text: 'it is the only link of the message', points: 60, holds: (f) => f.only },
  { text: 'one of the words is a name in its path or query', points: 25, holds: (f) => f.keyword === 'own' },
  { text: 'one of the words begins or ends a name in it', points: 12, holds: (f) => f.keyword === 'part' },
  {
    text: 'the word is only part of another word or of the host name',
    points: -30,
    holds: (f) => f.keyword === 'accident',
  },
  { text: 'it carries something like a token', points: 25, holds: (f) => f.token },
  { text: 'its text says to verify, confirm, sign in or reset', points: 20, holds: (f) => f.action },
  { text: 'it looks like a button', points: 10, holds: (f) => f.button },
  { text: 'its address is also shown, or it is linked more than once', points: 10, holds: (f) => f.repeated },
  { text: 'it is the first link that carries a word', points: 5, holds: (f) => f.first },
  { text: 'its text says unsubscribe, settings, help, cancel or the like', points: -50, holds: (f) => f.aside },
  { text: 'its address says unsubscribe, preferences, help or the like', points: -90, holds: (f) => f.asideAddress },
  { text: 'it stands in the footer', points: -20, holds: (f) => f.footer },
  { text: 'nobody sees it', points: -40, holds: (f) => f.hidden },
  { text: 'it is a file', points: -60, holds: (f) => f.file },
];
