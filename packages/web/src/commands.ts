import type { ServiceSettings, SmtpOffer } from 'mayfly-client';
import { adHocOf } from './credentials.js';
import { isText, type Mail } from './inbox/mail.js';
import { addressOf, emailPath, keyOf, smtpServer } from './service.js';

/** A command on screen and for the clipboard, which differ if it contains a secret. */
export interface CommandText {
  readonly shown: string;
  readonly copied: string;
}

/** Shown instead of a secret. Its length says nothing about the secret's. */
export const MASK = '••••••••';

/** Hides a key, a secret, or the password in `USER:PASSWORD`. */
function masked(secret: string): string {
  return secret.replace(/^([^:]*:)?.+$/, `$1${MASK}`);
}

/** Builds a command with the key and the SMTP login that an inbox needs. Both are empty if it needs none. */
export function commandFor(inbox: string, build: (key: string, login: string) => string): CommandText {
  const [key, login] = [keyOf(inbox) ?? '', adHocOf(inbox)];
  return { shown: build(masked(key), masked(login)), copied: build(key, login) };
}

/** An address that needs no quotes in a shell, a terminal or SMTP. */
const PLAIN_ADDRESS = /^[\w.+=-]+@[\w.-]+$/;

const ANY_SENDER = 'app@example.test';

interface SendingOptions {
  readonly settings: ServiceSettings;
  /** Null if unknown. */
  readonly offer: SmtpOffer | null;
}

/** A command that sends a message with a code to an inbox. */
export function trialCommand(inbox: string, options: SendingOptions): CommandText {
  const message = `From: ${ANY_SENDER}\\r\\nSubject: Welcome\\r\\n\\r\\nYour code is 482913\\r\\n`;
  const address = addressOf(inbox, options.settings);
  return commandFor(inbox, (_key, login) => `printf '${message}' |\n${sending(ANY_SENDER, address, login, options)}`);
}

/** Code that opens a private inbox. */
export function openingCode(inbox: string, settings: ServiceSettings): CommandText {
  return commandFor(inbox, (secret) => `mayfly.inbox('${addressOf(inbox, settings)}', { secret: '${secret}' })`);
}

/** Sends standard input. */
function sending(from: string, to: string, login: string, { settings, offer }: SendingOptions): string {
  const tls = offer?.authWithoutTls === false ? '--ssl-reqd ' : '';
  return [
    `  curl smtp://${smtpServer(settings)} -T - \\`,
    ...(login === '' ? [] : [`  ${tls}--user ${shellQuoted(login)} \\`]),
    `  --mail-from ${from} \\`,
    `  --mail-rcpt ${to}`,
  ].join('\n');
}

/** Code that waits for a similar email, by language, and a command that sends the message again, byte for byte. */
export function commandsOf(mail: Mail, inbox: string, options: SendingOptions): Readonly<Record<string, CommandText>> {
  const { method, query } = wantedOf(mail);
  const filters = Object.entries(filterOf(mail));
  const texts = filters.map(([name, text]) => `${name}: ${JSON.stringify(text)}`);
  const named = filters.map(([name, text]) => `${name === 'from' ? 'from_' : name}=${JSON.stringify(text)}`);
  const parameters = new URLSearchParams(filters);
  if (query !== undefined) parameters.set(query, 'true');
  const url = `${location.origin}/api/inbox/${encodeURI(inbox)}/stream?${parameters}`;
  const raw = `${location.origin}${emailPath(inbox, mail.key)}/raw`;
  const sender = PLAIN_ADDRESS.test(mail.from) ? mail.from : ANY_SENDER;
  return {
    TypeScript: plain(`await inbox.${method}(${texts.length === 0 ? '' : `{ ${texts} }`})`),
    Python: plain(`inbox.${method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}(${named})`),
    curl: commandFor(inbox, (key) => `curl -N ${withKey(key)}${shellQuoted(url)}`),
    // SMTP cannot send to a phone number.
    ...(!isText(mail) && {
      'Send it again': commandFor(inbox, (key, login) => {
        return `curl -s ${withKey(key)}${shellQuoted(raw)} |\n${sending(sender, shellQuoted(mail.to), login, options)}`;
      }),
    }),
  };
}

function plain(text: string): CommandText {
  return { shown: text, copied: text };
}

function withKey(key: string): string {
  return key && `-H ${shellQuoted(`Authorization: Bearer ${key}`)} `;
}

/** The client's method that waits for an email of this kind, and the equivalent parameter of a stream, if any. */
function wantedOf({ otp, magicLink, code, action }: Mail): { method: string; query?: string } {
  if (otp !== null) return { method: 'waitForOtp', query: 'hasOtp' };
  if (magicLink !== null) return { method: 'waitForMagicLink', query: 'hasMagicLink' };
  if (code !== null) return { method: 'waitForCode' };
  return { method: action ? 'waitForLink' : 'waitForEmail' };
}

/** Filters by a part of the subject or, if the subject has no plain part, by a part of the sender's address. */
function filterOf({ subject, from }: Mail): Readonly<Record<string, string>> {
  const part = plainPart(subject);
  if (part !== '') return { subject: part };
  return from === '' ? {} : { from: plainPart(from) };
}

/**
 * The longest part of a stranger's text, for a filter in example code, without the `…` of a truncated text, and without
 * invisible characters and changes of direction: code with these may look different from what runs (CVE-2021-42574).
 */
function plainPart(text: string): string {
  const pieces = text.split(/[\p{C}\p{Zl}\p{Zp}…]/u);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest)).trim();
}

/** Quotes a stranger's text for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
