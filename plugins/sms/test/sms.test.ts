import { describe, expect, test } from 'vitest';
import { type Answer, serviceOfFile } from '../../send-apis/test/provider.js';
import { APIS, type Api, freshNumber, post, send, type Text } from './texts.js';

const service = await serviceOfFile();
const exhausted = await serviceOfFile({ smtpLimit: '1/1h' });
await exhausted.post('/messages', {});
const adHoc = await serviceOfFile({ adHocWorkspaces: true });
const forgetful = await serviceOfFile({ retention: '1s' });
const open = await serviceOfFile({ host: '0.0.0.0', smsApis: 'twilio' });

// The first delivery of a service loads its parser, which should not count as the time of a test.
for (const one of [service, adHoc]) await send(one, APIS[0] as Api, { from: 'Acme', to: freshNumber(), text: 'Hi' });

const TEXT = 'Your code is 482913';
const FROM = '+15005550006';

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

/** What each error case sends. */
const REFUSED: Readonly<Record<keyof Api['errors'], (valid: Text) => Text>> = {
  noRecipient: ({ from, text }) => ({ from, text }),
  noSender: ({ to, text }) => ({ to, text }),
  noText: ({ from, to }) => ({ from, to }),
  badRecipient: (valid) => ({ ...valid, to: '12' }),
  long: (valid) => ({ ...valid, text: 'x'.repeat(3_201) }),
  unsubscribed: (valid) => ({ ...valid, to: '+15005550004' }),
  rate: (valid) => valid,
};

describe.each(APIS)('the API of $name', (api) => {
  test('stores a text as an item of its number, with the ID of the response', async () => {
    const to = freshNumber();
    const written = `${to.slice(0, 2)} (${to.slice(2, 5)}) ${to.slice(5, 8)}-${to.slice(8)}`;
    const answer = await send(service, api, { from: FROM, to: written, text: TEXT });
    const id = api.idIn(await answer.text());
    expect(await service.emails(to)).toEqual([
      {
        ...{ id: `<${id}@sms.mayfly>`, from: FROM, to, source: 'sms', subject: '', body: TEXT, otp: '482913' },
        ...{ magicLink: null, receivedAt: expect.any(String), rawBody: expect.stringContaining(TEXT) },
      },
    ]);
  });

  test('accepts any key, and stores none with a text', async () => {
    const to = freshNumber();
    const authorization = basic('AC1:secret-of-a-test');
    const fields = { ...api.fields({ from: FROM, to, text: TEXT }), 'X-Amz-Security-Token': 'secret-of-a-test' };
    await post(service, { ...api, headers: { ...api.headers, authorization } }, fields);
    const parts = await service.parts(to);
    expect(parts.sendApi).toMatchObject({ request: `POST ${api.path}` });
    expect(JSON.stringify([parts, await service.emails(to)])).not.toMatch(/secret-of-a-test|QUMxOnNlY3JldC/);
  });

  test.each(Object.keys(REFUSED) as (keyof Api['errors'])[])('reports this case in its own shape: %s', async (name) => {
    const valid = { from: FROM, to: freshNumber(), text: TEXT };
    const answer = await send(name === 'rate' ? exhausted : service, api, REFUSED[name](valid));
    const body = await answer.text();
    const { status, code } = api.errors[name];
    expect({ status: answer.status, code: status < 300 && code === undefined ? undefined : api.codeIn(body) }).toEqual({
      ...{ status, code },
    });
  });
});

const [twilio, vonage, , sns] = APIS as unknown as readonly [Api, Api, Api, Api];
const [messagebird, plivo] = APIS.slice(-2) as unknown as readonly [Api, Api];

describe('the magic numbers of Twilio', () => {
  test.each([
    ['to', '+15005550001', 21211],
    ['to', '+15005550002', 21612],
    ['to', '+15005550003', 21408],
    ['to', '+15005550004', 21610],
    ['to', '+15005550009', 21614],
    ['from', '+15005550001', 21212],
    ['from', '+15005550007', 21606],
    ['from', '+15005550008', 21611],
  ])('%s %s simulates the error %i', async (field, number, code) => {
    const answer = await send(service, twilio, { from: FROM, to: freshNumber(), text: TEXT, [field]: number });
    expect(await answer.json()).toMatchObject({
      ...{ code, status: answer.status, more_info: `https://www.twilio.com/docs/errors/${code}` },
    });
  });

  test('the delivery log of a number has its simulated failure', async () => {
    await send(service, twilio, { from: FROM, to: '+15005550009', text: TEXT });
    const log = await (await fetch(`${service.url}/api/inbox/+15005550009/attempts`)).json();
    const failure = expect.objectContaining({ way: 'twilio', to: '+15005550009', outcome: 'not-mobile' });
    expect(log).toMatchObject({ attempts: expect.arrayContaining([failure]) });
  });
});

describe('Twilio', () => {
  const messages = `${service.url}${twilio.path}`;
  const create = async (to: string, text = TEXT) => (await send(service, twilio, { from: FROM, to, text })).json();

  test('creates, fetches, lists and deletes a text', async () => {
    const to = freshNumber();
    const { sid, uri, ...created } = (await create(to, 'Grüße: €\nnext')) as Record<string, string>;
    expect(created).toMatchObject({ body: 'Grüße: €\nnext', from: FROM, to, status: 'queued', num_segments: '1' });
    const fetched = await (await fetch(service.url + uri)).json();
    expect(fetched).toMatchObject({ sid, body: 'Grüße: €\nnext', from: FROM, to, status: 'delivered' });
    const listed = await (await fetch(`${messages}?To=${encodeURIComponent(to)}`)).json();
    expect(listed).toMatchObject({ messages: [fetched], next_page_uri: null });
    expect(await (await fetch(messages)).json()).toMatchObject({ messages: expect.arrayContaining([fetched]) });
    expect((await fetch(service.url + uri, { method: 'DELETE' })).status).toBe(204);
    const gone = await fetch(service.url + uri);
    expect([gone.status, await gone.json()]).toEqual([404, expect.objectContaining({ code: 20404, status: 404 })]);
    expect(await service.emails(to)).toEqual([]);
  });

  test('lists in pages, and filters by sender and day', async () => {
    const to = freshNumber();
    for (const text of ['one', 'two', 'three']) await create(to, text);
    const page = async (query: string) => {
      const answer: Answer = await (await fetch(`${messages}?To=${encodeURIComponent(to)}&${query}`)).json();
      return { bodies: answer.messages.map(({ body }: Answer) => body), next: answer.next_page_uri, at: answer.page };
    };
    const first = await page('PageSize=2');
    expect(first.bodies).toEqual(['three', 'two']);
    const second = await (await fetch(service.url + first.next)).json();
    expect(second).toMatchObject({ messages: [{ body: 'one' }], next_page_uri: null, page: 1 });
    expect(await page('Page=Infinity')).toEqual({ bodies: [], next: null, at: 1_000_000 });
    expect((await page('From=Acme')).bodies).toEqual([]);
    expect((await page('DateSent=2020-01-01')).bodies).toEqual([]);
    expect((await page('DateSent%3E=2020-01-01')).bodies).toHaveLength(3);
  });

  test('of a repeated parameter of a list, uses the last value', async () => {
    const to = freshNumber();
    await create(to);
    const query = `To=+1&To=${encodeURIComponent(to)}&From=Acme&From=${encodeURIComponent(FROM)}`;
    const answer = await fetch(`${messages}?${query}`);
    expect(await answer.json()).toMatchObject({ messages: [{ to, from: FROM }] });
  });

  test('answers unknown paths and methods in its own shape', async () => {
    const answers = [await fetch(`${service.url}/2010-04-01/x`), await fetch(messages, { method: 'PUT' })];
    const codes = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { code: number }).code));
    expect(codes).toEqual([20404, 20004]);
  });
});

test('a list without a number needs a key if other machines reach the service', async () => {
  const answer = await fetch(open.url + twilio.path);
  expect([answer.status, (await answer.json()) as object]).toEqual([401, expect.objectContaining({ code: 20003 })]);
  expect((await fetch(`${open.url}${twilio.path}?To=%2B15555550100`)).status).toBe(200);
});

test('one request of MessageBird or Plivo sends to several numbers', async () => {
  const [one, two] = [freshNumber(), freshNumber()];
  await post(service, messagebird, { originator: 'Acme', recipients: `${one},${two}`, body: TEXT });
  const answer = await post(service, plivo, { src: 'Acme', dst: `${one}<${two}`, text: TEXT });
  const { message_uuid } = (await answer.json()) as { message_uuid: string[] };
  expect(new Set(message_uuid).size).toBe(2);
  for (const number of [one, two]) expect(await service.emails(number)).toHaveLength(2);
});

test.each([
  { api: messagebird, fields: { originator: 'Acme', recipients: [], body: TEXT }, status: 422 },
  { api: plivo, fields: { src: 'Acme', dst: [], text: TEXT }, status: 400 },
])('$api.name rejects an empty list of numbers', async ({ api, fields, status }) => {
  const answer = await post(service, api, fields);
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(/recipients|dst/)]);
});

test('SNS reads the text from Message, even if an attribute has that name', async () => {
  const to = freshNumber();
  const attribute = {
    'MessageAttributes.entry.1.Name': 'Message',
    'MessageAttributes.entry.1.Value.StringValue': 'other',
  };
  await post(service, sns, { Action: 'Publish', PhoneNumber: to, Message: TEXT, ...attribute });
  expect(await service.emails(to)).toMatchObject([{ body: TEXT }]);
});

test.each([
  { api: twilio, authorization: basic('AC1:ci:password') },
  { api: sns, authorization: 'AWS4-HMAC-SHA256 Credential=ci:password/20261130/us-east-1/sns/aws4_request' },
  { api: messagebird, authorization: 'AccessKey ci:password' },
  { api: plivo, authorization: basic('MA1:ci:password') },
])('$api.name opens the ad-hoc workspace of its key', async ({ api, authorization }) => {
  const to = freshNumber();
  await send(adHoc, { ...api, headers: { authorization } }, { from: FROM, to, text: TEXT });
  const answer = await fetch(`${adHoc.url}/api/inbox/${to}`, { headers: { authorization: basic('ci:password') } });
  expect(await answer.json()).toMatchObject({ emails: [{ to, body: TEXT }] });
  expect(await adHoc.emails(to)).toEqual([]);
});

test('a long text is billed in several parts', async () => {
  const answer = await send(service, vonage, { from: 'Acme', to: freshNumber(), text: 'x'.repeat(161) });
  expect(await answer.json()).toMatchObject({ 'message-count': '2', messages: [{}, {}] });
});

test('a text streams, filters and is waited for like an email', async () => {
  const to = freshNumber();
  const waiting = service.client.inbox(to).waitForOtp();
  await send(service, twilio, { from: 'Acme', to, text: 'Welcome' });
  await send(service, twilio, { from: 'Acme', to, text: TEXT });
  expect(await waiting).toBe('482913');
  const filtered = await service.client.inbox(to).waitForEmail({ from: 'acme', hasOtp: true });
  expect([filtered.source, filtered.body]).toEqual(['sms', TEXT]);
});

test('a text expires like an email', async () => {
  const to = freshNumber();
  expect((await send(forgetful, twilio, { from: 'Acme', to, text: TEXT })).status).toBe(201);
  await expect.poll(() => forgetful.emails(to)).toEqual([]);
});

test('the summary of a text has its source', async () => {
  const to = freshNumber();
  await send(service, twilio, { from: 'Acme', to, text: TEXT });
  const { emails } = (await (await fetch(`${service.url}/api/inbox/${to}/summary`)).json()) as { emails: object[] };
  expect(emails).toMatchObject([{ source: 'sms', to, from: 'Acme', text: TEXT }]);
});

test('an email to a number has no source, and a text has no domain', async () => {
  const to = freshNumber();
  await service.post('/emails', { from: 'a@b.test', to: `${to}@inbox.example.com`, subject: 'Hi', text: 'Hi' });
  await send(service, twilio, { from: 'Acme', to, text: TEXT });
  const emails = await service.emails(to);
  expect(emails.map(({ to: address, source }) => [address, source])).toEqual([
    [to, 'sms'],
    [`${to}@inbox.example.com`, undefined],
  ]);
});
