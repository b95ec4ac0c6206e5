import type { App } from 'mayfly-inbox/plugin';
import { type Answer, json } from 'mayfly-plugins-shared/sending/answer';
import type { Outcome } from 'mayfly-plugins-shared/sending/delivery';
import type { Desk, Provider } from 'mayfly-plugins-shared/sending/desk';
import { isObject } from 'mayfly-plugins-shared/sending/fields';
import { errorFor, isProblem, type Problem, type Rows, refuse } from 'mayfly-plugins-shared/sending/problem';
import type { FoundMail } from 'mayfly-plugins-shared/sending/sent-mail';

/** Postmark (postmarkapp.com/developer/api/email-api, …/templates-api). */
export const postmark: Provider = {
  answer: (problem) => json(errorFor(ROWS, problem, USUAL).status, errorOf(problem)),
  roots: ['/email', '/messages/outbound', '/messages/inbound'],
  addRoutes(api, desk) {
    const result = (outcome: Outcome) => {
      if (isProblem(outcome)) return errorOf(outcome);
      const SubmittedAt = new Date(desk.host.clock.now()).toISOString();
      return { ...outcome.echo, SubmittedAt, MessageID: outcome.id, ErrorCode: 0, Message: 'OK' };
    };
    // postmarker, an SDK for Python, adds a slash to the path for templates.
    for (const path of ['/email', '/email/withTemplate', '/email/withTemplate/']) {
      const accepted = (outcomes: readonly Outcome[]) => json(200, outcomes.map(result)[0]);
      desk.add(api, { path, translator: 'postmark email', accepted });
    }
    for (const path of ['/email/batch', '/email/batchWithTemplates', '/email/batchWithTemplates/']) {
      const accepted = (outcomes: readonly Outcome[]) => json(200, outcomes.map(result));
      desk.add(api, { path, translator: 'postmark batch', isPermissive: () => true, accepted });
    }
    addSentMessages(api, desk);
  },
};

const USUAL = [422, 300] as const;

/** Status and error code (postmarkapp.com/developer/api/overview, "Response codes" and "API error codes"). */
const ROWS: Rows<number> = {
  malformed: [422, 402, 'Received invalid JSON input.'],
  missing: [...USUAL, ({ field = '' }) => MISSING[field] ?? `The '${field}' field is required.`],
  invalid: [422, 403, ({ field, detail }) => field && `The '${field}' field must be ${detail}.`],
  sender: [...USUAL, badAddress],
  recipient: [...USUAL, badAddress],
  // Postmark's SDKs parse the address from this sentence.
  'not-served': [
    422,
    406,
    ({ address }) =>
      `You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: ${address}. Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.`,
  ],
  'too-many-recipients': [...USUAL, ({ detail }) => `A message may have at most ${detail} recipients.`],
  'too-many-mails': [422, 410, 'You exceeded the maximum number of messages in a batch.'],
  'too-large': [413, 300, 'The request exceeds the maximum size of a message.'],
  full: [422, 405, "This account has run out of credits. You can't send until you buy more."],
  rate: [429, 429, 'Rate limit exceeded. Please reduce your request rate.'],
  unavailable: [503, 100, 'The Postmark API is offline for maintenance.'],
  'media-type': [422, 409, 'Your HTTP request does not have the Content-Type header set to application/json.'],
  forbidden: [401, 10],
  'not-found': [404, 701, ({ detail = 'The requested resource does not exist.' }) => detail],
  method: [405, 701, 'The requested resource does not support this HTTP method.'],
  internal: [500, 0, 'An internal server error occurred.'],
};

function errorOf(problem: Problem) {
  const { code: ErrorCode, text: Message } = errorFor(ROWS, problem, USUAL);
  return { ErrorCode, Message };
}

const MISSING: Readonly<Record<string, string>> = {
  To: 'Zero recipients specified',
  HtmlBody: 'Provide either email TextBody or HtmlBody or both.',
};

function badAddress({ field, address = '' }: Problem): string {
  return `Invalid '${field}' address: '${address.slice(0, 320)}'.`;
}

/** Details and source of a sent message (postmarkapp.com/developer/api/messages-api). */
function addSentMessages(api: App, desk: Desk): void {
  for (const name of ['details', 'dump'] as const) {
    desk.addFinding(api, `/messages/outbound/:id/${name}`, async (request, by) => {
      const { id } = request.params;
      const found = (await desk.sent.find(request, id, `<${id}@mtasv.net>`, by)) ?? refuse('not-found', NO_MESSAGE);
      return withSource(name === 'dump' ? {} : detailsOf(id, found), await desk.sent.source(found, by));
    });
  }
}

const NO_MESSAGE = {
  detail: 'This message was not found.',
  hint: 'No email has this MessageID. It may have expired.',
};

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
