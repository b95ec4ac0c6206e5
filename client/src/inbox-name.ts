/** Longest inbox name, as of any local part of an address (RFC 5321 section 4.5.3.1.1). */
export const MAX_NAME_LENGTH = 64;

/**
 * What an inbox name looks like, as a regular expression (D1). It names both cases because it is tested before the
 * case is lowered: some letters beyond ASCII, such as the Kelvin sign, become ASCII by that.
 */
export const NAME_PATTERN = '^[A-Za-z0-9_+-]+(?:\\.[A-Za-z0-9_+-]+)*$';

const NAME = new RegExp(NAME_PATTERN);

/**
 * An inbox name in the form in which it is kept and compared, or null when it breaks the rule (D1). The client and the
 * service share this rule.
 */
export function inboxName(text: string): string | null {
  return text.length <= MAX_NAME_LENGTH && NAME.test(text) ? text.toLowerCase() : null;
}
