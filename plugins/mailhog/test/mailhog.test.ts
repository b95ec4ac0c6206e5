import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, freshAddress, toolOfFile } from '../../shared/test/compat-api.js';

const mailhog = await toolOfFile('mailhog', { compatApiLimit: 'off' });

beforeEach(async () => {
  await mailhog.ask('/api/v1/messages', { method: 'DELETE' });
});

const search = (kind: string, query: string, more = '') =>
  mailhog.json(`/api/v2/search?kind=${kind}&query=${encodeURIComponent(query)}${more}`);

const subjects = ({ items }: Answer): string[] => items.map(({ Content }: Answer) => Content.Headers.Subject[0]);

/** A message with a nested multipart, quoted-printable and folded lines. */
const RAW = [
  'From: "App" <app@app.test>',
  'To: jane@y.test,',
  ' joe@z.test',
  'Subject: =?utf-8?Q?W=C3=A9lcome?=',
  'Message-ID: <raw@app.test>',
  'X-Twice: first',
  'X-Twice: second',
  'Content-Type: multipart/mixed; boundary="outer"',
  '',
  'A preamble',
  '--outer',
  'Content-Type: multipart/alternative; boundary=inner',
  '',
  '--inner',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Your code is =',
  '482913 =E2=82=AC',
  '--inner',
  'Content-Type: text/html',
  '',
  '<b>482913</b>',
  '--inner--',
  '--outer',
  'Content-Type: text/csv',
  'Content-Transfer-Encoding: base64',
  'Content-Disposition: attachment; filename="list.csv"',
  '',
  'YSxi',
  '--outer--',
  '',
].join('\r\n');

/** RAW without its last line end, which MailHog treats as part of SMTP's final dot. */
const SHOWN = RAW.slice(0, -2);

const sendRaw = (to: string[]) => mailhog.send({ envelope: { from: 'bounce@app.test', to }, raw: RAW });

describe("a message in MailHog's API", () => {
  test("has MailHog's fields, and its bodies in the encoding in which they were sent", async () => {
    const recipients = ['jane@y.test', 'joe@z.test', 'hidden@y.test'];
    await sendRaw(recipients);
    const { items, ...counts } = await mailhog.json('/api/v2/messages');
    expect(counts).toEqual({ total: 1, count: 1, start: 0 });
    const path = (address: string) => ({
      Relays: null,
      Mailbox: address.split('@')[0],
      Domain: address.split('@')[1],
      Params: '',
    });
    const [item] = items;
    expect(item).toMatchObject({
      ID: expect.stringMatching(/^[\w-]+$/),
      From: path('bounce@app.test'),
      To: recipients.map(path),
      Created: expect.stringMatching(/^\d{4}-.*Z$/),
      Raw: { From: 'bounce@app.test', To: recipients, Data: SHOWN, Helo: '' },
    });
    expect(item.Content).toEqual({
      Headers: {
        From: ['"App" <app@app.test>'],
        To: ['jane@y.test, joe@z.test'],
        Subject: ['=?utf-8?Q?W=C3=A9lcome?='],
        'Message-ID': ['<raw@app.test>'],
        'X-Twice': ['second'],
        'Content-Type': ['multipart/mixed; boundary="outer"'],
        'Return-Path': ['<bounce@app.test>'],
      },
      Body: SHOWN.slice(SHOWN.indexOf('\r\n\r\n') + 4),
      Size: SHOWN.length,
      MIME: null,
    });
    const [preamble, alternative, attachment, end] = item.MIME.Parts;
    expect([preamble.Body, end.Body]).toEqual(['A preamble', '--']);
    expect(alternative.MIME.Parts.map(({ Body }: Answer) => Body)).toEqual([
      'Your code is =\r\n482913 =E2=82=AC',
      '<b>482913</b>',
      '--',
    ]);
    expect(attachment).toMatchObject({
      Body: 'YSxi',
      Headers: { 'Content-Disposition': ['attachment; filename="list.csv"'] },
    });
  });

  test('includes its size in bytes, and adds the envelope sender to its Return-Path header', async () => {
    const head = 'return-path: <first@app.test>\r\nX-Odd: \xfc\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n';
    const parts = ['', 'X-A: 1\r\n\r\nGr\xfc\xdfe', 'X-B: 2\r\n\r\n\xc3\xbc'].map((part) => `--b\r\n${part}\r\n`);
    const raw = Buffer.from(`${head}${parts.slice(1).join('')}--b--`, 'latin1');
    await mailhog.send({ envelope: { from: 'bounce@app.test', to: 'jane@y.test' }, raw });
    const [{ Content, MIME, Raw }] = (await mailhog.json('/api/v2/messages')).items;
    expect(Content.Size).toBe(raw.length);
    expect(Raw.Data).toBe(raw.toString());
    expect(Content.Headers).toMatchObject({
      'return-path': ['<first@app.test>', '<bounce@app.test>'],
      'X-Odd': ['\ufffd'],
    });
    expect(Content.Headers['Return-Path']).toBeUndefined();
    expect(MIME.Parts.map(({ Size, Body }: Answer) => [Size, Body])).toEqual([
      [15, 'Gr\ufffd\ufffde'],
      [12, '\u00fc'],
      [2, '--'],
    ]);
  });

  test('is returned as text/json by its ID, as an element of the array /api/v1/messages, and as a file', async () => {
    await sendRaw(['jane@y.test']);
    const [item] = (await mailhog.json('/api/v2/messages')).items;
    const alone = await mailhog.ask(`/api/v1/messages/${item.ID}`);
    expect(alone.headers.get('content-type')).toBe('text/json');
    expect(await alone.json()).toEqual(item);
    expect(await mailhog.json('/api/v1/messages')).toEqual([item]);
    const file = await mailhog.ask(`/api/v1/messages/${item.ID}/download`);
    expect(file.headers.get('content-type')).toBe('message/rfc822');
    expect(await file.text()).toBe(RAW);
  });

  const MISSING = ['nothing', Buffer.from('mwi6 nobody').toString('base64url')];

  test.each(MISSING)('with the unknown ID %s is returned as null, as in MailHog', async (id) => {
    const answer = await mailhog.ask(`/api/v1/messages/${id}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/json']);
    expect(await answer.text()).toBe('null');
  });

  test.each([
    ['DELETE', ''],
    ['GET', '/download'],
  ])('that does not exist is a 404 for %s …%s', async (method, path) => {
    for (const id of MISSING) {
      const answer = await mailhog.ask(`/api/v1/messages/${id}${path}`, { method });
      expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([404, 'no-such-message']);
    }
  });

  test('is served even with deeply nested multiparts', async () => {
    const nested = Array.from(
      { length: 50 },
      (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n\r\n`,
    );
    const raw = `Subject: deep\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n${nested.join('')}`;
    await mailhog.send({ envelope: { from: 'a@app.test', to: freshAddress() }, raw });
    const many = `Subject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(1_500)}`;
    await mailhog.send({ envelope: { from: 'a@app.test', to: freshAddress() }, raw: many });
    const [second, first] = (await mailhog.json('/api/v2/messages')).items;
    expect(second.MIME.Parts).toHaveLength(1_000);
    expect(first.MIME.Parts[0].MIME.Parts[0].MIME.Parts[0].MIME.Parts[0].MIME).toBeNull();
  });
});

describe("the list of MailHog's API", () => {
  test('is sorted newest first, and has pages of 50 messages by default', async () => {
    await mailhog.sendMany(60);
    await mailhog.send({ to: freshAddress(), subject: 'the last' });
    const list = await mailhog.json('/api/v2/messages');
    expect(list).toMatchObject({ total: 61, count: 50, start: 0 });
    expect(subjects(list)[0]).toBe('the last');
    expect(await mailhog.json('/api/v2/messages?start=58&limit=10')).toMatchObject({ total: 61, count: 3, start: 58 });
    expect(await mailhog.json('/api/v2/messages?limit=999')).toMatchObject({ count: 61 });
    expect(await mailhog.json('/api/v2/messages?limit=0')).toMatchObject({ count: 50 });
    expect(await mailhog.json('/api/v1/messages')).toHaveLength(61);
    expect(await mailhog.json('/api/v2/messages?start=99')).toEqual({ total: 61, count: 0, start: 99, items: [] });
  });
});

describe("the search of MailHog's API", () => {
  test.each([
    ['to', 'jane@y.test', ['whole']],
    ['to', 'ane@y.test', []],
    ['to', 'hidden', ['whole']],
    ['from', 'The App', ['whole']],
    ['containing', '482913', ['whole']],
    ['containing', '=E2=82=AC', ['whole']],
    ['containing', 'price 10 €', ['whole']],
    ['containing', 'carl@', ['whole']],
    ['containing', 'x-run: 42', ['whole']],
    ['from', 'bounce@', ['plain', 'whole']],
  ])('for %s %s finds %j', async (kind, query, found) => {
    const text = 'Your code is 482913, price 10 €';
    await mailhog.send({
      from: '"The App" <app@app.test>',
      to: 'jane@y.test',
      cc: 'carl@y.test',
      bcc: 'hidden@y.test',
      subject: 'whole',
      text,
      headers: { 'X-Run': '42' },
      envelope: { from: 'bounce@app.test', to: ['jane@y.test', 'carl@y.test', 'hidden@y.test'] },
    });
    const envelope = { from: 'bounce@app.test', to: 'bob@b.test' };
    await mailhog.send({ to: 'bob@b.test', subject: 'plain', text: 'A text of few words', envelope });
    const answer = await search(kind, query);
    expect(subjects(answer)).toEqual(found);
    expect(answer).toMatchObject({ total: found.length, count: found.length, start: 0 });
  });

  test.each(['kind=subject&query=x', 'query=x', 'kind=to&query=', 'kind=to'])('returns 400 for %s', async (query) => {
    const answer = await mailhog.ask(`/api/v2/search?${query}`);
    expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([400, 'bad-query']);
  });
});

test('deleting one message removes it for all recipients, and deleting all messages empties every inbox', async () => {
  await sendRaw(['jane@y.test', 'joe@z.test']);
  await mailhog.send({ to: 'joe@z.test', subject: 'stays' });
  const [, { ID }] = (await mailhog.json('/api/v2/messages')).items;
  const answer = await mailhog.ask(`/api/v1/messages/${ID}`, { method: 'DELETE' });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(subjects(await search('to', 'joe@z.test'))).toEqual(['stays']);
  const all = await mailhog.ask('/api/v1/messages', {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
  });
  expect([all.status, await all.text()]).toEqual([200, '']);
  expect(await mailhog.json('/api/v2/messages')).toMatchObject({ total: 0, items: [] });
});

test.each([
  ['GET', '/api/v2/jim'],
  ['POST', '/api/v1/messages/x/release'],
])('%s %s returns 501 with the error not-served', async (method, path) => {
  const answer = await mailhog.ask(path, { method });
  expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([501, 'not-served']);
});

test('a DELETE of the message path with a slash but no ID deletes nothing', async () => {
  await mailhog.send({ to: freshAddress() });
  expect((await mailhog.ask('/api/v1/messages/', { method: 'DELETE' })).ok).toBe(false);
  expect(await mailhog.json('/api/v2/messages/')).toMatchObject({ total: 1 });
});
