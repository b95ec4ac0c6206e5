import { MayflyOptionError } from '../wait/errors.js';
import { ACCEPTED, READER, REFUSED, record, type WebhookEvent, type WebhookWriter } from './webhook-event.js';

/** The number of a server, of which an application has one. */
const SERVER_ID = 23;

/** Postmark signs nothing: what protects its posts is the user and the password of the address. */
export function postmarkWriter(secret: string | undefined): WebhookWriter {
  if (secret !== undefined) {
    throw new MayflyOptionError(
      'webhooks(): Postmark signs nothing and has no secret. Put user and password into the url: http://user:password@…',
    );
  }
  return async (event) => ({ headers: {}, body: JSON.stringify(payload(event)) });
}

/** The fields of the types BounceWebhook, DeliveryWebhook and their neighbours in postmark.js 5.1. */
function payload(event: WebhookEvent): object {
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
