import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, freshAddress, PATIENCE_MS, type RunningCatcher, startCatcher } from './catcher.js';
import { differences, MAILHOG, MAILPIT } from './schemas.js';

const crlf = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n'));

const image = { filename: 'logo.png', content: Buffer.from('png'), cid: 'logo@app' };

/** A message in the envelope to one recipient of each kind. */
const raw = (source: Buffer): SendMailOptions => ({
  raw: source,
  envelope: { from: 'bounce@app.test', to: ['jane@y.test', 'joe@z.test', 'hidden@y.test'] },
});

/** Mails of all kinds that come. */
const MAILS: Readonly<Record<string, SendMailOptions>> = {
  plain: { to: 'jane@y.test', text: 'Your code is 482913' },
  'with everything': {
    from: '"Äpp, Inc." <app@app.test>',
    to: '"Jane Doe" <jane@y.test>, joe@z.test',
    cc: ['"Carl, C." <carl@y.test>', 'cora@z.test'],
    bcc: ['hidden@y.test', 'also@z.test'],
    replyTo: '"Help" <help@app.test>, more@app.test',
    subject: 'Your wélcome code 😀',
    text: 'Für dich: https://app.test/verify?token=Zm9v and 482913',
    html: '<p>Für dich <b>482913</b><img src="cid:logo@app"></p>',
    attachments: [
      image,
      { filename: 'rächnung.pdf', content: Buffer.from('%PDF-1.4'), contentType: 'application/pdf' },
      { content: Buffer.from('no name'), contentType: 'application/octet-stream', filename: false },
    ],
    headers: {
      'List-Unsubscribe': '<https://app.test/u>, <mailto:u@app.test>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'X-Many': ['one', 'two'],
    },
  },
  'of HTML alone': { to: 'jane@y.test', html: '<h1>Hello</h1><p>Your code is <b>482913</b></p>', text: undefined },
  'without a subject': { to: 'jane@y.test', subject: undefined, text: 'x' },
  'without a text': { to: 'jane@y.test', text: undefined },
  'of an attachment alone': {
    to: 'jane@y.test',
    text: undefined,
    attachments: [{ filename: 'a.csv', content: 'a,b' }],
  },
  'with the null sender': { envelope: { from: '', to: 'jane@y.test' }, to: 'jane@y.test', text: 'Undeliverable' },
  'of no header': raw(crlf('', 'Just text', '')),
  'of nothing': raw(crlf('', '')),
  'of a header that nobody needs': raw(crlf('X-Nothing: else', 'no colon', '', 'Just text', '')),
  'in another charset': raw(
    Buffer.from(
      'From: Jörg <j@x.test>\r\nSubject: Grüße\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nSchöne Grüße\r\n',
      'latin1',
    ),
  ),
  'of broken fields': raw(
    crlf(
      'From: app',
      'To: , <>, group: a@b.test;, x@y.test',
      'Subject: =?utf-8?Q?broken',
      'Date: yesterday',
      'Message-ID: none',
      'List-Unsubscribe: <nothing>, <https://a.test/1> <https://a.test/2>',
      'Content-Type: multipart/mixed; boundary=zz',
      '',
      'before',
      '--zz',
      'Content-Transfer-Encoding: base64',
      '',
      '%%%%',
    ),
  ),
  'of a multipart without a boundary': raw(crlf('Content-Type: multipart/mixed', '', 'text', '')),
  'of a multipart of nothing': raw(crlf('Content-Type: multipart/mixed; boundary=b', '', '')),
  'of folded and repeated fields': raw(
    crlf(
      'Received: by a',
      'Received: by b,',
      '\t c',
      'Return-Path: <first@x.test>',
      'Subject: one',
      ' two',
      '',
      'x',
      '',
    ),
  ),
  'of parts in parts': raw(
    crlf(
      'Subject: nested',
      'Content-Type: multipart/mixed; boundary=a',
      '',
      '--a',
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b',
      'Content-Type: multipart/alternative; boundary=c',
      '',
      '--c',
      '',
      'text',
      '--c--',
      '--b',
      'Content-Type: image/png',
      'Content-ID: <unused@app>',
      '',
      'png',
      '--b--',
      '--a',
      'Content-Type: message/rfc822',
      '',
      'Subject: inner',
      '',
      'inner',
      '--a--',
      '',
    ),
  ),
};

const NAMES = Object.keys(MAILS);

describe('Mailpit', () => {
  let mailpit: RunningCatcher;
  beforeAll(async () => {
    mailpit = await startCatcher('mailpit', { dropInLimit: 'off' });
  }, PATIENCE_MS);
  afterAll(() => mailpit.stop());

  test.each(NAMES)(
    'a mail %s is listed, searched for and shown in all documented fields and no others',
    async (name) => {
      await mailpit.ask('/api/v1/messages', { method: 'DELETE' });
      await mailpit.send(MAILS[name] as SendMailOptions);
      for (const path of [
        '/api/v1/messages',
        '/api/v1/search?query=to:jane@y.test',
        '/api/v1/search?query=is:unread',
      ]) {
        const list = await mailpit.json(path);
        expect(differences(list, MAILPIT.MessagesSummary)).toEqual([]);
        expect(list.messages).toHaveLength(1);
      }
      const message = await mailpit.json('/api/v1/message/latest');
      expect(differences(message, MAILPIT.Message)).toEqual([]);
      expect(differences(await mailpit.json('/api/v1/message/latest/headers'), MAILPIT.MessageHeaders)).toEqual([]);
      const [listed] = (await mailpit.json('/api/v1/messages')).messages;
      const both = ['ID', 'MessageID', 'Subject', 'From', 'To', 'Cc', 'Bcc', 'ReplyTo', 'Size', 'OTP', 'MagicLink'];
      for (const field of both) expect([field, message[field]]).toEqual([field, listed[field]]);
      expect(message.Attachments).toHaveLength(listed.Attachments);
    },
  );

  test.each(NAMES)('what is in a mail %s has the types and the checksums that are documented', async (name) => {
    await mailpit.ask('/api/v1/messages', { method: 'DELETE' });
    await mailpit.send(MAILS[name] as SendMailOptions);
    const { ID, HTML, Text, Inline, Attachments } = await mailpit.json('/api/v1/message/latest');
    for (const { PartID, ContentType, Size, Checksums } of [...Inline, ...Attachments]) {
      const part = await mailpit.ask(`/api/v1/message/${ID}/part/${PartID}`);
      expect(part.headers.get('content-type')).toContain(ContentType);
      const bytes = Buffer.from(await part.arrayBuffer());
      const sum = (kind: string) => createHash(kind).update(bytes).digest('hex');
      expect([Size, Checksums]).toEqual([bytes.length, { MD5: sum('md5'), SHA1: sum('sha1'), SHA256: sum('sha256') }]);
    }
    const source = await mailpit.ask(`/api/v1/message/${ID}/raw`);
    expect(source.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await mailpit.ask(`/view/${ID}.txt`);
    expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/plain; charset=utf-8', Text]);
    const html = await mailpit.ask(`/view/${ID}.html`);
    expect(html.status).toBe(HTML === '' ? 404 : 200);
    if (HTML !== '') expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('what changes something answers with ok, what describes the server with its fields', async () => {
    expect(differences(await mailpit.json('/api/v1/info'), MAILPIT.AppInformation)).toEqual([]);
    expect(differences(await mailpit.json('/api/v1/tags'), MAILPIT.Array)).toEqual([]);
    for (const [method, path] of [
      ['PUT', '/api/v1/messages'],
      ['DELETE', '/api/v1/search?query=x'],
      ['DELETE', '/api/v1/messages'],
    ] as const) {
      const answer = await mailpit.ask(path, { method, body: '{}' });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(await answer.text()).toBe('ok');
    }
    expect(differences(await mailpit.json('/api/v1/messages'), MAILPIT.MessagesSummary)).toEqual([]);
  });

  test('sending answers with the ID, or with what is wrong under both of its names', async () => {
    const send = (mail: object) => mailpit.ask('/api/v1/send', { method: 'POST', body: JSON.stringify(mail) });
    const sent = await send({ From: { Email: 'app@app.test' }, To: [{ Email: freshAddress() }] });
    expect(differences(await sent.json(), MAILPIT.SendMessageResponse)).toEqual([]);
    const refused = await send({});
    const wrong = (await refused.json()) as Answer;
    expect(refused.status).toBe(400);
    expect(differences(wrong, MAILPIT.JSONErrorResponse)).toEqual([]);
    expect(wrong.Error).toBe(wrong.error);
  });
});

describe('MailHog', () => {
  let mailhog: RunningCatcher;
  beforeAll(async () => {
    mailhog = await startCatcher('mailhog', { dropInLimit: 'off' });
  }, PATIENCE_MS);
  afterAll(() => mailhog.stop());

  test.each(NAMES)('a mail %s has all fields of its structures and no others', async (name) => {
    await mailhog.ask('/api/v1/messages', { method: 'DELETE' });
    await mailhog.send(MAILS[name] as SendMailOptions);
    const listed = await mailhog.ask('/api/v2/messages');
    expect(listed.headers.get('content-type')).toBe('text/json');
    const list = (await listed.json()) as Answer;
    expect(differences(list, MAILHOG.messagesResult)).toEqual([]);
    const found = await mailhog.ask('/api/v2/search?kind=to&query=jane@y.test');
    expect(found.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await found.json()).toEqual(list);
    const whole = await mailhog.json('/api/v1/messages');
    expect([differences(whole, MAILHOG.Messages), whole]).toEqual([[], list.items]);
    const [{ ID }] = list.items;
    const alone = await mailhog.json(`/api/v1/messages/${ID}`);
    expect([differences(alone, MAILHOG.Message), alone]).toEqual([[], list.items[0]]);
    const file = await mailhog.ask(`/api/v1/messages/${ID}/download`);
    expect(file.headers.get('content-type')).toBe('message/rfc822');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${ID}.eml"`);
  });

  test('a list and a search of nothing have all fields', async () => {
    await mailhog.ask('/api/v1/messages', { method: 'DELETE' });
    for (const path of ['/api/v2/messages', '/api/v2/search?kind=containing&query=x']) {
      expect(differences(await mailhog.json(path), MAILHOG.messagesResult)).toEqual([]);
    }
    expect(await mailhog.json('/api/v1/messages')).toEqual([]);
  });
});

test('a difference of any kind is found', () => {
  const { RuntimeStats, ...info } = {
    ...{ Version: 'v1', LatestVersion: 'v1', Database: 'x', DatabaseSize: 0, Messages: 0, Unread: 0, Tags: {} },
    RuntimeStats: { Uptime: 0, Memory: 1, MessagesDeleted: 0, SMTPAccepted: 0, SMTPAcceptedSize: 0, SMTPRejected: 0 },
  };
  expect(
    differences({ ...info, RuntimeStats, Messages: '1', Database: null, Tags: [], More: 1 }, MAILPIT.AppInformation),
  ).toEqual([
    '$.Database is no text',
    '$.Messages is no count',
    '$.Tags is no object',
    '$.RuntimeStats.SMTPIgnored is missing',
    '$.More is not documented',
  ]);
  expect(differences({ ...info, RuntimeStats: null, Unread: 1.5, Tags: { a: -1 } }, MAILPIT.AppInformation)).toEqual([
    '$.Unread is no count',
    '$.Tags.a is no count',
    '$.RuntimeStats is no object',
  ]);
  expect(differences([1, 'a', null], MAILPIT.Array)).toEqual(['$[0] is no text', '$[2] is no text']);
  expect(differences({}, MAILPIT.Array)).toEqual(['$ is no list']);
});
