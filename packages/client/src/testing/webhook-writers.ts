import { MayflyOptionError } from '../wait/errors.js';
import type { Signing, WebhookEvent, WebhookWriter } from './webhook-event.js';
import {
  ACCEPTED,
  base64,
  fromBase64,
  hex,
  hmac,
  READER,
  REFUSED,
  randomBytes,
  record,
  seconds,
} from './webhook-event.js';

const BOUNCE = {
  message: "The recipient's mail server refused the email: no such mailbox.",
  subType: 'General',
  type: 'Permanent',
};
const SECRET = /^whsec_([A-Za-z0-9+/]{16,200}={0,2})$/;

/** Signs posts of Resend with Svix's scheme (docs.svix.com/receiving/verifying-payloads/how-manual). */
export function resendSigner(secret: string | undefined, call: string) {
  const right = decodedSecret(secret, call);
  return async (uuid: string, payload: object, { at, isWrong }: Signing) => {
    const body = JSON.stringify(payload);
    const id = `msg_${uuid.replaceAll('-', '')}`;
    const timestamp = `${seconds(at)}`;
    const signature = await hmac(isWrong ? randomBytes(24) : right, `${id}.${timestamp}.${body}`);
    const headers = { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${base64(signature)}` };
    return { headers, body };
  };
}

export function resendWriter(secret: string | undefined): WebhookWriter {
  const sign = resendSigner(secret, 'webhooks()');
  return (event, signing) => sign(event.uuid, resendPayload(event), signing);
}

function decodedSecret(secret: string | undefined, call: string): Uint8Array<ArrayBuffer> {
  const wrong = (what: string) => new MayflyOptionError(`${call}: ${what}`);
  if (!secret) throw wrong('Resend signs with the secret of the webhook, "whsec_…": pass it as secret.');
  const [, encoded] = SECRET.exec(secret) ?? [];
  if (encoded === undefined)
    throw wrong('the secret of Resend must be "whsec_" and base64 of 12 bytes or more, as Resend shows it.');
  try {
    return fromBase64(encoded);
  } catch {
    throw wrong('the secret of Resend is not in base64 after "whsec_".');
  }
}

/** The fields of the type WebhookEventPayload in resend-node 6.38. */
function resendPayload({ kind, at, mail, link }: WebhookEvent): object {
  const tags = tagsOf(mail.request.tags);
  return {
    type: `email.${kind}`,
    created_at: at.toISOString(),
    data: {
      created_at: mail.sentAt.toISOString(),
      email_id: mail.id,
      message_id: mail.messageId,
      from: mail.sender,
      to: mail.recipients,
      subject: mail.subject,
      ...(tags && { tags }),
      ...(kind === 'bounced' && { bounce: BOUNCE }),
      ...(kind === 'clicked' && {
        click: { ipAddress: READER.ip, link, timestamp: at.toISOString(), userAgent: READER.userAgent },
      }),
    },
  };
}

function tagsOf(tags: unknown): object | null {
  if (!Array.isArray(tags) || tags.length === 0) return null;
  return Object.fromEntries(tags.map(record).map(({ name, value }) => [`${name}`, value]));
}

const LEVELS = { delivered: 'info', bounced: 'error', complained: 'warn', opened: 'info', clicked: 'info' };

/** Mailgun signs a time and a token, not the event (user manual, webhooks, securing webhooks). */
export function mailgunSigner(secret: string | undefined, call: string) {
  if (secret === undefined || secret === '') {
    throw new MayflyOptionError(`${call}: Mailgun signs with the "HTTP webhook signing key": pass it as secret.`);
  }
  const right = new TextEncoder().encode(secret);
  return async ({ at, isWrong }: Signing) => {
    const timestamp = `${seconds(at)}`;
    const token = hex(randomBytes(25));
    const signature = hex(await hmac(isWrong ? randomBytes(24) : right, timestamp + token));
    return { timestamp, token, signature };
  };
}

export function mailgunWriter(secret: string | undefined): WebhookWriter {
  const sign = mailgunSigner(secret, 'webhooks()');
  return async (event, signing) => {
    const body = JSON.stringify({ signature: await sign(signing), 'event-data': mailgunPayload(event) });
    return { headers: {}, body };
  };
}

/** The payload, as in the user manual on documentation.mailgun.com, under webhook payloads. */
function mailgunPayload({ kind, at, mail, link, uuid }: WebhookEvent): object {
  const domain = (address: string) => address.slice(address.lastIndexOf('@') + 1);
  return {
    id: uuid,
    timestamp: at.getTime() / 1_000,
    'log-level': LEVELS[kind],
    event: kind === 'bounced' ? 'failed' : kind,
    ...ownFields(kind, link),
    ...(kind !== 'complained' && { 'recipient-domain': domain(mail.to) }),
    domain: { name: domain(mail.from) },
    envelope: { sender: mail.from, targets: mail.to, transport: 'smtp', 'sending-ip': READER.ip },
    flags: { 'is-routed': false, 'is-authenticated': true, 'is-system-test': false, 'is-test-mode': false },
    message: {
      headers: { to: mail.recipients.join(', '), 'message-id': mail.id, from: mail.sender, subject: mail.subject },
      attachments: [],
      size: mail.size,
    },
    recipient: mail.to,
    campaigns: [],
    tags: [mail.request['o:tag'] ?? []].flat(),
    'user-variables': userVariables(mail.request),
  };
}

function ownFields(kind: WebhookEvent['kind'], link: string): object {
  const status = {
    tls: true,
    'mx-host': 'mx.example.test',
    'session-seconds': 0.3,
    utf8: true,
    'attempt-no': 1,
    'certificate-verified': true,
  };
  const reader = {
    ip: READER.ip,
    geolocation: { country: 'US', region: 'CA', city: 'San Francisco' },
    'client-info': {
      'client-name': 'Chrome',
      'client-os': 'Linux',
      'client-type': 'browser',
      'device-type': 'desktop',
      'user-agent': READER.userAgent,
      bot: '',
    },
  };
  const fields = {
    delivered: { 'delivery-status': { ...status, code: 250, message: 'OK', description: '' } },
    bounced: {
      severity: 'permanent',
      reason: 'bounce',
      'delivery-status': { ...status, code: 550, message: REFUSED, description: '', 'bounce-type': 'hard' },
    },
    complained: {},
    opened: reader,
    clicked: { ...reader, url: link },
  };
  return fields[kind];
}

/** Returns a request's fields with the prefix `v:`, such as `v:order`. Mailgun repeats them in the email's events. */
function userVariables(request: Readonly<Record<string, unknown>>): object {
  const own = Object.entries(request).filter(([name]) => name.startsWith('v:'));
  return Object.fromEntries(own.map(([name, value]) => [name.slice('v:'.length), value]));
}

const SERVER_ID = 23;

export function postmarkWriter(): WebhookWriter {
  return async (event) => ({ headers: {}, body: JSON.stringify(postmarkPayload(event)) });
}

/** Fields of BounceWebhook, DeliveryWebhook and the related types in postmark.js 5.1. */
function postmarkPayload(event: WebhookEvent): object {
  const { kind, at, mail, link } = event;
  const { Tag, Metadata, MessageStream } = mail.request;
  const shared = {
    MessageID: mail.id,
    MessageStream: MessageStream ?? 'outbound',
    Metadata: record(Metadata),
    ...(Tag !== undefined && { Tag }),
  };
  if (kind === 'bounced' || kind === 'complained') return { ...bounce(event), ...shared };
  const time = at.toISOString();
  if (kind === 'delivered') {
    const delivery = { RecordType: 'Delivery', ServerID: SERVER_ID, Recipient: mail.to, DeliveredAt: time };
    return { ...delivery, Details: ACCEPTED, ...shared };
  }
  const reader = {
    Client: { Name: 'Chrome 140', Company: 'Google', Family: 'Chrome' },
    OS: { Name: 'Linux', Company: 'Canonical Ltd.', Family: 'Linux' },
    Platform: 'Desktop',
    UserAgent: READER.userAgent,
    Geo: { IP: READER.ip },
    ReceivedAt: time,
    Recipient: mail.to,
    Tag: '',
    ...shared,
  };
  if (kind === 'opened') return { RecordType: 'Open', FirstOpen: true, ReadSeconds: 0, ...reader };
  return { RecordType: 'Click', ClickLocation: 'HTML', OriginalLink: link, ...reader };
}

function bounce({ kind, at, mail, uuid }: WebhookEvent): object {
  const isComplaint = kind === 'complained';
  return {
    RecordType: isComplaint ? 'SpamComplaint' : 'Bounce',
    ID: Number.parseInt(uuid.slice(0, 8), 16),
    Type: isComplaint ? 'SpamComplaint' : 'HardBounce',
    TypeCode: isComplaint ? 100_001 : 1,
    Name: isComplaint ? 'Spam complaint' : 'Hard bounce',
    ServerID: SERVER_ID,
    Description: isComplaint ? 'The reader marked this email as spam.' : 'The receiving server has no such mailbox.',
    Details: isComplaint ? '' : REFUSED,
    Email: mail.to,
    From: mail.from,
    BouncedAt: at.toISOString(),
    DumpAvailable: false,
    Inactive: true,
    CanActivate: !isComplaint,
    Subject: mail.subject,
  };
}
