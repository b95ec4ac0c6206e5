import type { Mail } from './mail.js';

/** An address that needs no quotes in a shell, a terminal or SMTP. */
const PLAIN_ADDRESS = /^[\w.+=-]+@[\w.-]+$/;

const ANY_SENDER = 'app@example.test';

const KEY_HEADER = '-H "Authorization: Bearer $MAYFLY_API_KEY" ';

/** Code that waits for a similar email, by programming language. */
export function testsFor(mail: Mail, inbox: string, needsKey: boolean): Readonly<Record<string, string>> {
  const { method, query } = wantedOf(mail);
  const filters = Object.entries(filterOf(mail));
  const options = filters.map(([name, text]) => `${name}: ${JSON.stringify(text)}`);
  const named = filters.map(([name, text]) => `${name === 'from' ? 'from_' : name}=${JSON.stringify(text)}`);
  const parameters = new URLSearchParams(filters);
  if (query !== undefined) parameters.set(query, 'true');
  const url = `${location.origin}/api/inbox/${encodeURI(inbox)}/stream?${parameters}`;
  return {
    TypeScript: `await inbox.${method}(${options.length === 0 ? '' : `{ ${options} }`})`,
    Python: `inbox.${method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}(${named})`,
    curl: `curl -N ${needsKey ? KEY_HEADER : ''}${shellQuoted(url)}`,
  };
}

/** The client's method that waits for an email of this kind, and the equivalent parameter of a stream, if any. */
function wantedOf({ otp, magicLink, code, action }: Mail): { method: string; query?: string } {
  if (otp !== null) return { method: 'waitForOtp', query: 'hasOtp' };
  if (magicLink !== null) return { method: 'waitForMagicLink', query: 'hasMagicLink' };
  if (code !== null) return { method: 'waitForCode' };
  return { method: action ? 'waitForLink' : 'waitForEmail' };
}

/** Filters by subject; by sender if `plainPart` finds no part of the subject. */
function filterOf({ subject, from }: Mail): Readonly<Record<string, string>> {
  const part = plainPart(subject);
  if (part !== '') return { subject: part };
  return from === '' ? {} : { from: plainPart(from) };
}

/**
 * The longest part of a stranger's text without the `…` of a cut summary, and without invisible characters or changes
 * of direction, which could make code look different from what runs (CVE-2021-42574). A part suffices as a filter.
 */
function plainPart(text: string): string {
  const pieces = text.split(/[\p{C}\p{Zl}\p{Zp}…]/u);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest)).trim();
}

/** A command that sends the message again, byte for byte. */
export function resendCommand(mail: Mail, rawUrl: string, server: string, needsKey: boolean): string {
  const sender = PLAIN_ADDRESS.test(mail.from) ? mail.from : ANY_SENDER;
  return [
    `curl -s ${needsKey ? KEY_HEADER : ''}${shellQuoted(rawUrl)} |`,
    `  curl smtp://${server} -T - \\`,
    `  --mail-from ${sender} \\`,
    `  --mail-rcpt ${shellQuoted(mail.to)}`,
  ].join('\n');
}

/** Quotes a stranger's text for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
