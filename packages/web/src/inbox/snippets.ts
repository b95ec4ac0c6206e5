import type { Mail } from './mail.js';

/** Addresses that a shell, a terminal and SMTP take as they are. */
const PLAIN_ADDRESS = /^[\w.+=-]+@[\w.-]+$/;

const ANY_SENDER = 'app@example.test';

const KEY_HEADER = '-H "Authorization: Bearer $MAYFLY_API_KEY" ';

/** A test that waits for such an email, by language. */
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

/** The wait for what such an email holds, and the condition of a stream that says the same, where there is one. */
function wantedOf({ otp, magicLink, code, action }: Mail): { method: string; query?: string } {
  if (otp !== null) return { method: 'waitForOtp', query: 'hasOtp' };
  if (magicLink !== null) return { method: 'waitForMagicLink', query: 'hasMagicLink' };
  if (code !== null) return { method: 'waitForCode' };
  return { method: action ? 'waitForLink' : 'waitForEmail' };
}

/** What tells such an email from others: its subject, else its sender. */
function filterOf({ subject, from }: Mail): Readonly<Record<string, string>> {
  const part = plainPart(subject);
  if (part !== '') return { subject: part };
  return from === '' ? {} : { from: plainPart(from) };
}

/**
 * The longest piece of a stranger's text without characters that are invisible or turn the direction of what stands
 * around them: in source code these could show something else than runs. A filter matches any piece. A cut text ends in
 * `…`, which is none of it.
 */
function plainPart(text: string): string {
  const pieces = text.split(/[\p{C}\p{Zl}\p{Zp}…]/u);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest)).trim();
}

/** A command that sends the message to its inbox again, byte for byte. `server` is the host and port of SMTP. */
export function resendCommand(mail: Mail, rawUrl: string, server: string, needsKey: boolean): string {
  const sender = PLAIN_ADDRESS.test(mail.from) ? mail.from : ANY_SENDER;
  return [
    `curl -s ${needsKey ? KEY_HEADER : ''}${shellQuoted(rawUrl)} |`,
    `  curl smtp://${server} -T - \\`,
    `  --mail-from ${sender} \\`,
    `  --mail-rcpt ${shellQuoted(mail.to)}`,
  ].join('\n');
}

/** One word of a POSIX shell, whatever a stranger wrote in it. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
