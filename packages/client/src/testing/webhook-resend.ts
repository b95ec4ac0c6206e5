import { MayflyOptionError } from '../wait/errors.js';
import {
  base64,
  fromBase64,
  hmac,
  READER,
  randomBytes,
  record,
  seconds,
  type WebhookEvent,
  type WebhookWriter,
} from './webhook-event.js';

const BOUNCE = {
  message: "The recipient's mail server refused the email: no such mailbox.",
  subType: 'General',
  type: 'Permanent',
};
const SECRET = /^whsec_([A-Za-z0-9+/]{16,200}={0,2})$/;

/** Resend's posts are signed as Svix signs (docs.svix.com/receiving/verifying-payloads/how-manual). */
export function resendWriter(secret: string | undefined): WebhookWriter {
  const right = decodedSecret(secret);
  return async (event, { at, isWrong }) => {
    const body = JSON.stringify(payload(event));
    const id = `msg_${event.uuid.replaceAll('-', '')}`;
    const timestamp = `${seconds(at)}`;
    const signature = await hmac(isWrong ? randomBytes(24) : right, `${id}.${timestamp}.${body}`);
    const headers = { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${base64(signature)}` };
    return { headers, body };
  };
}

function decodedSecret(secret: string | undefined): Uint8Array<ArrayBuffer> {
  const wrong = (what: string) => new MayflyOptionError(`webhooks(): ${what}`);
  if (!secret) throw wrong('Resend signs with the secret of the webhook, "whsec_…": give it as secret.');
  const [, encoded] = SECRET.exec(secret) ?? [];
  if (encoded === undefined)
    throw wrong(
      'the secret of Resend is "whsec_" and base64 of 12 bytes or more, as the page of the webhook shows it.',
    );
  try {
    return fromBase64(encoded);
  } catch {
    throw wrong('the secret of Resend is not in base64 after "whsec_".');
  }
}

/** The fields of the type WebhookEventPayload in resend-node 6.38. */
function payload({ kind, at, mail, link }: WebhookEvent): object {
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

/** A request has a list of names and values, an event an object of them. */
function tagsOf(tags: unknown): object | null {
  if (!Array.isArray(tags) || tags.length === 0) return null;
  return Object.fromEntries(tags.map(record).map(({ name, value }) => [`${name}`, value]));
}
