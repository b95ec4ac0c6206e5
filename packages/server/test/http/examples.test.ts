import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from './api.js';

interface Answer {
  readonly content?: Record<string, { example?: unknown; schema: { $ref?: string } }>;
}

interface Document {
  readonly paths: Readonly<Record<string, Record<string, { responses: Record<string, Answer> }>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { type: string; examples?: unknown[] }>> };
}

/** The message in all examples except the one of `…/parts`. */
interface EmailExample {
  readonly rawBody: string;
  readonly receivedAt: string;
  readonly from: string;
}

const EMAIL = '/api/inbox/{name}/{receivedAt}';

/** The message whose contents the example of `…/parts` shows. */
const MAIL_WITH_PARTS = [
  'From: App <hello@app.test>',
  'To: demo@inbox.example.com',
  'Subject: =?utf-8?q?Sign_in_to_Caf=C3=A9_App?=',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Your sign-in code is A7K-2QX.',
  'Or follow this link to sign in: https://app.test/s/9f1e7c2ab0d34865',
  '--b',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename="invoice.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.alloc(24_576).toString('base64'),
  '--b--',
  '',
].join('\r\n');

let api: TestApi;
let document: Document;

/** The example responses of a path. */
function examples(path: string, method = 'get'): unknown {
  const [media] = Object.values(document.paths[path]?.[method]?.responses['200']?.content ?? {});
  return media?.example;
}

beforeAll(async () => {
  api = await startApi();
  document = (await api.app.inject('/openapi.json')).json();
  await api.clock.advance(Date.parse((examples(EMAIL) as EmailExample).receivedAt) - api.clock.now());
});

afterAll(() => api.close());

/** Delivers a message at the time given in the examples. Resolves to the path of its inbox. */
async function deliver(inbox: string, raw: string, envelopeFrom: string): Promise<string> {
  await api.inboxes.deliver({
    client: '127.0.0.1',
    raw: Buffer.from(raw),
    envelopeFrom,
    recipients: [{ inbox, to: 'demo@inbox.example.com' }],
    receivedAt: Date.parse((examples(EMAIL) as EmailExample).receivedAt),
  });
  return `/api/inbox/${inbox}`;
}

test.each([
  ['', '/api/inbox/{name}'],
  ['/summary', '/api/inbox/{name}/summary'],
  ['/{receivedAt}', EMAIL],
  ['/{receivedAt}/explain', `${EMAIL}/explain`],
])('the documented example of /api/inbox/{name}%s equals the response for its message', async (below, documented) => {
  const { rawBody, receivedAt, from } = examples(EMAIL) as EmailExample;
  const inbox = await deliver(`demo${below.replace(/\W/g, '-')}`.toLowerCase(), rawBody, from);
  const response = await api.app.inject(inbox + below.replace('{receivedAt}', receivedAt));
  expect(examples(documented)).toEqual(response.json());
});

test('the example of …/parts equals the response for its message', async () => {
  const { receivedAt } = examples(EMAIL) as EmailExample;
  const inbox = await deliver('parts', MAIL_WITH_PARTS, 'bounce@app.test');
  const response = await api.app.inject(`${inbox}/${receivedAt}/parts`);
  expect(examples(`${EMAIL}/parts`)).toEqual(response.json());
});

test.each([
  ['GET', '/raw', '/raw'],
  ['GET', '/html', '/html'],
  ['POST', '/html', '/html'],
  ['GET', '/parts/{path}', '/parts/1'],
] as const)('the documented example of %s …%s equals the response for its message', async (method, below, url) => {
  const { rawBody, receivedAt, from } = examples(EMAIL) as EmailExample;
  const inbox = await deliver(`text-${method}${below.replace(/\W/g, '-')}`.toLowerCase(), rawBody, from);
  const response = await api.app.inject({
    method,
    url: `${inbox}/${receivedAt}${url}`,
    ...(method === 'POST' && { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: '' }),
  });
  expect(response.statusCode).toBe(200);
  expect(examples(EMAIL + below, method.toLowerCase())).toBe(response.payload);
});

test('each documented response with a body has an example that fits its schema and has no other fields', () => {
  const { schemas } = document.components;
  const closed = Object.entries(schemas).map(([name, schema]) => [name, { ...schema, additionalProperties: false }]);
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { 'date-time': true, email: true } });
  ajv.addSchema({ $id: 'document', components: { schemas: Object.fromEntries(closed) } });
  const bodies = Object.entries(schemas).flatMap(([name, { examples = [] }]) =>
    examples.map((example) => ({ name, example, $ref: `#/components/schemas/${name}` })),
  );
  const answers = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) < 400)
        .flatMap(([, { content = {} }]) => Object.values(content))
        .map(({ example, schema: { $ref } }) => ({ name: `${method} ${path}`, example, $ref })),
    ),
  );
  expect(answers.length).toBeGreaterThan(20);
  for (const { name, example, $ref } of [...bodies, ...answers]) {
    expect(example, name).toBeDefined();
    if ($ref === undefined) continue;
    ajv.validate({ $ref: `document${$ref}` }, example);
    expect(ajv.errors, name).toBeNull();
  }
});
