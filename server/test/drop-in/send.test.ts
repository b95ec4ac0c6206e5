import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, freshAddress, PATIENCE_MS, type RunningCatcher, startCatcher } from './catcher.js';

let mailpit: RunningCatcher;

beforeAll(async () => {
  mailpit = await startCatcher('mailpit', {
    dropInLimit: 'off',
    domain: ['app.test', 'other.test'],
    maxMessage: '64KiB',
    maxRecipients: 5,
    maxEmails: 2,
  });
}, PATIENCE_MS);

afterAll(() => mailpit.stop());

const post = (body: unknown) =>
  mailpit.ask('/api/v1/send', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

test('a mail is composed and delivered as if it had come by SMTP', async () => {
  const [to, cc, bcc] = [freshAddress(), freshAddress('other.test'), freshAddress()];
  const answer = await post({
    From: { Email: 'app@else.test', Name: 'Äpp, Inc.' },
    To: [{ Email: to, Name: 'Jane' }],
    Cc: [{ Email: cc }],
    Bcc: [bcc, bcc],
    ReplyTo: [{ Email: 'help@else.test' }],
    Subject: 'Wélcome',
    Text: 'Your code is 482913',
    HTML: '<p>Your code is <b>482913</b><img src="cid:logo"></p>',
    Headers: { 'X-Run': '42' },
    Tags: ['one', 'two'],
    Attachments: [
      { Content: Buffer.from('hello').toString('base64'), Filename: 'héllo.txt', ContentType: 'text/plain' },
      {
        Content: `data:image/png;base64,${Buffer.from('png').toString('base64')}`,
        Filename: 'logo.png',
        ContentID: 'logo',
      },
    ],
  });
  expect(answer.status).toBe(200);
  const { ID } = (await answer.json()) as Answer;
  const message = await mailpit.json(`/api/v1/message/${ID}`);
  expect(message).toMatchObject({
    ID,
    From: { Name: 'Äpp, Inc.', Address: 'app@else.test' },
    To: [{ Name: 'Jane', Address: to }],
    Cc: [{ Address: cc }],
    Bcc: [{ Address: bcc }],
    ReplyTo: [{ Address: 'help@else.test' }],
    Subject: 'Wélcome',
    Text: 'Your code is 482913',
    HTML: '<p>Your code is <b>482913</b><img src="cid:logo"></p>',
    Attachments: [{ FileName: 'héllo.txt', ContentType: 'text/plain', Size: 5 }],
    Inline: [{ FileName: 'logo.png', ContentType: 'image/png', ContentID: 'logo', Size: 3 }],
    OTP: '482913',
  });
  expect(await mailpit.json(`/api/v1/message/${ID}/headers`)).toMatchObject({
    'X-Run': ['42'],
    'X-Tags': ['one, two'],
  });
  expect(await (await mailpit.ask(`/api/v1/message/${ID}/raw`)).text()).not.toMatch(/^bcc:/im);
  // It stands for the first of its recipients.
  expect((await mailpit.json('/api/v1/messages')).messages[0].ID).toBe(ID);
  for (const address of [to, cc, bcc]) {
    expect(await mailpit.json(`/api/v1/search?query=to:${address}`)).toMatchObject({ messages: [{ ID }] });
  }
});

test('a text of a client ends no header, and reads no file', async () => {
  const to = freshAddress();
  const answer = await post({
    From: { Email: 'app@app.test', Name: 'x\r\nX-Evil: 1' },
    To: [{ Email: to, Name: 'Jane\r\nBcc: evil@app.test' }],
    Subject: 'Hi\r\nX-Evil: 1\r\n\r\nbody',
    Headers: { 'X-Run': 'a\r\nX-Evil: 1' },
    Tags: ['a\r\nX-Evil: 1'],
    Attachments: [
      { Content: '', Filename: 'x\r\nX-Evil: 1', ContentType: 'text/x\r\nX-Evil: 1', ContentID: 'x>\r\nX-Evil: 1' },
      { Content: '', Filename: '/etc/passwd', path: '/etc/passwd', href: 'http://127.0.0.1:1/' },
    ],
  });
  const { ID } = (await answer.json()) as Answer;
  const headers = await mailpit.json(`/api/v1/message/${ID}/headers`);
  expect(Object.keys(headers)).not.toContain('X-Evil');
  expect(headers['X-Run']).toEqual(['a X-Evil: 1']);
  const message = await mailpit.json(`/api/v1/message/${ID}`);
  expect(message.Bcc).toEqual([]);
  expect(message.Attachments).toContainEqual(expect.objectContaining({ FileName: 'passwd', Size: 0 }));
  // Nor does one begin within a part.
  expect(await (await mailpit.ask(`/api/v1/message/${ID}/raw`)).text()).not.toMatch(/^X-Evil/m);
});

const TO = [{ Email: 'a@app.test' }];
const FROM = { Email: 'app@app.test' };

test.each<[string, unknown, RegExp]>([
  ['no JSON', '{', /not valid JSON/],
  ['nothing', '', /not valid JSON/],
  ['a list', [], /must be an object/],
  ['nobody to send it', { To: TO }, /From must have an Email/],
  ['an address that is none', { From: { Email: 'app' }, To: TO }, /From has an address that is none/],
  [
    'an address with more behind it',
    { From: FROM, To: [{ Email: 'a@app.test>\r\nRCPT TO:<b@c.test' }] },
    /To has an address/,
  ],
  ['nobody to receive it', { From: FROM, To: [] }, /no recipient/],
  ['a list that is none', { From: FROM, To: 'a@app.test' }, /To must be a list/],
  [
    'a recipient of another domain',
    { From: FROM, To: [{ Email: 'a@foreign.test' }] },
    /domain of a@foreign\.test is not accepted/,
  ],
  ['a recipient who can be none', { From: FROM, To: [{ Email: 'a..b@app.test' }] }, /is not the address of an inbox/],
  ['too many recipients', { From: FROM, Bcc: Array(6).fill('a@app.test') }, /more than 5 recipients/],
  ['a header that is its own', { From: FROM, To: TO, Headers: { subject: 'x' } }, /cannot set subject/],
  ['a header that is its own, otherwise written', { From: FROM, To: TO, Headers: { BCC: 'x' } }, /cannot set BCC/],
  ['headers that are a list', { From: FROM, To: TO, Headers: ['x'] }, /Headers must be an object/],
  [
    'too many headers',
    { From: FROM, To: TO, Headers: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`X-${i}`, 'x'])) },
    /Headers must be an object of at most 100 texts/,
  ],
  [
    'too many attachments',
    { From: FROM, To: TO, Attachments: Array(101).fill({ Content: '' }) },
    /Attachments must be a list of at most 100/,
  ],
  ['a tag that is no text', { From: FROM, To: TO, Tags: [1] }, /Tags must be text/],
  ['an address with what no address has', { From: { Email: 'a\0\x01@app.test' }, To: TO }, /From has an address/],
  ...(
    [
      ['a subject', { Subject: 'é'.repeat(70_000) }],
      ['a name', { From: { ...FROM, Name: 'é'.repeat(70_000) } }],
      ['addresses', { ReplyTo: Array(7_000).fill(FROM) }],
      ['a header', { Headers: { 'X-A': 'é'.repeat(70_000) } }],
      ['tags', { Tags: Array(70_000).fill('a') }],
      ['the name of a file', { Attachments: [{ Content: '', Filename: 'é'.repeat(70_000) }] }],
      ['the type of a file', { Attachments: [{ Content: '', ContentType: 'é'.repeat(70_000) }] }],
    ] as const
  ).map(
    ([what, fields]) =>
      [`too large ${what}`, { From: FROM, To: TO, ...fields }, /more than 65536 characters/] as [
        string,
        unknown,
        RegExp,
      ],
  ),
  ['a header without a name', { From: FROM, To: TO, Headers: { 'a b': 'x' } }, /a name that is none/],
  ['a header that is no text', { From: FROM, To: TO, Headers: { 'X-A': 1 } }, /Headers must be text/],
  ['a subject that is no text', { From: FROM, To: TO, Subject: 1 }, /Subject must be text/],
  ['an attachment that is no base64', { From: FROM, To: TO, Attachments: [{ Content: '%%%' }] }, /not base64/],
  ['too large a text', { From: FROM, To: TO, Text: 'x'.repeat(70_000) }, /larger than the 65536 bytes/],
])('%s is refused with a sentence', async (_, body, reason) => {
  const answer = await post(body);
  expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([400, 'bad-mail']);
  expect(((await answer.json()) as Answer).error).toMatch(reason);
});

test('what is left out, empty or null is not there', async () => {
  const to = freshAddress();
  const nothing = {
    Cc: null,
    Bcc: [],
    ReplyTo: null,
    Subject: null,
    Text: '',
    Headers: null,
    Attachments: null,
    Tags: [],
  };
  const answer = await post({ From: FROM, To: [{ Email: to, Name: null }], ...nothing });
  expect(answer.status).toBe(200);
  const [{ ID }] = (await mailpit.json(`/api/v1/search?query=to:${to}`)).messages;
  expect(await answer.json()).toEqual({ ID });
  expect(await mailpit.json(`/api/v1/message/${ID}`)).toMatchObject({
    To: [{ Name: '', Address: to }],
    ...{ Cc: [], Bcc: [], ReplyTo: [], Subject: '', Text: '', HTML: '', Attachments: [] },
  });
});

test('a full inbox refuses a mail for all of its recipients', async () => {
  const [full, other] = [freshAddress(), freshAddress()];
  const send = (addresses: string[]) => post({ From: FROM, To: addresses.map((Email) => ({ Email })), Text: 'x' });
  for (let i = 0; i < 2; i++) expect((await send([full])).status).toBe(200);
  const refused = await send([other, full]);
  expect(((await refused.json()) as Answer).error).toMatch(/an inbox is full/);
  expect(await mailpit.json(`/api/v1/search?query=to:${other}`)).toMatchObject({ messages_count: 0 });
});

test('too large a request is refused before it is read, and many at once have their turns', async () => {
  const large = await post({ From: FROM, To: TO, Text: 'x'.repeat(3 * 1024 * 1024) });
  expect(large.status).toBe(413);
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => post({ From: FROM, To: [{ Email: freshAddress() }], Text: 'x'.repeat(50_000) })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
});

test('who sends his requests slowly keeps nobody else waiting', async () => {
  const { hostname, port } = new URL(mailpit.url);
  const slow = Array.from({ length: 20 }, () =>
    connect({ port: Number(port), host: hostname, localAddress: '127.0.0.7' }),
  );
  try {
    const begun = slow.map(async (socket) => {
      socket.on('error', () => {});
      const head = ['POST /api/v1/send HTTP/1.1', 'host: localhost', 'expect: 100-continue', 'content-length: 1000'];
      socket.write(`${head.join('\r\n')}\r\n\r\n{`);
      // It has come to the service.
      expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 100 /);
    });
    await Promise.all(begun);
    const answer = await post({ From: FROM, To: [{ Email: freshAddress() }], Text: 'Hello' });
    expect(answer.status).toBe(200);
    // None of them was given up by then.
    expect(slow.map(({ readyState }) => readyState)).toEqual(Array(20).fill('open'));
  } finally {
    for (const socket of slow) socket.destroy();
  }
});

test('what is sent counts among the mails of its client that come by SMTP', async () => {
  const limited = await startCatcher('mailpit', { smtpLimit: '3/1h', dropInLimit: 'off' });
  try {
    const send = (mail: object) => limited.ask('/api/v1/send', { method: 'POST', body: JSON.stringify(mail) });
    const to = freshAddress();
    await limited.send({ to });
    // One that is none does not count: SMTP would not have taken its MAIL.
    expect((await send({ To: [{ Email: to }] })).status).toBe(400);
    for (let i = 0; i < 2; i++) expect((await send({ From: FROM, To: [{ Email: to }] })).status).toBe(200);
    const refused = await send({ From: FROM, To: [{ Email: to }] });
    expect([refused.status, refused.headers.get('mayfly-error')]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    await expect(limited.send({ to })).rejects.toThrow(/451 4\.7\.1/);
    expect(await limited.json('/api/v1/messages')).toMatchObject({ total: 3 });
  } finally {
    await limited.stop();
  }
});
