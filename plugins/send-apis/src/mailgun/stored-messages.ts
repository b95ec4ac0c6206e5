import type { App } from 'mayfly-inbox/plugin';
import { json } from '../answer.js';
import type { Desk } from '../desk.js';
import { refuse } from '../problem.js';
import type { FoundMail } from '../sent-mail.js';

/**
 * A sent mail by its storage key, and the events that tell it, of one mail
 * (documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages, …/events). Here, the storage key is what
 * the id has before the @.
 */
export function addStoredMessages(api: App, desk: Desk): void {
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
