import type { EmailData } from '../wait/email.js';
import { MayflyOptionError } from '../wait/errors.js';
import type { LoadableEmail } from '../wait/received-email.js';

export type WebhookKind = 'delivered' | 'bounced' | 'complained' | 'opened' | 'clicked';

/** The providers whose webhooks a test can send. */
export type WebhookProviderName = 'resend' | 'sendgrid' | 'mailgun' | 'postmark';

/** The fields of an email that a report needs. The email may be from an inbox, the HTTP interface or Cypress. */
export interface WebhookEmail extends Pick<EmailData, 'id' | 'from' | 'to' | 'subject' | 'rawBody' | 'magicLink'> {
  readonly receivedAt: Date | string;
  readonly fromName?: string | undefined;
}

export interface ReportedMail extends Pick<EmailData, 'from' | 'to' | 'subject'> {
  /** The provider's ID of the email: the ID that the send API returned, or else one derived from the email. */
  readonly id: string;
  /** The Message-ID with its angle brackets. */
  readonly messageId: string;
  /** The sender's address, with the display name if there is one. */
  readonly sender: string;
  /** All addresses of the To header if the application used the send API; otherwise only the inbox's address. */
  readonly recipients: readonly string[];
  readonly sentAt: Date;
  readonly size: number;
  /** Fields of the request to the send API; empty if the application did not use the send API. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** An event, which the provider may post several times. */
export interface WebhookEvent {
  readonly kind: WebhookKind;
  readonly at: Date;
  readonly mail: ReportedMail;
  /** The link that was followed; only for clicks. */
  readonly link: string;
  /** Random, but the same each time this event is posted. */
  readonly uuid: string;
}

export interface WebhookPost<Body = string> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Parameters added to the address. */
  readonly query?: Readonly<Record<string, string>>;
}

/** When and how a post is signed: `isWrong` signs with another secret. */
export interface Signing {
  readonly at: Date;
  readonly isWrong: boolean;
}

export type WebhookWriter = (event: WebhookEvent, signing: Signing) => Promise<WebhookPost>;

/** The client in reports of opens and clicks: a browser at a documentation address (RFC 5737). */
export const READER = {
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

export const ACCEPTED = '250 2.0.0 OK';
export const REFUSED = '550 5.1.1 No such mailbox';

/** Collects what reports say about an email. `id` takes precedence over the ID from the send API. */
export async function reportedMail(
  provider: WebhookProviderName,
  email: WebhookEmail,
  id: string | undefined,
  signal: AbortSignal,
): Promise<ReportedMail> {
  const { from, fromName = '', to, subject, rawBody, load } = email as WebhookEmail & Partial<LoadableEmail>;
  // Emails from an inbox can load their parts; plain data cannot.
  const parts = await load?.(signal);
  const sent = parts?.sendApi?.provider === provider ? parts.sendApi : null;
  const bare = email.id.replace(/^<|>$/g, '');
  const made = provider === 'mailgun' ? bare : await madeId(email);
  return {
    id: id ?? (sent?.id.replace(/^<|>$/g, '') || made),
    messageId: `<${bare}>`,
    from,
    sender: fromName === '' ? from : `${phrase(fromName)} <${from}>`,
    to,
    recipients: sent && parts ? parts.to.map(({ address }) => address) : [to],
    subject,
    sentAt: new Date(email.receivedAt),
    size: bytesOf(rawBody).length,
    request: record(sent?.body),
  };
}

/** A display name for a header: quoted if it contains special characters (RFC 5322 section 3.2.3). */
export function phrase(name: string): string {
  return /[()<>@,;:\\"[\]]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
}

async function madeId({ id, to, receivedAt }: WebhookEmail): Promise<string> {
  const text = new TextEncoder().encode(`${to} ${new Date(receivedAt).toISOString()} ${id}`);
  const digits = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', text)));
  // Version 8 is for UUIDs with a custom layout (RFC 9562 section 5.8).
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);
export const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
export const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
export const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));

export const bytesOf = (text: string | Uint8Array) =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text;

export function base64(bytes: Uint8Array): string {
  let text = '';
  // Takes few bytes at a time, because each is an argument, and too many would overflow the stack.
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

/** Throws `MayflyOptionError` for anything but an email. Copies and emails of other sources are allowed. */
export function checkEmail(call: string, email: WebhookEmail): void {
  const names = ['id', 'from', 'to', 'subject', 'rawBody'] as const;
  const texts = names.filter((name) => typeof email?.[name] !== 'string');
  const wrong = Number.isNaN(new Date(email?.receivedAt ?? Number.NaN).getTime()) ? [...texts, 'receivedAt'] : texts;
  if (wrong.length === 0) return;
  const missing = email instanceof Object ? ` The given object has no ${wrong.join(', ')}.` : '';
  throw new MayflyOptionError(`${call}() needs an email, such as the result of inbox.waitForEmail().${missing}`);
}

export async function hmac(secret: Uint8Array<ArrayBuffer>, text: string, hash = 'SHA-256'): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));
}
