import type { Inboxes } from '../inbox/inboxes.js';

const WHOLE_ADDRESS = /^[^\s<>"@]+@[^\s<>"@]+$/;

/** Whose inbox a search for a recipient leads to: it does where it names a whole address of a domain that is served; else null. */
export function recipientNamed(text: string, inboxes: Inboxes) {
  const recipient = WHOLE_ADDRESS.test(text) ? inboxes.recipientOf(text) : null;
  return typeof recipient === 'string' ? null : recipient;
}
