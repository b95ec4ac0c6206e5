import { createHash } from 'node:crypto';
import { inboxName } from 'mayfly-protocol/inbox-name';
import { base32 } from 'mayfly-protocol/private-name';

/** The user and the password of AUTH, of Basic authentication or of `user:password`. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Visible ASCII, so that it fits into a header, a variable and a URL of SMTP. */
const PASSWORD = /^[!-~]{6,128}$/;

/** What stands before a space's inboxes in the store; a dot more before mail that is held back. */
const PREFIX = /^\.?([a-z2-7]{26})\//;

/** Keeps the hash apart from others of the same texts, such as that of a private inbox. */
const LABEL = 'mayfly space';

/**
 * The key of the space that a pair is (D66), or null for a pair that breaks the rule: the user is an inbox name (D1),
 * the password has 6 to 128 visible ASCII characters. The pair cannot be computed from the key.
 */
export function spaceOf({ user, password }: Credentials): string | null {
  const name = inboxName(user);
  if (name === null || !PASSWORD.test(password)) return null;
  return base32(createHash('sha256').update(`${LABEL}\0${name}\0${password}`).digest());
}

/** The pair in `user:password`; null without a colon. */
export function pairIn(text: string): Credentials | null {
  const colon = text.indexOf(':');
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** What the store calls an inbox of a space. No inbox name and no domain has a slash. */
export function inSpace(space: string | null, inbox: string): string {
  return space === null ? inbox : `${space}/${inbox}`;
}

/** The space of what the store calls an inbox; null for an inbox outside of every space. */
export function spaceIn(inbox: string): string | null {
  return PREFIX.exec(inbox)?.[1] ?? null;
}

export function outsideSpace(inbox: string): string {
  return inbox.replace(PREFIX, '');
}
