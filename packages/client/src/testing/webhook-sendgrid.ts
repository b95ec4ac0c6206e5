import { MayflyOptionError } from '../wait/errors.js';
import type { Signing, WebhookEvent, WebhookWriter } from './webhook-event.js';
import { ACCEPTED, base64, bytesOf, fromBase64, READER, REFUSED, record, seconds } from './webhook-event.js';

/** Stands in for SendGrid's key pair. The test signs with the private key; the application has the public key. */
export interface SendgridKeys {
  /** The private key for `webhooks({ secret })`: PKCS #8 in base64. */
  readonly secret: string;
  /** The verification key, as SendGrid shows it: SPKI in base64. */
  readonly publicKey: string;
}

/** Inferred, because browsers and Node name the type of a WebCrypto key differently. */
type SigningKey = Parameters<typeof crypto.subtle.sign>[1];

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };

/** SendGrid's name of each kind of event (twilio.com/docs/sendgrid/for-developers/tracking-events/event). */
const NAMES = { delivered: 'delivered', bounced: 'bounce', complained: 'spamreport', opened: 'open', clicked: 'click' };

/** Creates a key pair. Call it once and keep both keys, because the application reads the public key when it starts. */
export async function sendgridKeys(): Promise<SendgridKeys> {
  const { privateKey, publicKey } = await newPair();
  const exported = async (format: 'pkcs8' | 'spki', key: SigningKey) =>
    base64(new Uint8Array(await crypto.subtle.exportKey(format, key)));
  return { secret: await exported('pkcs8', privateKey), publicKey: await exported('spki', publicKey) };
}

type Signer = (body: string | Uint8Array, signing: Signing) => Promise<Readonly<Record<string, string>>>;

/** Returns the headers that sign a body. Without a secret, a post has no such headers, because SendGrid need not sign. */
export function sendgridSigner(secret: string | undefined, call: string): Signer {
  const right = secret === undefined ? null : privateKey(secret, call);
  // Prevents an unhandled rejection if the secret is wrong and nothing was posted yet.
  right?.catch(() => undefined);
  return async (body, { at, isWrong }) => {
    if (right === null) return {};
    const timestamp = `${seconds(at)}`;
    const key = await right;
    const signedWith = isWrong ? (await newPair()).privateKey : key;
    const [time, content] = [timestamp, body].map(bytesOf) as [Uint8Array, Uint8Array];
    const both = new Uint8Array(time.length + content.length);
    both.set(time);
    both.set(content, time.length);
    const signed = await crypto.subtle.sign(SIGNATURE, signedWith, both);
    return {
      'x-twilio-email-event-webhook-signature': base64(der(new Uint8Array(signed))),
      'x-twilio-email-event-webhook-timestamp': timestamp,
    };
  };
}

export function sendgridWriter(secret: string | undefined): WebhookWriter {
  const sign = sendgridSigner(secret, 'webhooks()');
  return async (event, signing) => {
    const body = JSON.stringify([payload(event)]);
    return { headers: await sign(body, signing), body };
  };
}

function newPair() {
  return crypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
}

async function privateKey(secret: string, call: string): Promise<SigningKey> {
  try {
    const encoded = secret.replace(/-----[A-Z ]{1,40}-----/g, '').replace(/\s/g, '');
    return await crypto.subtle.importKey('pkcs8', fromBase64(encoded), CURVE, false, ['sign']);
  } catch {
    throw new MayflyOptionError(
      `${call}: the secret of SendGrid must be a P-256 private key, PKCS #8 in base64 or PEM. sendgridKeys() makes one.`,
    );
  }
}

/** WebCrypto returns both numbers of a signature concatenated; SendGrid sends them in DER (RFC 3279 section 2.2.3). */
function der(signature: Uint8Array): Uint8Array {
  const half = signature.length / 2;
  const numbers = [signature.subarray(0, half), signature.subarray(half)].map((bytes) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = [...bytes.subarray(start < 0 ? half - 1 : start)];
    // In DER, a leading 1 bit would make the number negative.
    if ((digits[0] ?? 0) > 0x7f) digits.unshift(0);
    return [0x02, digits.length, ...digits];
  });
  const content = numbers.flat();
  return Uint8Array.from([0x30, content.length, ...content]);
}

function payload({ kind, at, mail, link, uuid }: WebhookEvent): object {
  const { categories, custom_args, personalizations } = mail.request;
  const [first] = Array.isArray(personalizations) ? personalizations : [];
  const opened = { useragent: READER.userAgent, ip: READER.ip };
  const own = {
    delivered: { response: ACCEPTED, ip: READER.ip, tls: 1 },
    bounced: { reason: REFUSED, status: '5.1.1', type: 'bounce', bounce_classification: 'Invalid Address', tls: 1 },
    complained: {},
    opened: { ...opened, sg_content_type: 'html', sg_machine_open: false },
    clicked: { ...opened, url: link, url_offset: { index: 0, type: 'html' } },
  };
  return {
    // Custom arguments of a request become separate fields, which are listed first so that they replace no other field.
    ...record(custom_args),
    ...record(record(first).custom_args),
    email: mail.to,
    timestamp: seconds(at),
    'smtp-id': mail.messageId,
    event: NAMES[kind],
    ...(Array.isArray(categories) && categories.length > 0 && { category: categories }),
    sg_event_id: uuid,
    // Begins with the X-Message-Id that the application received, followed by a period.
    sg_message_id: `${mail.id}.recvd-mayfly-1-0.0`,
    ...own[kind],
  };
}
