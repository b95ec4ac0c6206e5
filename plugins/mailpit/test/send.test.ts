import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  basic,
  freshAddress,
  PATIENCE_MS,
  type RunningTool,
  startTool,
  toolOfFile,
  WITH_KEY,
  WORKSPACE,
} from '../../shared/test/compat-api.js';

const mailpit = await toolOfFile('mailpit', {
  compatApiLimit: 'off',
  domain: ['app.test', 'other.test'],
  maxMessage: '64KiB',
  maxRecipients: 5,
  maxEmails: 2,
});

const post = (body: unknown) =>
  mailpit.ask('/api/v1/send', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

test('POST /api/v1/send composes a message, and delivers it like a message that arrives over SMTP', async () => {
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
  // The ID is that of the first recipient's email.
  expect((await mailpit.json('/api/v1/messages')).messages[0].ID).toBe(ID);
  for (const address of [to, cc, bcc]) {
    expect(await mailpit.json(`/api/v1/search?query=to:${address}`)).toMatchObject({ messages: [{ ID }] });
  }
});

test('a message sent by POST /api/v1/send shows the user name of its Basic authentication, as in Mailpit', async () => {
  const keyed = await startTool('mailpit', { compatApiLimit: 'off', ...WITH_KEY });
  try {
    const headers = basic(WORKSPACE.key, 'suite-7');
    const body = JSON.stringify({ From: FROM, To: [{ Email: freshAddress() }] });
    const sent = await keyed.ask('/api/v1/send', { method: 'POST', headers, body });
    const { ID } = (await sent.json()) as Answer;
    await keyed.send({ to: freshAddress() });
    const { messages } = await keyed.json('/api/v1/messages');
    expect(messages.map(({ Username }: Answer) => Username)).toEqual(['', 'suite-7']);
    expect(await keyed.json(`/api/v1/message/${ID}`)).toMatchObject({ Username: 'suite-7' });
  } finally {
    await keyed.stop();
  }
});

test('POST /api/v1/send creates no header from a line break in a field, and reads no file from disk', async () => {
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
  // A text cannot add a header within a part either.
  expect(await (await mailpit.ask(`/api/v1/message/${ID}/raw`)).text()).not.toMatch(/^X-Evil/m);
});

test('POST /api/v1/send accepts field names in lower case, as Mailpit does', async () => {
  const to = freshAddress();
  const answer = await post({
    from: { email: 'app@app.test', NAME: 'App' },
    TO: [{ email: to, name: 'Jane' }],
    replyTo: [{ eMail: 'help@app.test' }],
    subject: 'Small',
    text: 'Your code is 482913',
    attachments: [{ content: 'aGVsbG8=', filename: 'a.txt', contentType: 'image/x-own', contentID: 'a' }],
  });
  expect(answer.status).toBe(200);
  const { ID } = (await answer.json()) as Answer;
  expect(await mailpit.json(`/api/v1/message/${ID}`)).toMatchObject({
    From: { Name: 'App', Address: 'app@app.test' },
    To: [{ Name: 'Jane', Address: to }],
    ReplyTo: [{ Address: 'help@app.test' }],
    Subject: 'Small',
    Text: 'Your code is 482913',
    Attachments: [{ FileName: 'a.txt', ContentType: 'image/x-own', ContentID: 'a', Size: 5 }],
  });
});

const TO = [{ Email: 'a@app.test' }];
const FROM = { Email: 'app@app.test' };

test.each<[string, unknown, RegExp]>([
  ['invalid JSON', '{', /not valid JSON/],
  ['a missing sender', { To: TO }, /From must have an Email/],
  ['an invalid address', { From: { Email: 'app' }, To: TO }, /From contains an invalid address/],
  [
    'an address with text after it',
    { From: FROM, To: [{ Email: 'a@app.test>\r\nRCPT TO:<b@c.test' }] },
    /To contains an invalid address/,
  ],
  ['a missing recipient', { From: FROM, To: [] }, /no recipient/],
  ['an invalid list', { From: FROM, To: 'a@app.test' }, /To must be a list/],
  [
    'a recipient of another domain',
    { From: FROM, To: [{ Email: 'a@foreign.test' }] },
    /domain of a@foreign\.test is not accepted/,
  ],
  ['an impossible recipient', { From: FROM, To: [{ Email: 'a..b@app.test' }] }, /is not the address of an inbox/],
  [
    'a mistyped fault in a name',
    { From: FROM, To: [{ Email: 'jo--451-x2@app.test' }] },
    /jo--451-x2@app\.test: 553 5\.1\.3 The text after -- in this inbox name is not a fault/,
  ],
  ['too many recipients', { From: FROM, Bcc: Array(6).fill('a@app.test') }, /more than 5 recipients/],
  ['a header with its own field', { From: FROM, To: TO, Headers: { subject: 'x' } }, /cannot set subject/],
  ['a list of headers', { From: FROM, To: TO, Headers: ['x'] }, /Headers must be an object/],
  [
    'too many headers',
    { From: FROM, To: TO, Headers: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`X-${i}`, 'x'])) },
    /Headers must be an object with at most 100 strings/,
  ],
  [
    'too many attachments',
    { From: FROM, To: TO, Attachments: Array(101).fill({ Content: '' }) },
    /Attachments must be a list of at most 100/,
  ],
  [
    'an address with control characters',
    { From: { Email: 'a\0\x01@app.test' }, To: TO },
    /From contains an invalid address/,
  ],
  ...(
    [
      ['a subject', { Subject: 'é'.repeat(70_000) }],
      ['addresses', { ReplyTo: Array(7_000).fill(FROM) }],
      ['a header', { Headers: { 'X-A': 'é'.repeat(70_000) } }],
      ['a file name instead of content', { Attachments: [{ Content: '', Filename: 'é'.repeat(70_000) }] }],
    ] as const
  ).map(
    ([what, fields]) =>
      [`too large ${what}`, { From: FROM, To: TO, ...fields }, /more than 65536 characters/] as [
        string,
        unknown,
        RegExp,
      ],
  ),
  ['a header with an invalid name', { From: FROM, To: TO, Headers: { 'a b': 'x' } }, /an invalid field name/],
  ['a subject that is not text', { From: FROM, To: TO, Subject: 1 }, /Subject must be a string/],
  ['an attachment that is not base64', { From: FROM, To: TO, Attachments: [{ Content: '%%%' }] }, /not base64/],
])('POST /api/v1/send rejects %s, and the error says why', async (_, body, reason) => {
  const answer = await post(body);
  expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([400, 'bad-mail']);
  const told = (await answer.json()) as Answer;
  expect(told.error).toMatch(reason);
  // `Error` is Mailpit's name for the field.
  expect(told.Error).toBe(told.error);
});

test.each([
  ['a message', { From: FROM, To: TO, Text: 'x'.repeat(70_000) }, 'mail-too-large', /65536 bytes/],
  ['a request', { From: FROM, To: TO, Text: 'x'.repeat(3 * 1024 * 1024) }, 'body-too-large', /too large/],
])('POST /api/v1/send rejects %s beyond the maximum size with 413, as in Mailpit', async (_, body, code, reason) => {
  const answer = await post(body);
  expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([413, code]);
  const told = (await answer.json()) as Answer;
  expect(told.error).toMatch(reason);
  expect(told.Error).toBe(told.error);
});

test('POST /api/v1/send rejects a message for all of its recipients if one inbox is full', async () => {
  const [full, other] = [freshAddress(), freshAddress()];
  const send = (addresses: string[]) => post({ From: FROM, To: addresses.map((Email) => ({ Email })), Text: 'x' });
  for (let i = 0; i < 2; i++) expect((await send([full])).status).toBe(200);
  const refused = await send([other, full]);
  expect(((await refused.json()) as Answer).error).toMatch(/452 4\.2\.2 The inbox is full/);
  expect(await mailpit.json(`/api/v1/search?query=to:${other}`)).toMatchObject({ messages_count: 0 });
});

describe('a large message to POST /api/v1/send', () => {
  let roomy: RunningTool;

  beforeAll(async () => {
    roomy = await startTool('mailpit', { compatApiLimit: 'off' });
  }, PATIENCE_MS);

  afterAll(() => roomy.stop());

  /** Returns the body of a request with a file of this size. */
  const withFile = (to: string, bytes: number) =>
    JSON.stringify({
      From: FROM,
      To: [{ Email: to }],
      Text: 'with a file',
      Attachments: [{ Content: Buffer.alloc(bytes, 'mayfly').toString('base64'), Filename: 'a.bin' }],
    });

  const sendFile = (to: string, bytes: number) =>
    roomy.ask('/api/v1/send', { method: 'POST', body: withFile(to, bytes) });

  test('is accepted up to the maximum size, as over SMTP', async () => {
    const to = freshAddress();
    const bytes = 7_400_000;
    expect((await sendFile(to, bytes)).status).toBe(200);
    const [{ ID, Size }] = (await roomy.json(`/api/v1/search?query=to:${to}`)).messages;
    expect(Size).toBeGreaterThan(10_000_000);
    const { Attachments } = await roomy.json(`/api/v1/message/${ID}`);
    expect(Attachments).toMatchObject([{ FileName: 'a.bin', Size: bytes }]);
    const beyond = await sendFile(to, 8_000_000);
    expect([beyond.status, beyond.headers.get('mayfly-error')]).toEqual([413, 'mail-too-large']);
  });

  test('is accepted while slow chunked bodies occupy all slots, even from the client of a slow body', async () => {
    const { hostname, port } = new URL(roomy.url);
    const at = { port: Number(port), host: hostname };
    const slow = ['127.0.0.7', '127.0.0.8'].map((localAddress) =>
      connect({ ...at, localAddress }).on('error', () => {}),
    );
    try {
      for (const socket of slow) {
        const head = ['host: localhost', 'expect: 100-continue', 'transfer-encoding: chunked'];
        socket.write(`POST /api/v1/send HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n1\r\n{\r\n`);
        expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 100 /);
        // A large body, which takes a slot. The rest of it never arrives.
        await new Promise((written) => socket.write(`300000\r\n${' '.repeat(0x300000)}\r\n`, written));
      }
      for (const localAddress of ['127.0.0.1', '127.0.0.7']) {
        const body = withFile(freshAddress(), 3_000_000);
        const options = { ...at, localAddress, path: '/api/v1/send', method: 'POST' };
        const sent = request({ ...options, headers: { 'content-length': Buffer.byteLength(body) } }).end(body);
        const [{ statusCode }] = await once(sent, 'response');
        expect([localAddress, statusCode]).toEqual([localAddress, 200]);
      }
    } finally {
      for (const socket of slow) socket.destroy();
    }
  });

  test('gets 503 if it waits for a slot when the service stops, and 200 if it already has a slot', async () => {
    const stopping = await startTool('mailpit', { compatApiLimit: 'off' });
    const { hostname, port } = new URL(stopping.url);
    /** Sends a body except for its last byte. */
    const begin = async () => {
      const socket = connect({ port: Number(port), host: hostname }).on('error', () => {});
      const body = withFile(freshAddress(), 3_000_000);
      const head = ['host: localhost', 'expect: 100-continue', `content-length: ${body.length}`];
      socket.write(`POST /api/v1/send HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
      expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 100 /);
      socket.write(body.slice(0, -1));
      return { answered: once(socket, 'data').then(String), end: () => socket.write(body.slice(-1)) };
    };
    const first = await begin();
    const second = await begin();
    const stopped = stopping.stop();
    const told = await Promise.race([first, second].map(({ answered }) => answered));
    expect(told).toMatch(/^HTTP\/1\.1 503 [\s\S]*mayfly-error: stopping\r\n[\s\S]*"Error":"The service is stopping/);
    for (const { end } of [first, second]) end();
    expect(await Promise.all([first, second].map(({ answered }) => answered))).toContainEqual(
      expect.stringMatching(/^HTTP\/1\.1 200 /),
    );
    await stopped;
  });
});

test('POST /api/v1/send accepts a message while 36 other requests never send their announced bodies', async () => {
  const { hostname, port } = new URL(mailpit.url);
  const announced = Array.from({ length: 36 }, (_, n) =>
    connect({ port: Number(port), host: hostname, localAddress: `127.0.1.${1 + (n % 4)}` }),
  );
  try {
    const answers = announced.map(async (socket) => {
      const head = ['POST /api/v1/send HTTP/1.1', 'host: localhost', 'expect: 100-continue', 'content-length: 2000000'];
      socket.on('error', () => {}).write(`${head.join('\r\n')}\r\n\r\n{`);
      return String(await once(socket, 'data')).slice(9, 12);
    });
    expect(await Promise.all(answers)).toEqual(Array(36).fill('100'));
    const answer = await post({ From: FROM, To: [{ Email: freshAddress() }], Text: 'Hello' });
    expect(answer.status).toBe(200);
  } finally {
    for (const socket of announced) socket.destroy();
  }
});

test('POST /api/v1/send drops a stalled body at its limit for held bodies, but reads an arriving body', async () => {
  const { hostname, port } = new URL(mailpit.url);
  const crowd = Array.from({ length: 100 }, (_, n) =>
    connect({ port: Number(port), host: hostname, localAddress: `127.0.1.${1 + n}` }).on('error', () => {}),
  );
  try {
    // The crowd's bodies together are just short of the limit for all held bodies.
    for (const socket of crowd) {
      socket.write('POST /api/v1/send HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2000000\r\n\r\n');
      await new Promise((written) => socket.write(' '.repeat(1_000_000), written));
    }
    const body = JSON.stringify({ From: FROM, To: [{ Email: 'a@foreign.test' }], Text: ' '.repeat(1_000_000) });
    const sent = () =>
      mailpit.ask('/api/v1/send', { method: 'POST', body }).then(
        ({ headers }) => headers.get('mayfly-error'),
        () => 'cut',
      );
    // Polls, because a body that has just arrived does not yet count as stalled.
    await expect.poll(() => Promise.all(Array.from({ length: 6 }, sent))).toEqual(Array(6).fill('mail-too-large'));
  } finally {
    for (const socket of crowd) socket.destroy();
  }
});

test('POST /api/v1/send and SMTP count together toward the message limit of a client', async () => {
  const limited = await startTool('mailpit', { smtpLimit: '3/1h', compatApiLimit: 'off' });
  try {
    const send = (mail: object) => limited.ask('/api/v1/send', { method: 'POST', body: JSON.stringify(mail) });
    const to = freshAddress();
    await limited.send({ to });
    // An invalid message does not count, because SMTP would have rejected its MAIL command.
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
