import type { App } from 'mayfly-inbox/plugin';
import { type Answer, json } from '../answer.js';
import type { Desk } from '../desk.js';
import { isObject } from '../json-object.js';
import { refuse } from '../problem.js';
import type { FoundMail } from '../sent-mail.js';
import { postmarkMessageId } from '../timed-id.js';

/** Details and source of a sent mail (postmarkapp.com/developer/api/messages-api). */
export function addSentMessages(api: App, desk: Desk): void {
  desk.addFinding(api, '/messages/outbound/:id/details', async (request, by) => {
    const { id } = request.params;
    const found = (await desk.sent.find(request, id, postmarkMessageId(id), by)) ?? refuse('not-found', NO_MESSAGE);
    return withSource(detailsOf(id, found), await desk.sent.source(found, by));
  });
  desk.addFinding(api, '/messages/outbound/:id/dump', async (request, by) => {
    const { id } = request.params;
    const found = (await desk.sent.find(request, id, postmarkMessageId(id), by)) ?? refuse('not-found', NO_MESSAGE);
    return withSource({}, await desk.sent.source(found, by));
  });
}

const NO_MESSAGE = {
  detail: 'This message was not found.',
  hint: 'No email has this MessageID. It may have expired.',
};

/** These fields and `Body`, the source as JSON has it. */
function withSource(fields: object, source: Uint8Array): Answer {
  const before = JSON.stringify(fields).slice(0, -1);
  const comma = before === '{' ? '' : ',';
  return {
    ...json(200, null),
    body: Buffer.concat([Buffer.from(`${before}${comma}"Body":`), source, Buffer.from('}')]),
  };
}

function detailsOf(id: string, { head, receivedAt, contents }: FoundMail) {
  const people = (list: FoundMail['head']['to']) => list.map(({ name, address }) => ({ Email: address, Name: name }));
  const asked = isObject(contents.sendApi?.body) ? contents.sendApi.body : {};
  const header = (name: string) => contents.headers.find((one) => one.name.toLowerCase() === name)?.value ?? '';
  const at = new Date(receivedAt).toISOString();
  const recipients = head.recipients.map(({ to, written = to }) => written);
  return {
    TextBody: contents.text,
    HtmlBody: contents.html,
    Tag: header('x-pm-tag'),
    MessageID: id,
    To: people(head.to),
    Cc: people(head.cc),
    Bcc: people(head.bcc),
    Recipients: recipients,
    ReceivedAt: at,
    From: header('from'),
    Subject: head.subject,
    Attachments: head.fileNames,
    Status: 'Sent',
    TrackOpens: false,
    TrackLinks: 'None',
    Metadata: isObject(asked.Metadata) ? asked.Metadata : {},
    Sandboxed: false,
    MessageStream: typeof asked.MessageStream === 'string' ? asked.MessageStream : 'outbound',
    MessageEvents: recipients.map((Recipient) => ({ Recipient, Type: 'Delivered', ReceivedAt: at, Details: {} })),
  };
}
