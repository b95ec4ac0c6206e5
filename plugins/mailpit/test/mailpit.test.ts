import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, freshAddress, startTool, toolOfFile } from '../../shared/test/compat-api.js';

const mailpit = await toolOfFile('mailpit', { compatApiLimit: 'off' });

beforeEach(async () => {
  await mailpit.ask('/api/v1/messages', { method: 'DELETE' });
});

const search = (query: string, more = '') => mailpit.json(`/api/v1/search?query=${encodeURIComponent(query)}${more}`);

const subjects = ({ messages }: Answer): string[] => messages.map(({ Subject }: Answer) => Subject);

/** An HTML message with an attachment and an inline image, with recipients in To, Cc and Bcc. */
const WHOLE = {
  from: '"App, Inc." <app@app.test>',
  to: '"Jane Doe" <jane@y.test>, joe@z.test',
  cc: 'carl@y.test',
  bcc: 'hidden@y.test',
  replyTo: '"Help" <help@app.test>',
  subject: 'Your wélcome code',
  text: 'Your code is 482913, or https://app.test/verify?token=Zm9v',
  html: '<p>Your code is <b>482913</b> <a href="https://app.test/verify?token=Zm9v">Verify</a><img src="cid:logo@app"></p>',
  attachments: [
    { filename: 'invoice.pdf', content: Buffer.from('%PDF-1.4 invoice'), contentType: 'application/pdf' },
    { filename: 'logo.png', content: Buffer.from('png'), cid: 'logo@app' },
  ],
  headers: {
    'List-Unsubscribe': '<https://app.test/u?x=1>, <mailto:u@app.test>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
  date: new Date('2026-01-31T09:30:00Z'),
  messageId: '<whole@app.test>',
};

/** Fields that are the same in lists and in single messages. */
const SHOWN = {
  MessageID: 'whole@app.test',
  From: { Name: 'App, Inc.', Address: 'app@app.test' },
  To: [
    { Name: 'Jane Doe', Address: 'jane@y.test' },
    { Name: '', Address: 'joe@z.test' },
  ],
  Cc: [{ Name: '', Address: 'carl@y.test' }],
  Bcc: [{ Name: '', Address: 'hidden@y.test' }],
  ReplyTo: [{ Name: 'Help', Address: 'help@app.test' }],
  Subject: 'Your wélcome code',
  Username: '',
  Tags: [],
  OTP: '482913',
  MagicLink: 'https://app.test/verify?token=Zm9v',
};

/** Messages whose fields are missing or malformed. */
const ODD = {
  'without a header': ['', 'Just text', ''],
  'without content': ['', ''],
  'with broken fields': [
    ...['From: app', 'To: , <>, group: a@b.test;, x@y.test', 'Subject: =?utf-8?Q?broken', 'Date: yesterday'],
    ...['Message-ID: none', 'List-Unsubscribe: <nothing>', 'Content-Type: multipart/mixed; boundary=zz', ''],
    ...['before', '--zz', 'Content-Transfer-Encoding: base64', '', '%%%%'],
  ],
  'of a multipart without a boundary': ['Content-Type: multipart/mixed', '', 'text', ''],
  'with parts in parts': [
    ...['Content-Type: multipart/mixed; boundary=a', '', '--a', 'Content-Type: multipart/related; boundary=b', ''],
    ...['--b', 'Content-Type: image/png', 'Content-ID: <unused@app>', '', 'png', '--b--'],
    ...['--a', 'Content-Type: message/rfc822', '', 'Subject: inner', '', 'inner', '--a--', ''],
  ],
};

/** Returns the type of each field. */
const kindsOf = (value: object) =>
  Object.fromEntries(
    Object.entries(value)
      // Skips the fields that may be null.
      .filter(([name]) => name !== 'OTP' && name !== 'MagicLink')
      .map(([name, field]) => [name, Array.isArray(field) ? 'list' : typeof field]),
  );

test.each(Object.entries(ODD))('a message %s has the same types of fields as a complete message', async (_, lines) => {
  await mailpit.send(WHOLE);
  await mailpit.send({ envelope: { from: 'bounce@app.test', to: 'jane@y.test' }, raw: lines.join('\r\n') });
  const [odd, whole] = (await mailpit.json('/api/v1/messages')).messages;
  expect(kindsOf(odd)).toEqual(kindsOf(whole));
  const [oddAlone, wholeAlone] = [
    await mailpit.json(`/api/v1/message/${odd.ID}`),
    await mailpit.json(`/api/v1/message/${whole.ID}`),
  ];
  expect(kindsOf(oddAlone)).toEqual(kindsOf(wholeAlone));
  expect(oddAlone.Attachments).toHaveLength(odd.Attachments);
});

describe("a message list of Mailpit's API", () => {
  test('has each message once, with every field that Mailpit documents, and its code and link', async () => {
    const before = Date.now();
    await mailpit.send(WHOLE);
    const { messages, ...counts } = await mailpit.json('/api/v1/messages');
    expect(counts).toEqual({
      total: 1,
      unread: 1,
      count: 1,
      messages_count: 1,
      messages_unread: 1,
      start: 0,
      tags: [],
    });
    expect(messages).toEqual([
      {
        ID: expect.stringMatching(/^[\w-]+$/),
        ...SHOWN,
        Read: false,
        Created: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
        Size: expect.any(Number),
        Attachments: 1,
        Snippet: WHOLE.text,
      },
    ]);
    expect(Date.parse(messages[0].Created)).toBeGreaterThanOrEqual(before);
    const raw = await (await mailpit.ask(`/api/v1/message/${messages[0].ID}/raw`)).arrayBuffer();
    expect(messages[0].Size).toBe(raw.byteLength);
  });

  test('is sorted newest first, in pages', async () => {
    for (let i = 0; i < 5; i++) await mailpit.send({ to: freshAddress(), subject: `mail ${i}` });
    const page = await mailpit.json('/api/v1/messages?start=1&limit=2');
    expect(subjects(page)).toEqual(['mail 3', 'mail 2']);
    expect(page).toMatchObject({ total: 5, messages_count: 5, count: 2, start: 1 });
    expect(subjects(await mailpit.json('/api/v1/messages?start=-1&limit=x'))).toHaveLength(5);
    expect(subjects(await mailpit.json('/api/v1/messages?start=2&limit=0'))).toHaveLength(5);
    expect(subjects(await search('subject:mail', '&limit=0'))).toEqual([]);
    expect(subjects(await mailpit.json('/api/v1/messages?start=99'))).toEqual([]);
  });
});

describe("a message in Mailpit's API", () => {
  test('has every documented field, is marked as read when fetched, and is also found by the ID "latest"', async () => {
    await mailpit.send(WHOLE);
    const [{ ID, Size }] = (await mailpit.json('/api/v1/messages')).messages;
    const message = await mailpit.json(`/api/v1/message/${ID}`);
    expect(message).toEqual({
      ID,
      ...SHOWN,
      Read: true,
      ReturnPath: 'app@app.test',
      ListUnsubscribe: {
        Header: '<https://app.test/u?x=1>, <mailto:u@app.test>',
        Links: ['https://app.test/u?x=1', 'mailto:u@app.test'],
        Errors: '',
        HeaderPost: 'List-Unsubscribe=One-Click',
      },
      Date: '2026-01-31T09:30:00.000Z',
      Text: WHOLE.text,
      HTML: WHOLE.html,
      Size,
      Inline: [
        {
          PartID: expect.any(String),
          FileName: 'logo.png',
          ContentType: 'image/png',
          ContentID: 'logo@app',
          Size: 3,
          Checksums: sumsOf('png'),
        },
      ],
      Attachments: [
        {
          PartID: expect.any(String),
          FileName: 'invoice.pdf',
          ContentType: 'application/pdf',
          ContentID: '',
          Size: 16,
          Checksums: sumsOf('%PDF-1.4 invoice'),
        },
      ],
    });
    expect(await mailpit.json('/api/v1/message/latest')).toEqual(message);
    const list = await mailpit.json('/api/v1/messages');
    expect(list).toMatchObject({ unread: 0, messages_unread: 0 });
    expect(list.messages[0].Read).toBe(true);
  });

  test('without date, subject and Message-ID has the time of receipt, an empty subject and a generated ID', async () => {
    const to = freshAddress();
    const raw = Buffer.from('X-Nothing: else\r\n\r\nJust text\r\n');
    await mailpit.send({ envelope: { from: 'bounce@app.test', to }, raw });
    const [listed] = (await search(`to:${to}`)).messages;
    const message = await mailpit.json(`/api/v1/message/${listed.ID}`);
    expect(message).toMatchObject({
      From: { Name: '', Address: 'bounce@app.test' },
      To: [],
      Bcc: [{ Name: '', Address: to }],
      ReturnPath: 'bounce@app.test',
      Subject: '',
      Date: listed.Created,
      Text: 'Just text\r\n',
      HTML: '',
      OTP: null,
    });
    expect(message.MessageID).toMatch(/^[^<>]+@app\.test$/);
  });

  test('returns its source, headers, parts and bodies', async () => {
    await mailpit.send(WHOLE);
    const { ID, Inline, Attachments } = await mailpit.json('/api/v1/message/latest');
    const source = await mailpit.ask(`/api/v1/message/${ID}/raw`);
    expect(source.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await source.text()).toMatch(/^[\s\S]*Message-ID: <whole@app\.test>[\s\S]*--\r\n$/);
    const saved = await mailpit.ask('/api/v1/message/latest/raw?dl=1');
    expect(saved.headers.get('content-disposition')).toBe(`attachment; filename="${ID}.eml"`);
    const shown = await mailpit.ask('/api/v1/message/latest/raw?dl=0');
    expect(shown.headers.get('content-disposition')).toBeNull();

    const headers = await mailpit.json(`/api/v1/message/${ID}/headers`);
    expect(headers).toMatchObject({ 'Message-Id': ['<whole@app.test>'], To: ['Jane Doe <jane@y.test>, joe@z.test'] });
    expect(Object.keys(headers)).toEqual([...Object.keys(headers)].sort());

    const part = await mailpit.ask(`/api/v1/message/${ID}/part/${Attachments[0].PartID}`);
    expect(part.headers.get('content-type')).toBe('application/pdf');
    expect(await part.text()).toBe('%PDF-1.4 invoice');

    const html = await mailpit.ask('/view/latest.html');
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/);
    expect(await html.text()).toBe(
      WHOLE.html.replace('cid:logo@app', `/api/v1/message/${ID}/part/${Inline[0].PartID}`),
    );
    const text = await mailpit.ask(`/view/${ID}.txt`);
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await text.text()).toBe(WHOLE.text);
  });

  test.each(['html', 'txt'])('is marked as read by its %s view, but not by a request for its source', async (kind) => {
    await mailpit.send(WHOLE);
    for (const part of ['raw', 'headers', 'part/2']) await mailpit.ask(`/api/v1/message/latest/${part}`);
    expect((await mailpit.json('/api/v1/messages')).unread).toBe(1);
    await mailpit.ask(`/view/latest.${kind}`);
    expect((await mailpit.json('/api/v1/messages')).unread).toBe(0);
  });

  test('shows the text of its HTML part if it has no text part', async () => {
    const html = '<style>p{color:#202123}</style><h1>Hello</h1><p>Your code is <b>482913</b></p>';
    await mailpit.send({ to: freshAddress(), text: undefined, html });
    const { Text, HTML } = await mailpit.json('/api/v1/message/latest');
    expect([Text.split(/\s+/), HTML]).toEqual([['Hello', 'Your', 'code', 'is', '482913'], `${html}\r\n`]);
    expect(await (await mailpit.ask('/view/latest.txt')).text()).toBe(Text);
  });

  test('has unfolded header fields, and at most one HTTP and one mailto link to unsubscribe', async () => {
    const raw = [
      'To: a@b.test, \t ',
      '\t c@d.test',
      'List-Unsubscribe: <https://a.test/1>,<http://a.test/2>,<tel:1>,<mailto:u@a.test>, <mailto:v@a.test>',
      '',
      'x',
    ].join('\r\n');
    await mailpit.send({ envelope: { from: 'a@b.test', to: freshAddress() }, raw });
    expect((await mailpit.json('/api/v1/message/latest/headers')).To).toEqual(['a@b.test, c@d.test']);
    expect((await mailpit.json('/api/v1/message/latest')).ListUnsubscribe).toMatchObject({
      Links: ['https://a.test/1', 'mailto:u@a.test'],
      Errors: 'a link that is neither mailto nor http, several links of one kind',
    });
  });

  test('with the ID "latest" is the newest, or the newest that matches the query of the request', async () => {
    for (const subject of ['one', 'two', 'three']) await mailpit.send({ to: freshAddress(), subject });
    const of = async (query: string) => (await mailpit.json(`/api/v1/message/latest${query}`)).Subject;
    expect([await of(''), await of('?query='), await of('?query=subject:t'), await of('?query=-subject:t')]).toEqual([
      'three',
      'three',
      'three',
      'one',
    ]);
    expect((await mailpit.ask('/view/latest.txt?query=subject:four')).status).toBe(404);
    expect((await mailpit.ask('/api/v1/message/latest/raw?query=larger:x')).status).toBe(400);
  });

  test.each([
    ...['/api/v1/message/latest', '/view/latest.html', '/api/v1/message/4f3d', `/api/v1/message/${'x'.repeat(2_000)}`],
    ...['mwi6 nobody', 'mwi6 No Body', `${(9e15).toString(36)} nobody`, '-1 nobody'].map(
      (place) => `/api/v1/message/${Buffer.from(place).toString('base64url')}/raw`,
    ),
  ])('that does not exist is a 404: %s', async (path) => {
    const answer = await mailpit.ask(path);
    expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([404, 'no-such-message']);
  });

  test('is found by its exact ID only', async () => {
    await mailpit.send({ to: freshAddress() });
    const { ID } = await mailpit.json('/api/v1/message/latest');
    const place = Buffer.from(ID, 'base64url').toString();
    const other = [`${ID}=`, `"${ID}`, `${ID}\r\nx: y`, Buffer.from(`0${place}`).toString('base64url'), `${ID}AAA`];
    expect((await mailpit.ask(`/api/v1/message/${ID}/raw?dl=1`)).status).toBe(200);
    for (const id of other) {
      const answer = await mailpit.ask(`/api/v1/message/${encodeURIComponent(id)}/raw?dl=1`);
      expect([id, answer.status]).toEqual([id, 404]);
    }
  });

  test('to three recipients has the same ID for each recipient, and a deletion removes it for all three', async () => {
    const [one, two, hidden] = [freshAddress(), freshAddress(), freshAddress()];
    await mailpit.send({ to: [one, two], bcc: hidden });
    await mailpit.send({ to: two, subject: 'another' });
    const ids = await Promise.all([one, two, hidden].map(async (to) => (await search(`to:${to}`)).messages.at(-1).ID));
    expect(new Set(ids).size).toBe(1);
    expect((await mailpit.json('/api/v1/messages')).messages.map(({ ID }: Answer) => ID)).toContain(ids[0]);
    await mailpit.ask('/api/v1/messages', { method: 'DELETE', body: JSON.stringify({ IDs: [ids[0]] }) });
    for (const to of [one, hidden]) expect((await search(`to:${to}`)).messages_count).toBe(0);
    expect(subjects(await search(`to:${two}`))).toEqual(['another']);
  });
});

describe("a search in Mailpit's API", () => {
  test('for a whole address finds that recipient and no similar address, in any domain', async () => {
    await mailpit.send({ to: 'a@x.test', subject: 'x' });
    await mailpit.send({ to: 'ba@x.test', subject: 'longer' });
    await mailpit.send({ to: 'a@y.test', subject: 'y' });
    expect(subjects(await search('to:a@x.test'))).toEqual(['x']);
    expect(subjects(await search('to:"A@Y.test"'))).toEqual(['y']);
    expect(await search('to:c@x.test')).toMatchObject({ messages: [], messages_count: 0, total: 3 });
  });

  test.each([
    ['to:jane', ['whole']],
    ['to:"Jane Doe"', ['whole']],
    ['-to:jane@y.test', ['plain']],
    ['to:jane@y.test to:joe@z.test', ['whole']],
    ['!to:jane', ['plain']],
    ['cc:carl', ['whole']],
    ['bcc:hidden', ['whole']],
    ['reply-to:help', ['whole']],
    ['addressed:"hidden@y.test"', ['whole']],
    ['addressed:"Help"', ['whole']],
    ['carl@y', ['whole']],
    ['from:"App, Inc."', ['whole']],
    ['from:APP@APP', ['plain', 'whole']],
    ['subject:"the pl"', ['plain']],
    ['message-id:whole@app.test', ['whole']],
    ['482913', ['whole']],
    ['words that no message has', []],
    ['after:2020-01-01', ['plain', 'whole']],
    ['before:2020-01-01', []],
    ['has:attachment', ['whole']],
    ['is:unread subject:whole', ['whole']],
    ['has:inline', ['whole']],
    ['larger:1k', ['whole']],
    ['smaller:64M larger:1', ['plain', 'whole']],
    ['invoice.pdf', ['whole']],
    ['logo.png', []],
    ['is:tagged', ['plain']],
    ['tag:"two words"', ['plain']],
    ['tag:urg', []],
    ['is:read', []],
    ['to:jane@y.test 482913', ['whole']],
  ])('for %s finds %j', async (query, found) => {
    await mailpit.send({ ...WHOLE, subject: 'whole' });
    const headers = { 'X-Tags': 'Urgent, two  words' };
    await mailpit.send({ to: 'bob+run7@b.test', subject: 'the plain one', text: 'A text of few words', headers });
    const names = { 'the plain one': 'plain' } as Record<string, string>;
    const answer = await search(query);
    expect(subjects(answer).map((subject) => names[subject] ?? subject)).toEqual(found);
    expect(answer).toMatchObject({ messages_count: found.length, count: found.length, total: 2 });
  });

  test('interprets times in the requested zone, and rejects an unknown zone', async () => {
    await mailpit.send({ to: freshAddress() });
    const [{ Created }] = (await mailpit.json('/api/v1/messages')).messages;
    const at = async (term: string, ms: number) => {
      const time = new Date(Date.parse(Created) + ms + 9 * 3_600_000).toISOString().replace('T', ' ').slice(0, 23);
      return (await search(`${term}:"${time}"`, '&tz=Asia/Tokyo')).messages_count;
    };
    expect([await at('after', 0), await at('after', 1), await at('before', 0), await at('before', -1)]).toEqual([
      ...[1, 0, 1, 0],
    ]);
    expect((await mailpit.ask('/api/v1/search?query=x&tz=Mars/Base')).status).toBe(400);
  });

  test.each([
    ['', /give at least one term/],
    ['to:', /give at least one term/],
    ['-larger:lots', /larger:lots.* is not a valid size/],
    ['after:yesterday', /after:yesterday.* is not a valid time/],
    ['x '.repeat(51), /more than 50 terms/],
  ])('for %j returns status 400 with the reason', async (query, reason) => {
    const answer = await mailpit.ask(`/api/v1/search?query=${encodeURIComponent(query)}`);
    expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([400, 'bad-search']);
    expect(((await answer.json()) as Answer).error).toMatch(reason);
  });

  test('waits for mail by recipient or by any other term', async () => {
    const to = freshAddress();
    const waits = [`to:${to}`, 'subject:"comes later"'].map((query) => search(query, '&wait=30s'));
    // Once this later request has been answered, both searches are waiting.
    await mailpit.json('/api/v1/info');
    await mailpit.send({ to: freshAddress(), subject: 'not this one' });
    await mailpit.send({ to, subject: 'This comes later', text: 'Your code is 771245' });
    for (const { messages } of await Promise.all(waits)) expect(messages).toMatchObject([{ OTP: '771245' }]);
  });

  test('with the parameter wait returns existing mail immediately, or no mail after the timeout', async () => {
    expect((await search(`to:${freshAddress()}`, '&wait=100ms')).messages_count).toBe(0);
    const to = freshAddress();
    await mailpit.send({ to });
    const begunAt = performance.now();
    expect((await search(`to:${to}`, '&wait=30s')).messages_count).toBe(1);
    expect(performance.now() - begunAt).toBeLessThan(29_000);
  });

  test.each(['10', '31s', '10m', '-1s', '1.5s'])('rejects the parameter wait=%s', async (wait) => {
    const answer = await mailpit.ask(`/api/v1/search?query=x&wait=${wait}`);
    expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([400, 'bad-query']);
  });
});

describe("a deletion in Mailpit's API", () => {
  const del = (init: RequestInit = {}) => mailpit.ask('/api/v1/messages', { method: 'DELETE', ...init });
  const total = async () => (await mailpit.json('/api/v1/messages')).total;

  beforeEach(async () => {
    for (const subject of ['one', 'two', 'three']) await mailpit.send({ to: freshAddress(), subject });
  });

  const json = { 'content-type': 'application/json' };
  test.each<[string, RequestInit]>([
    ['no body', {}],
    ['a type but no body', { headers: json }],
    ['an empty list', { headers: json, body: '{"IDs":[]}' }],
    ['null', { headers: json, body: 'null' }],
    ['an empty object without a type', { body: '{}' }],
    ['blanks', { headers: json, body: ' \n' }],
    ['an empty form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' }],
  ])('with %s deletes all messages', async (_, init) => {
    const answer = await del(init);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'ok',
    ]);
    expect(await total()).toBe(0);
  });

  test.each<[string, (id: string) => RequestInit]>([
    ['JSON', (id) => ({ headers: json, body: JSON.stringify({ IDs: [id, id, 'nothing'] }) })],
    ['JSON in lower case', (id) => ({ body: JSON.stringify({ ids: [id] }) })],
    [
      'JSON under any type',
      (id) => ({ headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ IDs: [id] }) }),
    ],
    ['a form', (id) => ({ body: new URLSearchParams({ ids: id }) })],
  ])('by %s deletes the selected messages', async (_, init) => {
    const { messages } = await mailpit.json('/api/v1/messages');
    expect((await del(init(messages[1].ID))).status).toBe(200);
    expect(subjects(await mailpit.json('/api/v1/messages'))).toEqual(['three', 'one']);
  });

  test.each<[string, RequestInit]>([
    ['broken JSON', { headers: json, body: '{"IDs":[' }],
    ['a list', { headers: json, body: '["one"]' }],
    ['an empty list', { headers: json, body: '[]' }],
    ['a number instead of a list', { headers: json, body: '{"IDs":1}' }],
    ['a misspelled name', { headers: json, body: '{"ID":["x"]}' }],
    ['a name in two spellings', { headers: json, body: '{"ids":["x"],"IDs":[]}' }],
    ['too many names', { body: `{"IDs":[]${Array.from({ length: 100 }, (_, i) => `,"x${i}":1`).join('')}}` }],
    ['a search, which another path accepts', { headers: json, body: '{"Search":"to:x"}' }],
    ['a form with another field', { body: new URLSearchParams({ name: 'x' }) }],
    ['a repeated name', { headers: json, body: '{"IDs":["a"],"IDs":[]}' }],
    ['a repeated name with an escape', { headers: json, body: '{"IDs":["a:\\"b"],"\\u0049Ds":[]}' }],
    ['null instead of a list', { headers: json, body: '{"IDs":null}' }],
  ])('by %s is rejected, and deletes nothing', async (_, init) => {
    const answer = await del(init);
    expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([400, 'bad-choice']);
    expect(await total()).toBe(3);
  });

  test('with a body but no Content-Length, as sent by Node, returns 400, and deletes nothing', async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(mailpit.url).port) });
    socket.write('DELETE /api/v1/messages HTTP/1.1\r\nhost: localhost\r\n\r\n{"IDs":["x"]}');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nmayfly-error: unframed-body\r\n/);
    expect(await total()).toBe(3);
  });

  test.each(['IDs=abc', 'IDs[]=abc', 'IDs%5B0%5D=abc', 'query=subject:one', 'id=x', 'search=', 'tag=x'])(
    'of all messages is rejected if the URL has the query %s',
    async (query) => {
      expect((await mailpit.ask(`/api/v1/messages?${query}`, { method: 'DELETE' })).status).toBe(400);
      expect(await total()).toBe(3);
    },
  );

  test('by search deletes the messages that match, and is rejected if the search is empty', async () => {
    expect(await (await mailpit.ask('/api/v1/search?query=subject:tw', { method: 'DELETE' })).text()).toBe('ok');
    expect(subjects(await mailpit.json('/api/v1/messages'))).toEqual(['three', 'one']);
    expect((await mailpit.ask('/api/v1/search?query=', { method: 'DELETE' })).status).toBe(400);
    expect(await total()).toBe(2);
  });
});

describe("the read state in Mailpit's API", () => {
  const put = (body: object) => mailpit.ask('/api/v1/messages', { method: 'PUT', body: JSON.stringify(body) });
  const read = async () =>
    (await mailpit.json('/api/v1/messages')).messages
      .filter(({ Read }: Answer) => Read)
      .map(({ Subject }: Answer) => Subject);

  test('can be set by ID, by search, or for all messages', async () => {
    for (const subject of ['one', 'two', 'three']) await mailpit.send({ to: freshAddress(), subject });
    const { messages } = await mailpit.json('/api/v1/messages');
    await put({ IDs: [messages[0].ID], Read: true });
    expect(await read()).toEqual(['three']);
    expect(await search('subject:t')).toMatchObject({ total: 3, unread: 2, messages_count: 2, messages_unread: 1 });
    await put({ Search: 'subject:one', Read: true });
    expect(await read()).toEqual(['three', 'one']);
    expect(await mailpit.json('/api/v1/messages')).toMatchObject({ total: 3, unread: 1 });
    expect(await mailpit.json('/api/v1/info')).toMatchObject({ Messages: 3, Unread: 1 });
    expect(await search('is:unread')).toMatchObject({ messages_count: 1, messages_unread: 1, unread: 1 });
    await put({ Read: true, Search: ' ' });
    expect(await read()).toHaveLength(3);
    await put({});
    expect(await read()).toEqual([]);
    for (const [value, count] of [
      ['TRUE', 3],
      ['no', 0],
    ] as const) {
      const form = new URLSearchParams({ read: value });
      expect((await mailpit.ask('/api/v1/messages', { method: 'PUT', body: form })).status).toBe(200);
      expect(await read()).toHaveLength(count);
    }
  });

  test.each([{ IDs: ['x'], Search: 'y' }, { Read: 'yes' }, { Search: 'larger:x' }])(
    'is not changed by %j, which is rejected',
    async (body) => {
      expect((await put(body)).status).toBe(400);
    },
  );
});

describe("tags in Mailpit's API", () => {
  test('are taken from the X-Tags header, and from the text after a plus in an address', async () => {
    const to = ['jane+run.7@y.test', 'Copy+Blind+eu@y.test', 'plain@y.test'];
    const fields = [
      'From: app+FROM@app.test',
      `To: ${to[0]}`,
      'X-Tags: =?utf-8?q?Alpha?=, beta;gamma ,',
      ' alpha,, <b>',
    ];
    await mailpit.send({ envelope: { from: 'app@app.test', to }, raw: `${fields.join('\r\n')}\r\n\r\nHello\r\n` });
    const tags = ['Alpha', 'b', 'beta gamma', 'Blind', 'eu', 'FROM', 'run.7'];
    const list = await mailpit.json('/api/v1/messages');
    expect([list.tags, list.messages[0].Tags]).toEqual([tags, tags]);
    expect((await mailpit.json('/api/v1/message/latest')).Tags).toEqual(tags);
    expect((await search('tag:BLIND')).messages_count).toBe(1);
  });

  test('are listed with the number of messages that have the tag', async () => {
    for (const to of ['a+one@y.test', 'b+One+two@y.test', 'c@y.test']) await mailpit.send({ to });
    // The name is spelled as in the newest message with the tag.
    expect(await mailpit.json('/api/v1/tags')).toEqual(['One', 'two']);
    expect((await mailpit.json('/api/v1/info')).Tags).toEqual({ One: 2, two: 1 });
    expect((await search('to:a+one@y.test')).tags).toEqual(['one']);
    expect((await search('to:c@y.test')).tags).toEqual([]);
  });
});

describe("an address in Mailpit's API", () => {
  test('keeps its letter case in every field, and is found in upper or lower case', async () => {
    const to = ['Jane.Doe@y.test', 'Hidden@y.test', 'hidden@y.test', 'hiDden@y.test'];
    const raw = 'From: App@App.test\r\nTo: JANE.DOE@Y.test\r\nCc: Carl@Else.test\r\n\r\nHello\r\n';
    await mailpit.send({ envelope: { from: 'App@app.test', to }, raw });
    const shown = ({ From, To, Cc, Bcc }: Answer) => [From, ...To, ...Cc, ...Bcc].map(({ Address }: Answer) => Address);
    const addresses = ['App@App.test', 'JANE.DOE@Y.test', 'Carl@Else.test', 'Hidden@y.test'];
    expect(shown((await mailpit.json('/api/v1/messages')).messages[0])).toEqual(addresses);
    expect(shown(await mailpit.json('/api/v1/message/latest'))).toEqual(addresses);
    for (const query of ['to:jane.doe@y.test', 'to:HIDDEN@Y.test', 'bcc:hidden', 'bcc:HIDDEN@y']) {
      expect([query, (await search(query)).messages_count]).toEqual([query, 1]);
    }
    // Unlike Mailpit's API, Mayfly's own API shows the recipient in lower case.
    const { emails } = await mailpit.json('/api/inbox/hidden@y.test');
    expect(emails.map(({ to }: Answer) => to)).toEqual(Array(3).fill('hidden@y.test'));
  });
});

describe("other routes of Mailpit's API", () => {
  test('return the number of messages, and the version of Mailpit with which the API is compatible', async () => {
    await mailpit.send({ to: freshAddress() });
    expect(await mailpit.json('/api/v1/info')).toMatchObject({
      Version: expect.stringMatching(/^v1\./),
      Messages: 1,
      Unread: 1,
    });
    expect((await mailpit.ask('/readyz')).status).toBe(200);
  });

  test("report to Mailpit's page that no optional feature is enabled", async () => {
    const MessageRelay = { Enabled: false, SMTPServer: '' };
    expect(await mailpit.json('/api/v1/webui')).toMatchObject({
      MessageRelay,
      SpamAssassin: false,
      ChaosEnabled: false,
    });
  });

  test('accept a path that ends with a slash or begins with two slashes', async () => {
    const to = freshAddress();
    const body = JSON.stringify({ From: { Email: 'app@app.test' }, To: [{ Email: to }] });
    for (const path of ['/api/v1/send', '/api/v1/send/', '//api/v1/send']) {
      expect((await mailpit.ask(path, { method: 'POST', body })).status).toBe(200);
    }
    for (const path of ['/api/v1/search', '/api/v1/search/', '//api/v1/search', '//api/v1/search/']) {
      expect(await mailpit.json(`${path}?query=to:${to}`)).toMatchObject({ messages_count: 3 });
    }
    const { messages } = await mailpit.json(`/api/v1/search?query=to:${to}`);
    expect(await mailpit.json(`/api/v1/message/${messages[0].ID}/`)).toMatchObject({ ID: messages[0].ID });
    const sent = await mailpit.ask('//api/v1/info?x=1', { redirect: 'manual' });
    expect([sent.status, sent.headers.get('location')]).toEqual([307, '/api/v1/info?x=1']);
    // A deletion with an empty ID must not delete everything.
    expect((await mailpit.ask('/api/v1/messages/', { method: 'DELETE' })).status).toBe(405);
    expect((await mailpit.ask('//api/v1/messages', { method: 'DELETE' })).status).toBe(200);
    expect(await mailpit.json('/api/v1/messages')).toMatchObject({ total: 0 });
  });

  test.each([
    ['GET', '/api/v1/chaos'],
    ['PUT', '/api/v1/tags'],
    ['POST', '/api/v1/message/latest/release'],
  ])('respond that %s %s is not served', async (method, path) => {
    const answer = await mailpit.ask(path, { method });
    expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([501, 'not-served']);
    expect(((await answer.json()) as Answer).error).toContain('Mailpit');
  });

  test("redirect the URLs of Mailpit's page to the message in our web UI", async () => {
    const lead = async (path: string, from = mailpit) => {
      const { status, headers } = await from.ask(path, { redirect: 'manual' });
      return [status, headers.get('location')];
    };
    expect(await lead('/search?q=anything')).toEqual([302, '/']);
    await mailpit.send({ to: ['First.One+x@app.test', 'other@app.test'], subject: 'led to' });
    await mailpit.send({ to: 'later@app.test', subject: 'later' });
    const { messages } = await search('subject:"led to"');
    const [{ ID, Created }] = messages;
    const page = `/inbox/first.one%2Bx%40app.test#${Created}`;
    for (const path of [`/view/${ID}`, '/view/latest?query=subject:"led to"', '/search?q=subject:"led to"']) {
      expect([path, ...(await lead(path))]).toEqual([path, 302, page]);
    }
    expect(await lead('/view/latest')).toEqual([302, expect.stringMatching(/^\/inbox\/later%40app\.test#20/)]);
    expect(await lead('/search')).toEqual([302, '/']);
    expect((await lead('/search?q=larger:x'))[0]).toBe(400);
    for (const path of ['/view/nonsense', '/view/latest?query=subject:none']) expect((await lead(path))[0]).toBe(404);
    // The requests above mark no message as read. The redirect's target exists.
    expect((await search('is:unread')).messages_count).toBe(2);
    const shown = await mailpit.ask(`/view/${ID}`);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const bare = await startTool('mailpit', { page: false });
    await bare.send({ to: 'a@app.test' });
    for (const path of ['/view/latest', '/search']) expect((await lead(path, bare))[0]).toBe(501);
    await bare.stop();
  });
});

function sumsOf(content: string) {
  const sum = (kind: string) => createHash(kind).update(content).digest('hex');
  return { MD5: sum('md5'), SHA1: sum('sha1'), SHA256: sum('sha256') };
}
