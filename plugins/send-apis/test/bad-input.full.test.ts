import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, serviceOfFile } from './provider.js';

const service = await serviceOfFile({ smtpLimit: 'off', maxMessage: '256KiB', httpRequestTime: '1s' });
interface Route {
  readonly path: string;
  readonly valid: Answer;
  /** Whether a response is an error in the provider's format. */
  isError(body: string, headers: Headers): boolean;
}

const has =
  (...names: readonly string[]) =>
  (body: string) =>
    names.every((name) => Object.hasOwn(JSON.parse(body), name));
const isResend = has('statusCode', 'name', 'message');
const isPostmark = has('ErrorCode', 'Message');

const RESEND = {
  from: 'a@b.test',
  to: ['x@inbox.example.com'],
  cc: 'y@inbox.example.com',
  bcc: [],
  reply_to: 'a@b.test',
  subject: 'Hi',
  text: 'Hi',
  html: '<p>Hi</p>',
  headers: { 'X-A': 'b' },
  tags: [{ name: 'a', value: 'b' }],
  scheduled_at: 'tomorrow',
  attachments: [{ filename: 'a', content: 'aGk=', content_type: 'text/plain', content_id: 'c' }],
};
const POSTMARK = {
  From: 'a@b.test',
  To: 'x@inbox.example.com',
  Subject: 'Hi',
  TextBody: 'Hi',
  Headers: [{ Name: 'X-A', Value: 'b' }],
  Attachments: [{ Name: 'a', Content: 'aGk=', ContentType: 'text/plain', ContentID: 'c' }],
  Tag: 'a',
};
const SES = {
  FromEmailAddress: 'a@b.test',
  Destination: { ToAddresses: ['x@inbox.example.com'], CcAddresses: [], BccAddresses: [] },
  ReplyToAddresses: ['a@b.test'],
  Content: {
    Simple: {
      Subject: { Data: 'Hi' },
      Body: { Text: { Data: 'Hi' }, Html: { Data: 'Hi' } },
      Headers: [{ Name: 'X-A', Value: 'b' }],
      Attachments: [{ RawContent: 'aGk=', FileName: 'a', ContentType: 'text/plain', ContentId: 'c' }],
    },
  },
};

const ROUTES: readonly Route[] = [
  { path: '/emails', valid: RESEND, isError: isResend },
  { path: '/emails/batch', valid: [RESEND], isError: isResend },
  {
    path: '/v3/mail/send',
    valid: {
      from: { email: 'a@b.test', name: 'A' },
      personalizations: [
        {
          to: [{ email: 'x@inbox.example.com', name: 'X' }],
          cc: [],
          substitutions: { '-a-': 'b' },
          dynamic_template_data: { a: 'b' },
          headers: { 'X-A': 'b' },
          send_at: 1,
        },
      ],
      subject: 'Hi',
      content: [{ type: 'text/plain', value: 'Hi' }],
      attachments: [{ content: 'aGk=', filename: 'a', type: 'text/plain', disposition: 'inline', content_id: 'c' }],
      mail_settings: { sandbox_mode: { enable: false } },
      reply_to_list: [{ email: 'a@b.test' }],
    },
    isError: (body) => JSON.parse(body).errors.every((error: Answer) => typeof error.message === 'string'),
  },
  { path: '/email', valid: POSTMARK, isError: isPostmark },
  { path: '/email/batch', valid: [POSTMARK], isError: isPostmark },
  {
    path: '/email/withTemplate',
    valid: { ...POSTMARK, TemplateId: 1, TemplateModel: { a: { b: 'c' } } },
    isError: isPostmark,
  },
  {
    path: '/email/batchWithTemplates',
    valid: { Messages: [{ ...POSTMARK, TemplateAlias: 'a' }] },
    isError: isPostmark,
  },
  {
    path: '/v2/email/outbound-emails',
    valid: SES,
    isError: (body, headers) => has('message')(body) && headers.has('x-amzn-errortype'),
  },
  {
    path: '/v2/email/outbound-bulk-emails',
    valid: {
      FromEmailAddress: 'a@b.test',
      DefaultContent: { Template: { TemplateName: 'a', TemplateData: '{"a":"b"}' } },
      BulkEmailEntries: [{ Destination: SES.Destination }],
    },
    isError: (body, headers) => has('message')(body) && headers.has('x-amzn-errortype'),
  },
];

/** Returns the paths of all values within a value, as lists of keys. */
function places(value: Answer, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => places(value[key], [...path, key]))];
}

function changed(value: Answer, [key, ...rest]: readonly string[], given: unknown): Answer {
  if (key === undefined) return given;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key as never] = changed(value[key], rest, given) as never;
  return copy;
}

/** Matches a header value that gives the reason in a sentence. */
const SENTENCE = /^\S+ .+ .+\.$/;

/** Values that no field accepts: other types and sizes, and the start of a header. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 1e308, '', '\0', '%%%', [], {}, [[]], [null], { length: 5 }),
  fc.constantFrom('a\r\nBcc: evil@inbox.example.com', '<a@b.test>\r\nX-Evil: 1', '__proto__', 'x'.repeat(70_000)),
  fc.constantFrom<unknown>(Array(2_000).fill('x@inbox.example.com'), Array(2_000).fill({}), {
    type: 'Buffer',
    data: ['a'],
  }),
  fc.string(),
  fc.jsonValue({ maxDepth: 3 }),
);

describe.each(ROUTES)('the route $path', ({ path, valid, isError }) => {
  test("accepts valid input, and reports bad input in its provider's format, never as an internal error", async () => {
    expect((await service.post(path, valid)).status).toBeLessThan(300);
    const all = places(valid);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), hostile, async (place, given) => {
        const answer = await service.post(path, changed(valid, place, given));
        const body = await answer.text();
        expect(answer.status).toBeLessThan(500);
        if (answer.status < 400) return;
        expect(isError(body, answer.headers)).toBe(true);
        expect(answer.headers.get('mayfly-hint')).toMatch(SENTENCE);
      }),
      { numRuns: 60 },
    );
    for (const body of ['', '{', '[', 'null', '"a"', '5', '[[[[', `{"${'k'.repeat(200_000)}":1}`]) {
      const answer = await service.post(path, body);
      expect([answer.status >= 400 && answer.status < 500, isError(await answer.text(), answer.headers)]).toEqual([
        true,
        true,
      ]);
    }
  });
});

test('the APIs of Resend, Postmark and Mailgun create no header from a line break in a field', async () => {
  const evil = 'a\r\nX-Evil: 1\r\n\r\nbody';
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await service.post('/emails', {
    ...RESEND,
    to: 'e1@inbox.example.com',
    cc: [],
    subject: evil,
    headers: { 'X-A': evil },
  });
  await service.post('/email', { ...POSTMARK, To: 'e2@inbox.example.com', Subject: evil, Tag: evil });
  const fields = { from: 'a@b.test', to: 'e3@inbox.example.com', subject: evil, text: 'x', 'h:X-A': evil, 'v:a': evil };
  await service.post('/v3/mg.test/messages', new URLSearchParams(fields).toString(), form);
  for (const name of ['e1', 'e2', 'e3']) {
    const { headers } = await service.parts(`${name}@inbox.example.com`);
    expect(headers.map((header: Answer) => header.name)).not.toContain('X-Evil');
  }
});

test('broken forms, and forms with too many fields, are rejected in the format of Mailgun and SES', async () => {
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const many = Array.from({ length: 20_000 }, (_, at) => `a${at}=`).join('&');
  for (const [body, headers] of [
    ['--b\r\nContent-Disposition: form-data; name="from"\r\n\r\nx', multipart],
    ['--b\r\nContent-Disposition: form-data; name="attachment"; filename="a"\r\n\r\nx', multipart],
    ['--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n', multipart],
    ['--b\r\nContent-Disposition: form-data; filename="a"\r\n\r\nx\r\n--b--\r\n', multipart],
    ['nothing', multipart],
    ['x', { 'content-type': 'multipart/form-data' }],
    [many, form],
    ['', form],
    ['{}', { 'content-type': 'application/json' }],
  ] as const) {
    const answer = await service.post('/v3/mg.test/messages', body, headers);
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([400, ['message']]);
  }
  for (const body of [
    '',
    'Action=Nothing',
    many,
    'Action=SendEmail',
    'Action=constructor',
    'Action=SendRawEmail&RawMessage.Data=%25',
  ]) {
    const answer = await service.post('/', body, form);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('<ErrorResponse')]);
  }
});

/** Valid JSON that is nested too deeply for recursive code. */
const DEEP = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;

/** A placeholder for `DEEP`, which `JSON.stringify` cannot write. */
const PLACE = '<deep>';

const tagged = (given: unknown) => ({
  from: { email: 'a@b.test' },
  personalizations: [{ to: [{ email: 'x@inbox.example.com' }], substitutions: { '-a-': given } }],
  subject: 'Hi',
  content: [{ type: 'text/plain', value: '-a-'.repeat(1_000) }],
});

const filled = (text: string, data: string) => ({
  ...SES,
  Content: { Template: { TemplateContent: { Subject: 'Hi', Text: text }, TemplateData: data } },
});

const isRefusal = expect.toSatisfy((status) => status >= 400 && status < 500);

test.each<[string, string, unknown]>([
  ['nested deeply', '/v3/mail/send', tagged(PLACE)],
  ['nested deeply', '/v2/email/outbound-emails', filled('{{a}}', DEEP)],
  [
    'long, and used often',
    '/v2/email/outbound-emails',
    filled('{{a}}'.repeat(10_000), JSON.stringify({ a: 'v'.repeat(300_000) })),
  ],
])('template variables that are %s are rejected by %s', async (_how, path, body) => {
  const answer = await service.post(path, JSON.stringify(body).replace(`"${PLACE}"`, DEEP));
  expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([isRefusal, null]);
});

test('/email/withTemplate accepts deeply nested variables, or rejects them if Node cannot serialize them', async () => {
  const body = JSON.stringify({ ...POSTMARK, TemplateId: 1, TemplateModel: PLACE }).replace(`"${PLACE}"`, DEEP);
  const answer = await service.post('/email/withTemplate', body);
  expect([200, 422]).toContain(answer.status);
  expect(answer.headers.get('mayfly-error')).toBeNull();
});

test('a bulk request to SES has at most 50 entries', async () => {
  const BulkEmailEntries = Array(51).fill({ Destination: SES.Destination });
  const bulk = { FromEmailAddress: 'a@b.test', DefaultContent: { Template: { TemplateName: 'a' } }, BulkEmailEntries };
  const form = BulkEmailEntries.map(
    (_, at) => `Destinations.member.${at + 1}.Destination.ToAddresses.member.1=x%40inbox.example.com`,
  );
  const answers = [
    await service.post('/v2/email/outbound-bulk-emails', bulk),
    await service.post('/', ['Action=SendBulkTemplatedEmail', 'Source=a%40b.test', 'Template=a', ...form].join('&'), {
      'content-type': 'application/x-www-form-urlencoded',
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
});

test('JSON with too many lists, objects or fields is rejected, but brackets within strings do not count', async () => {
  const body = (tags: string) => JSON.stringify({ ...RESEND, tags: PLACE }).replace(`"${PLACE}"`, tags);
  for (const [many, status] of [
    [`[${'['.repeat(250_000)}${']'.repeat(250_000)}]`, 400],
    [JSON.stringify('"[{:\\'.repeat(60_000)), 200],
    [JSON.stringify('[{:'.repeat(100_000)), 200],
  ] as const) {
    expect((await service.post('/emails', body(many))).status).toBe(status);
  }
});

test.each([
  ['/v2/email/outbound-emails', (json: string) => filled('Hi', json)],
  [
    '/v2/email/outbound-bulk-emails',
    (TemplateData: string) => ({
      FromEmailAddress: 'a@b.test',
      DefaultContent: { Template: { TemplateName: 'a', TemplateData } },
      BulkEmailEntries: [{ Destination: SES.Destination }],
    }),
  ],
])('JSON within a string may have no more lists, objects and fields than a body: %s', async (path, bodyWith) => {
  const ofNodes = (count: number) => JSON.stringify({ a: Array(count).fill([]) });
  const statusOf = async (json: string) => (await service.post(path, bodyWith(json))).status;
  expect([await statusOf(ofNodes(50_000)), await statusOf(ofNodes(200_000))]).toEqual([200, 400]);
});

/** Values that no form field accepts. */
const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    '%',
    '{',
    '[]',
    'null',
    '{"a":{"b":[1]}}',
    '<>',
    '"',
    ',,,',
    '@',
    'a@b',
    'x'.repeat(70_000),
  ),
  fc.constantFrom(
    'a\r\nBcc: evil@inbox.example.com',
    '=?utf-8?q?=00?= <a@b.test>',
    '%recipient%',
    '__proto__',
    '../../etc/passwd',
  ),
  fc.string(),
);

const FORMS: readonly (readonly [
  path: string,
  fields: Readonly<Record<string, string>>,
  isError: (body: string) => boolean,
])[] = [
  [
    '/v3/mg.test/messages',
    {
      from: 'a@b.test',
      to: 'x@inbox.example.com',
      cc: 'y@inbox.example.com',
      subject: 'Hi %recipient.a%',
      text: 'Hi',
      html: '<p>Hi</p>',
      template: 'a',
      't:variables': '{"a":1}',
      'h:X-A': 'b',
      'h:Reply-To': 'a@b.test',
      'v:a': 'b',
      'o:deliverytime': 'tomorrow',
      'recipient-variables': '{"x@inbox.example.com":{"a":1}}',
    },
    has('message'),
  ],
  ['/v3/mg.test/messages.mime', { to: 'x@inbox.example.com', message: 'From: a@b.test\r\n\r\nHi' }, has('message')],
  ...['SendEmail', 'SendRawEmail', 'SendTemplatedEmail', 'SendBulkTemplatedEmail'].map(
    (Action) =>
      [
        '/',
        {
          Action,
          Source: 'a@b.test',
          'Destination.ToAddresses.member.1': 'x@inbox.example.com',
          'Destinations.member.1': 'x@inbox.example.com',
          'Destinations.member.1.Destination.ToAddresses.member.1': 'x@inbox.example.com',
          'Destinations.member.1.ReplacementTemplateData': '{"a":1}',
          'ReplyToAddresses.member.1': 'a@b.test',
          'Message.Subject.Data': 'Hi',
          'Message.Body.Text.Data': 'Hi',
          'RawMessage.Data': 'RnJvbTogYUBiLnRlc3QKCkhp',
          Template: 'a',
          TemplateData: '{"a":1}',
          DefaultTemplateData: '{"a":1}',
        },
        (body: string) => body.includes('<ErrorResponse'),
      ] as const,
  ),
];

test.each(FORMS)(
  "a form to %s with a hostile value never causes an internal error, and errors have the provider's format",
  async (path, valid, isError) => {
    const sent = (fields: Readonly<Record<string, string>>) =>
      service.post(path, new URLSearchParams(fields).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      });
    expect((await sent(valid)).status).toBe(200);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(valid)), hostileText, async (field, given) => {
        const answer = await sent({ ...valid, [field]: given });
        const body = await answer.text();
        expect(answer.status).toBeLessThan(500);
        if (answer.status < 400) return;
        expect(isError(body)).toBe(true);
        expect(answer.headers.get('mayfly-hint')).toMatch(SENTENCE);
      }),
      { numRuns: 60 },
    );
  },
);

test("a request with an unknown ID is answered in the format of the provider's API", async () => {
  const paths: readonly (readonly [path: string, isError: (body: string) => boolean])[] = [
    ['/emails/ID', isResend],
    ['/messages/outbound/ID/details', isPostmark],
    ['/messages/outbound/ID/dump', isPostmark],
    ['/v3/domains/mg.test/messages/ID', has('message')],
    ['/v3/domains/ID/messages/ID', has('message')],
    ['/v3/mg.test/events?message-id=ID', has('items')],
    ['/v3/ID/events?message-id=a&message-id=ID', has('message')],
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), hostileText, async ([path, isError], text) => {
      const id = encodeURIComponent(text).slice(0, 3_000).replace(/%.?$/, '');
      // Empty and dot segments would change the path.
      if (/^\.{0,2}$/.test(id)) return;
      const answer = await fetch(service.url + path.replaceAll('ID', id));
      expect(answer.status).toBeLessThan(500);
      expect(isError(await answer.text()), path).toBe(true);
    }),
    { numRuns: 100 },
  );
});
