import type { App } from 'mayfly-inbox/plugin';
import { json } from 'mayfly-plugins-shared/sending/answer';
import { type Desk, idIn, type Provider } from 'mayfly-plugins-shared/sending/desk';
import {
  inWords,
  JSON_OBJECT,
  type Problem,
  type ProblemKind,
  refuse,
  type Words,
} from 'mayfly-plugins-shared/sending/problem';
import type { FoundMail } from 'mayfly-plugins-shared/sending/sent-mail';

const FORMS = ['multipart/form-data', 'application/x-www-form-urlencoded'] as const;

/** Mailgun (documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages). */
export const mailgun: Provider = {
  answer: (problem) =>
    json(STATUS[problem.kind] ?? 400, { message: inWords(WORDS[problem.kind], problem) ?? 'Bad Request' }),
  roots: ['/v3/:domain'],
  addRoutes(api, desk) {
    for (const name of ['messages', 'messages.mime'] as const) {
      desk.add(api, {
        path: `/v3/:domain/${name}`,
        translator: `mailgun ${name}`,
        mediaTypes: FORMS,
        accepted: (outcomes) => json(200, { id: idIn(outcomes), message: 'Queued. Thank you.' }),
      });
    }
    addStoredMessages(api, desk);
  },
};

/**
 * Statuses of documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages and help.mailgun.com, "Error
 * Codes Library". Neither page has the status for a recipient that is not authorized. We observed 403.
 */
const STATUS: Readonly<Partial<Record<ProblemKind, number>>> = {
  ...{ 'not-served': 403, forbidden: 403, 'not-found': 404, method: 405, 'too-large': 413 },
  ...{ full: 429, rate: 429, internal: 500, unavailable: 503 },
};

const WORDS: Readonly<Partial<Record<ProblemKind, Words>>> = {
  missing: ({ field }) =>
    field === 'text'
      ? "Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified"
      : `${field} parameter is missing`,
  invalid({ field, detail }) {
    if (detail === JSON_OBJECT) return `'${field}' parameter is not a valid JSON`;
    return field && `${field} parameter must be ${detail}`;
  },
  sender: badAddress,
  recipient: badAddress,
  'not-served': ({ address, detail }) =>
    `The recipient ${address} is not allowed: Free accounts are for test purposes only. Please upgrade or add the address to authorized recipients in Account Settings. (${detail})`,
  'too-many-recipients': tooMany,
  'too-many-mails': tooMany,
  'too-large': ({ detail }) => `request size exceeds limit: the message is too large. (${detail})`,
  full: ({ detail }) => `The domain is not allowed to send: recipient limit exceeded. (${detail})`,
  rate: 'Too Many Requests',
  unavailable: 'Service Unavailable',
  'media-type': "Invalid request content type. Expecting 'multipart/form-data'",
  forbidden: 'Forbidden',
  'not-found': ({ detail = 'Not Found' }) => detail,
  method: 'Method Not Allowed',
  internal: 'Internal Server Error',
};

function badAddress({ field }: Problem): string {
  return `'${field}' parameter is not a valid address. please check documentation`;
}

function tooMany({ detail }: Problem): string {
  return `Too many recipients; max is ${detail}`;
}

/**
 * Finds a sent message by its storage key, and lists its events
 * (documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages, …/events). Here, the storage key is the
 * part of the ID before the @.
 */
function addStoredMessages(api: App, desk: Desk): void {
  desk.addFinding(api, '/v3/domains/:domain/messages/:id', async (request, by) => {
    const { domain, id } = request.params;
    const found = await desk.sent.find(request, id, `<${id}@${domain}>`, by);
    return json(200, found === null ? refuse('not-found', NO_MESSAGE) : messageOf(found));
  });
  desk.addFinding(api, '/v3/:domain/events', async (request, by) => {
    const { domain } = request.params;
    const { 'message-id': asked } = request.query as Readonly<Record<string, unknown>>;
    if (typeof asked !== 'string' || asked === '') return refuse('missing', { field: 'message-id' });
    const [key = '', ofId] = asked.replace(/^<|>$/g, '').split('@');
    const found = ofId === domain ? await desk.sent.find(request, key, `<${key}@${domain}>`, by) : null;
    return json(200, { items: found === null ? [] : eventsOf(key, domain, found), paging: {} });
  });
}

const NO_MESSAGE = { detail: 'Message not found', hint: 'No email has this storage key. It may have expired.' };

function messageOf({ head, contents }: FoundMail) {
  const header = (name: string) => contents.headers.find((one) => one.name.toLowerCase() === name)?.value ?? '';
  const [text, html] = [contents.text ?? '', contents.html ?? ''];
  const people = (list: FoundMail['head']['to']) => list.map(({ address }) => address).join(', ');
  const files = contents.parts.filter(({ attachment }) => attachment);
  return {
    'Content-Type': header('content-type'),
    From: header('from'),
    To: header('to'),
    Subject: head.subject,
    'Message-Id': head.id,
    'Mime-Version': header('mime-version'),
    sender: head.from.address,
    recipients: people([...head.to, ...head.cc, ...head.bcc]),
    from: header('from'),
    subject: head.subject,
    'body-plain': text,
    'body-html': html,
    'stripped-text': text,
    'stripped-html': html,
    'stripped-signature': '',
    'message-headers': contents.headers.map(({ name, value }) => [name, value]),
    attachments: files.map(({ filename, type, size }) => ({ name: filename, 'content-type': type, size })),
  };
}

function eventsOf(key: string, domain: string, { head, receivedAt }: FoundMail) {
  return head.recipients.flatMap(({ to, written = to }) =>
    ['delivered', 'accepted'].map((event) => ({
      event,
      id: `${key}-${event}`,
      timestamp: receivedAt / 1_000,
      'log-level': 'info',
      recipient: written,
      message: { headers: { 'message-id': `${key}@${domain}`, from: head.from.address, subject: head.subject } },
      storage: { key },
    })),
  );
}
