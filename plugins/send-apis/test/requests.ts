import type { SendApi } from '../src/settings.js';
import type { Answer } from './provider.js';

/** A request as an application sends it, without an SDK. */
export interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const FROM = 'app@acme.test';

const json = (path: string, body: unknown): Sent => ({ path, headers: JSON_TYPE, body: JSON.stringify(body) });
const form = (path: string, fields: Readonly<Record<string, string>>): Sent => ({
  path,
  headers: FORM_TYPE,
  body: new URLSearchParams(fields).toString(),
});

export type Name = SendApi | 'ses v1';

interface Requests {
  readonly provider: SendApi;
  /** A message with this text; an empty text omits a required field. */
  mail(to: string, text?: string): Sent;
  /** One message to all recipients. */
  many(to: readonly string[]): Sent;
  /** A message from a template. */
  template(to: string, id: string): Sent;
  /** A request with one message per recipient, of which all or none are stored; null if each may fail alone. */
  readonly strict: ((to: readonly string[]) => Sent) | null;
  /** A request with one message per recipient in which each may fail alone. */
  readonly permissive: ((to: readonly string[]) => Sent) | null;
  /** The number of messages that a permissive request sent, according to its response. */
  sentOf(body: string): number;
  /** Whether a response is an error in the provider's format. */
  isError(body: string, headers: Headers): boolean;
}

const hasAll = (body: string, names: readonly string[]) => names.every((name) => Object.hasOwn(JSON.parse(body), name));

const resendMail = (to: string, text = 'Your code is 482913') => ({ from: FROM, to, subject: 'Hi', text });
const postmarkMail = (to: string, text = 'Your code is 482913') => ({
  From: FROM,
  To: to,
  Subject: 'Hi',
  TextBody: text,
});
const sesMail = (to: string, content: Answer) => ({
  FromEmailAddress: FROM,
  Destination: { ToAddresses: [to] },
  Content: content,
});
const sendgridMail = (to: readonly string[], more: Answer) => ({
  from: { email: FROM },
  subject: 'Hi',
  personalizations: to.map((email) => ({ to: [{ email }] })),
  ...more,
});

/** Requests of applications by provider; SES has two versions. */
export const REQUESTS: Readonly<Record<Name, Requests>> = {
  resend: {
    provider: 'resend',
    mail: (to, text) => json('/emails', { ...resendMail(to, text), ...(text === '' && { text: undefined }) }),
    many: (to) => json('/emails', { ...resendMail(''), to }),
    template: (to, id) => json('/emails', { from: FROM, to, template: { id } }),
    strict: (to) =>
      json(
        '/emails/batch',
        to.map((one) => resendMail(one)),
      ),
    permissive(to) {
      const sent = json(
        '/emails/batch',
        to.map((one) => resendMail(one)),
      );
      return { ...sent, headers: { ...JSON_TYPE, 'x-batch-validation': 'permissive' } };
    },
    sentOf: (body) => JSON.parse(body).data.length,
    isError: (body) => hasAll(body, ['statusCode', 'name', 'message']),
  },
  sendgrid: {
    provider: 'sendgrid',
    mail: (to, text = 'Your code is 482913') =>
      json('/v3/mail/send', sendgridMail([to], text === '' ? {} : { content: [{ type: 'text/plain', value: text }] })),
    many: (to) =>
      json('/v3/mail/send', {
        ...sendgridMail([], { content: [{ type: 'text/plain', value: 'Hi' }] }),
        personalizations: [{ to: to.map((email) => ({ email })) }],
      }),
    template: (to, id) => json('/v3/mail/send', sendgridMail([to], { template_id: id })),
    strict: (to) => json('/v3/mail/send', sendgridMail(to, { content: [{ type: 'text/plain', value: 'Hi' }] })),
    permissive: null,
    sentOf: () => 0,
    isError: (body) => JSON.parse(body).errors.every((error: Answer) => typeof error.message === 'string'),
  },
  postmark: {
    provider: 'postmark',
    mail: (to, text) => json('/email', postmarkMail(to, text)),
    many: (to) => json('/email', postmarkMail(to.join())),
    template: (to, id) =>
      json('/email/withTemplate', { From: FROM, To: to, TemplateAlias: id, TemplateModel: { a: 1 } }),
    strict: null,
    permissive: (to) =>
      json(
        '/email/batch',
        to.map((one) => postmarkMail(one)),
      ),
    sentOf: (body) => JSON.parse(body).filter(({ ErrorCode }: Answer) => ErrorCode === 0).length,
    isError: (body) => hasAll(body, ['ErrorCode', 'Message']),
  },
  ses: {
    provider: 'ses',
    mail: (to, text = 'Your code is 482913') =>
      json(
        '/v2/email/outbound-emails',
        sesMail(to, { Simple: { Subject: { Data: 'Hi' }, Body: text === '' ? {} : { Text: { Data: text } } } }),
      ),
    many: (to) =>
      json('/v2/email/outbound-emails', {
        ...sesMail('', { Simple: { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'Hi' } } } }),
        Destination: { ToAddresses: to },
      }),
    template: (to, id) =>
      json('/v2/email/outbound-emails', sesMail(to, { Template: { TemplateName: id, TemplateData: '{"a":1}' } })),
    strict: null,
    permissive: (to) =>
      json('/v2/email/outbound-bulk-emails', {
        FromEmailAddress: FROM,
        DefaultContent: { Template: { TemplateName: 'a' } },
        BulkEmailEntries: to.map((one) => ({ Destination: { ToAddresses: [one] } })),
      }),
    sentOf: (body) =>
      JSON.parse(body).BulkEmailEntryResults.filter(({ Status }: Answer) => Status === 'SUCCESS').length,
    isError: (body, headers) => hasAll(body, ['message']) && headers.has('x-amzn-errortype'),
  },
  'ses v1': {
    provider: 'ses',
    mail: (to, text = 'Your code is 482913') =>
      form('/', {
        Action: 'SendEmail',
        Source: FROM,
        'Destination.ToAddresses.member.1': to,
        'Message.Subject.Data': 'Hi',
        'Message.Body.Text.Data': text,
      }),
    many: (to) =>
      form('/', {
        Action: 'SendEmail',
        Source: FROM,
        'Message.Subject.Data': 'Hi',
        'Message.Body.Text.Data': 'Hi',
        ...Object.fromEntries(to.map((one, at) => [`Destination.ToAddresses.member.${at + 1}`, one])),
      }),
    template: (to, id) =>
      form('/', {
        Action: 'SendTemplatedEmail',
        Source: FROM,
        'Destination.ToAddresses.member.1': to,
        Template: id,
        TemplateData: '{"a":1}',
      }),
    strict: null,
    permissive: (to) =>
      form('/', {
        Action: 'SendBulkTemplatedEmail',
        Source: FROM,
        Template: 'a',
        ...Object.fromEntries(
          to.map((one, at) => [`Destinations.member.${at + 1}.Destination.ToAddresses.member.1`, one]),
        ),
      }),
    sentOf: (body) => body.split('<Status>Success</Status>').length - 1,
    isError: (body) => body.includes('<ErrorResponse'),
  },
  mailgun: {
    provider: 'mailgun',
    mail: (to, text = 'Your code is 482913') => form('/v3/mg.test/messages', { from: FROM, to, subject: 'Hi', text }),
    many: (to) => form('/v3/mg.test/messages', { from: FROM, to: to.join(), subject: 'Hi', text: 'Hi' }),
    template: (to, id) => form('/v3/mg.test/messages', { from: FROM, to, subject: 'Hi', template: id }),
    strict: (to) =>
      form('/v3/mg.test/messages', {
        from: FROM,
        to: to.join(),
        subject: 'Hi',
        text: 'Hi',
        'recipient-variables': '{"a":{}}',
      }),
    permissive: null,
    sentOf: () => 0,
    isError: (body) => Object.keys(JSON.parse(body)).join() === 'message',
  },
};

export const NAMES = Object.keys(REQUESTS) as readonly Name[];

/** Sends a request, optionally with other headers or another method. */
export function send(url: string, { path, headers, body }: Sent, more: RequestInit = {}): Promise<Response> {
  const isBodiless = more.method !== undefined && ['GET', 'HEAD', 'OPTIONS'].includes(more.method);
  return fetch(url + path, {
    method: 'POST',
    ...(isBodiless ? {} : { body }),
    ...more,
    headers: { ...headers, ...(more.headers as Readonly<Record<string, string>>) },
  });
}
