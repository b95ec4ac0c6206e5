import { MayflyOptionError } from '../wait/errors.js';
import { aText, checkOptions } from '../wait/settings.js';
import type { Signing, WebhookEmail } from './webhook-event.js';
import { base64, bytesOf, checkEmail, hex, hmac, randomBytes, seconds } from './webhook-event.js';
import {
  type PostingOptions,
  postingOf,
  postWith,
  REPORT_RULES,
  type WebhookAnswer,
  type WebhookReportOptions,
} from './webhook-posting.js';

export type TextProviderName = keyof typeof PROVIDERS;

export interface TextWebhooksOptions extends PostingOptions<TextProviderName> {
  /** Twilio's auth token, or Vonage's signature secret. */
  readonly secret: string;
}

export interface TextReportOptions extends WebhookReportOptions {
  /** The provider's error code. */
  readonly code?: string | undefined;
}

/** Posts reports about texts, as a provider does. Each call resolves to the response to its last post. */
export interface TextWebhooks {
  delivered(text: WebhookEmail, options?: TextReportOptions): Promise<WebhookAnswer>;
  /** The carrier did not deliver the text; Twilio's code is 30003. */
  undelivered(text: WebhookEmail, options?: TextReportOptions): Promise<WebhookAnswer>;
  /** The provider could not send the text; Twilio's code is 30008. */
  failed(text: WebhookEmail, options?: TextReportOptions): Promise<WebhookAnswer>;
}

type TextKind = keyof TextWebhooks;

interface TextEvent {
  readonly kind: TextKind;
  readonly id: string;
  readonly text: WebhookEmail;
  readonly at: Date;
  readonly code: string;
  readonly url: string;
}

/** How each provider posts, and its error codes. */
const PROVIDERS = {
  twilio: { write: twilioPost, codes: { delivered: '', undelivered: '30003', failed: '30008' } },
  vonage: { write: vonagePost, codes: { delivered: '', undelivered: '1320', failed: '1260' } },
};

/** Posts a provider's status callbacks for texts to an application, from the test process. */
export function textWebhooks(options: TextWebhooksOptions): TextWebhooks {
  const posting = postingOf('textWebhooks()', options, Object.keys(PROVIDERS));
  const { secret } = options;
  const { write, codes } = PROVIDERS[options.as];
  if (!secret) throw new MayflyOptionError('textWebhooks() needs the secret with which the provider signs.');
  const report =
    (kind: TextKind) =>
    async (text: WebhookEmail, options: TextReportOptions = {}): Promise<WebhookAnswer> => {
      checkOptions(kind, options, { ...REPORT_RULES, code: aText });
      checkEmail(kind, text);
      const { at = new Date(), code = codes[kind], id = text.id.match(/[^<@]+/)?.[0] ?? '', ...faults } = options;
      const event = { kind, id, text, at, code, url: posting.url };
      return postWith(kind, posting, faults, async () => (signing) => write(event, secret, signing));
    };
  return { delivered: report('delivered'), undelivered: report('undelivered'), failed: report('failed') };
}

/** The key of a signature: another one if the signature must be wrong. */
function keyFor(secret: string, isWrong: boolean): Uint8Array<ArrayBuffer> {
  return isWrong ? randomBytes(32) : new TextEncoder().encode(secret);
}

/** twilio.com/docs/usage/security: HMAC-SHA1 of the address and the sorted fields. It has no time. */
async function twilioPost({ kind, id, text, code, url }: TextEvent, secret: string, { isWrong }: Signing) {
  const fields = {
    ...{ SmsSid: id, SmsStatus: kind, MessageStatus: kind, MessageSid: id, To: text.to, From: text.from },
    ...{ AccountSid: `AC${'0'.repeat(32)}`, ApiVersion: '2010-04-01', ...(code && { ErrorCode: code }) },
  };
  const sorted = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  const signed = url + sorted.flat().join('');
  const signature = base64(await hmac(keyFor(secret, isWrong), signed, 'SHA-1'));
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
  return { headers, body: new URLSearchParams(fields).toString() };
}

/** developer.vonage.com/en/getting-started/concepts/webhooks: a JWT with HS256 and the hash of the body. */
async function vonagePost(event: TextEvent, secret: string, { at: signedAt, isWrong }: Signing) {
  const { kind, id, text, at, code } = event;
  const status = kind === 'delivered' ? 'delivered' : kind === 'failed' ? 'rejected' : 'undeliverable';
  const type = `https://developer.vonage.com/api-errors/messages#${code}`;
  const body = JSON.stringify({
    ...{ message_uuid: id, to: text.to.slice(1), from: text.from.replace(/^\+/, ''), timestamp: at.toISOString() },
    ...{
      status,
      channel: 'sms',
      ...(code && { error: { type, title: code, detail: 'Not delivered.', instance: id } }),
    },
  });
  const payload_hash = hex(
    new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(body) as Uint8Array<ArrayBuffer>)),
  );
  const claims = { iat: seconds(signedAt), jti: crypto.randomUUID(), iss: 'Vonage', payload_hash, api_key: 'abcd1234' };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => url64(bytesOf(JSON.stringify(part)))).join('.');
  const signature = url64(await hmac(keyFor(secret, isWrong), signed));
  return { headers: { authorization: `Bearer ${signed}.${signature}` }, body };
}

function url64(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
