import { MayflyOptionError } from '../wait/errors.js';
import {
  hex,
  hmac,
  READER,
  REFUSED,
  randomBytes,
  seconds,
  type WebhookEvent,
  type WebhookWriter,
} from './webhook-event.js';

const LEVELS = { delivered: 'info', bounced: 'error', complained: 'warn', opened: 'info', clicked: 'info' };

/** Mailgun signs a time and a token, not the event (user manual, webhooks, securing webhooks). */
export function mailgunWriter(secret: string | undefined): WebhookWriter {
  if (secret === undefined || secret === '') {
    throw new MayflyOptionError('webhooks(): Mailgun signs with the "HTTP webhook signing key": give it as secret.');
  }
  const right = new TextEncoder().encode(secret);
  return async (event, { at, isWrong }) => {
    const timestamp = `${seconds(at)}`;
    const token = hex(randomBytes(25));
    const signature = hex(await hmac(isWrong ? randomBytes(24) : right, timestamp + token));
    const body = JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': payload(event) });
    return { headers: {}, body };
  };
}

/** As in documentation.mailgun.com, user manual, webhook payloads. */
function payload({ kind, at, mail, link, uuid }: WebhookEvent): object {
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

/** Fields such as `v:order` of a request are variables of its events. */
function userVariables(request: Readonly<Record<string, unknown>>): object {
  const own = Object.entries(request).filter(([name]) => name.startsWith('v:'));
  return Object.fromEntries(own.map(([name, value]) => [name.slice('v:'.length), value]));
}
