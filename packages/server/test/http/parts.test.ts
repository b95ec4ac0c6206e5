import { parse as parseDisposition } from 'content-disposition';
import type { EmailParts } from 'mayfly-client';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { describe, expect, test } from 'vitest';
import { api, startApiForEachTest } from './api.js';

startApiForEachTest();

async function deliver(raw: Buffer | string, envelopeFrom = 'bounce@app.test'): Promise<string> {
  const recipients = [{ inbox: 'demo', to: 'demo@inbox.example.com' }];
  await api.inboxes.deliver({
    client: '127.0.0.1',
    raw: Buffer.from(raw),
    envelopeFrom,
    recipients,
    receivedAt: api.clock.now(),
  });
  const { emails } = (await api.app.inject('/api/inbox/demo')).json();
  return `/api/inbox/demo/${emails[0].receivedAt}/parts`;
}

async function partsOf(raw: Buffer | string): Promise<EmailParts> {
  const response = await api.app.inject(await deliver(raw));
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

type Mail = ConstructorParameters<typeof MailComposer>[0];

const composed = (mail: Mail): Promise<Buffer> => new MailComposer(mail).compile().build();

/** Returns bytes of every value, in an order that no encoding preserves by accident. */
const bytesOf = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) & 0xff));

describe('GET …/parts', () => {
  const MAIL: Mail = {
    from: 'Ärzte & Co <doctor@app.test>',
    to: ['"Doe, Jane" <jane@inbox.example.com>', 'demo@inbox.example.com'],
    cc: '李明 <li@inbox.example.com>',
    replyTo: 'help@app.test',
    subject: 'Ihre Rechnung für März',
    text: 'Hello.',
    html: '<p>Hello. <img src="cid:logo@app.test"></p><a href="https://app.test/pay">Pay</a>',
    attachments: [
      { filename: 'Rechnung für März.pdf', content: bytesOf(5_000), contentType: 'application/pdf' },
      { filename: 'logo.png', cid: 'logo@app.test', content: bytesOf(100), contentType: 'image/png' },
    ],
  };

  test('returns the senders and recipients of the header, and those of the SMTP envelope', async () => {
    const { envelope, from, to, cc, replyTo } = await partsOf(await composed(MAIL));
    expect(envelope).toEqual({ from: 'bounce@app.test', to: 'demo@inbox.example.com' });
    expect(from).toEqual([{ name: 'Ärzte & Co', address: 'doctor@app.test' }]);
    expect(to).toEqual([
      { name: 'Doe, Jane', address: 'jane@inbox.example.com' },
      { name: '', address: 'demo@inbox.example.com' },
    ]);
    expect(cc).toEqual([{ name: '李明', address: 'li@inbox.example.com' }]);
    expect(replyTo).toEqual([{ name: '', address: 'help@app.test' }]);
  });

  test('returns the headers in order, decoded and raw', async () => {
    const { headers, incomplete } = await partsOf(
      'Received: from a\r\n\tby b\r\nreceived: c\r\nSUBJECT: =?utf-8?q?f=C3=BCr?=\r\n =?utf-8?q?_M=C3=A4rz?=\r\n\r\nHello',
    );
    expect(headers).toEqual([
      { name: 'Received', value: 'from a by b', raw: 'from a\r\n\tby b' },
      { name: 'received', value: 'c', raw: 'c' },
      { name: 'SUBJECT', value: 'für März', raw: '=?utf-8?q?f=C3=BCr?=\r\n =?utf-8?q?_M=C3=A4rz?=' },
    ]);
    expect(incomplete).toEqual([]);
  });

  test('lists each part with its path, and whether it is an attachment', async () => {
    const { parts, text, html } = await partsOf(await composed(MAIL));
    const listed = parts.map(({ path, type, filename, size, attachment }) => [path, type, filename, size, attachment]);
    expect(listed).toEqual([
      ['', 'multipart/mixed', null, null, false],
      ['1', 'multipart/alternative', null, null, false],
      ['1.1', 'text/plain', null, 6, false],
      ['1.2', 'multipart/related', null, null, false],
      ['1.2.1', 'text/html', null, Buffer.byteLength(String(MAIL.html)), false],
      ['1.2.2', 'image/png', 'logo.png', 100, false],
      ['2', 'application/pdf', 'Rechnung für März.pdf', 5_000, true],
    ]);
    expect(parts.find(({ path }) => path === '1.2.2')).toMatchObject({
      contentId: 'logo@app.test',
      disposition: 'inline',
    });
    expect(parts.find(({ path }) => path === '1.1')?.charset).toBe('utf-8');
    expect({ text, html }).toEqual({ text: MAIL.text, html: MAIL.html });
  });

  test('lists every link once, and marks the action link', async () => {
    const { links } = await partsOf(
      await composed({
        subject: 'You were invited',
        html:
          '<a href="https://app.test/"><img alt=""></a><a style="background:#00f" href="https://app.test/i/8Qm2">Join the team</a>' +
          '<p>Or copy https://app.test/i/8Qm2</p><p><a href="mailto:help@app.test">Write to us</a></p><a href="/here">x</a>' +
          '<a style="display:none" href="https://app.test/unseen">x</a>',
      }),
    );
    expect(links.map(({ url, text, place, action }) => [url, text, place, action])).toEqual([
      ['https://app.test/', '', 'html', false],
      ['https://app.test/i/8Qm2', 'Join the team', 'html', true],
      ['mailto:help@app.test', 'Write to us', 'html', false],
    ]);
    for (const { score, reasons } of links) expect(reasons.reduce((sum, { points }) => sum + points, 0)).toBe(score);
  });

  test('lists codes, including codes with letters, but no order number', async () => {
    const codesOf = async (text: string) => (await partsOf(`Subject: Sign in\r\n\r\n${text}\r\n`)).codes;
    expect(await codesOf('Your sign-in code is A7K-2QX. It is valid for 10 minutes.')).toMatchObject([
      { value: 'A7K-2QX', place: 'text' },
    ]);
    expect(await codesOf('Your sign-in code is 482 913.')).toMatchObject([{ value: '482913', place: 'text' }]);
    expect(await codesOf('Order A7K-2QX has been sent.')).toEqual([]);
  });
});

describe('GET …/parts/{path}', () => {
  const CONTENT = bytesOf(300_000);

  /** Composes a message with an attachment of this content in this transfer encoding. */
  const encoded = (contentTransferEncoding: 'base64' | 'quoted-printable', content: Buffer): Promise<Buffer> =>
    composed({
      text: 'Hello',
      attachments: [{ filename: 'a.bin', content, contentType: 'application/x-data', contentTransferEncoding }],
    });

  test.each(['base64', 'quoted-printable'] as const)('returns the content byte for byte: %s', async (encoding) => {
    for (const content of [CONTENT, Buffer.alloc(0), Buffer.from('a'), CONTENT.subarray(0, 70_000)]) {
      const response = await api.app.inject(`${await deliver(await encoded(encoding, content))}/2`);
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload.equals(content)).toBe(true);
      expect(response.headers['content-length']).toBe(String(content.length));
    }
  });

  test('is always a download that cannot run scripts', async () => {
    const html = '<script>alert(1)</script>';
    const { headers, body } = await api.app.inject(`${await deliver(await composed({ text: 'a', html }))}/2`);
    expect(body).toBe(html);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'attachment; filename=part-2.html',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    });
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt'],
    ['a\u0000b.txt', 'ab.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['"quoted" \\"name".txt', '"name".txt'],
    ['Rechnung für März €.pdf', 'Rechnung für März €.pdf'],
    ['...', null],
    ['.bashrc', 'bashrc'],
    [`${'ä'.repeat(2_500)}.pdf`, `${'ä'.repeat(125)}.pdf`],
  ])('makes a file name safe: %.40j', async (filename, safe) => {
    const raw = (name: string) =>
      `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename*=utf-8''${name}\r\n\r\nx`;
    const path = await deliver(raw(encodeURIComponent(filename)));
    const { parts } = (await api.app.inject(path)).json() as EmailParts;
    expect(parts[0]?.filename).toBe(safe);
    const disposition = String((await api.app.inject(`${path}/1`)).headers['content-disposition']);
    const told = parseDisposition(disposition).parameters.filename;
    expect(told).toBe(safe ?? 'part-1.pdf');
    // Clients that support only ASCII get this name, without the characters that file systems reserve.
    const [, quoted, token] = /; filename=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/.exec(disposition) ?? [];
    expect(quoted ?? token).toMatch(/^[^"%*/:<>?\\|]+$/);
    expect(quoted ?? token).toHaveLength([...(safe ?? 'part-1.pdf')].length);
  });

  test.each([
    ['a media type with a blank', 'te xt/plain', 'text/plain'],
    ['a media type of other characters', 'text/pl\u00e4in', 'application/octet-stream'],
    ['a media type with quotes', '"text/html <script>"', 'application/octet-stream'],
    ['a media type that is too long', `text/${'x'.repeat(200)}`, 'application/octet-stream'],
    ['a media type with a line break', 'text/pl\r\n ain', 'text/pl'],
    ['a media type with a control character', 'text/pl\u0001ain', 'application/octet-stream'],
    ['a charset with a control character', 'text/plain; charset="utf-8\u0001"', 'text/plain; charset=utf-8'],
    ['a charset with a blank', 'text/plain; charset="a b"', 'text/plain'],
    ['no media type', 'nothing', 'text/plain'],
  ])('sends a valid Content-Type for a part with %s', async (_, type, told) => {
    const response = await api.app.inject(`${await deliver(`Content-Type: ${type}\r\n\r\nHello`)}/1`);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('Hello');
    expect(response.headers['content-type']).toBe(told);
  });

  test.each(['0', '1.', '1..2', 'a', '1%2f2', '01', '-1', '1.2.', '9'.repeat(5), `1${'.1'.repeat(400)}`])(
    'responds with 400 and a message to the path %.20j',
    async (path) => {
      const response = await api.app.inject(`${await deliver('\r\nHello')}/${path}`);
      expect(response.statusCode).toBe(400);
      expect(response.headers['mayfly-error']).toBe('bad-part-path');
      expect(response.json().error).toMatch(/^The path does not identify a part of an email\. .*\.$/);
    },
  );

  test('responds to a missing part and to a multipart with 404, each with a different error code', async () => {
    const path = await deliver(await composed({ text: 'a', html: '<p>b</p>', attachments: [{ content: 'c' }] }));
    for (const missing of ['4', '1.9', '2.1', '1.1.1']) {
      const response = await api.app.inject(`${path}/${missing}`);
      expect([missing, response.statusCode]).toEqual([missing, 404]);
      expect(response.headers['mayfly-error']).toBe('no-such-part');
      expect(response.json().error).toMatch(/^This email has no part at this path\. .*\.$/);
    }
    const multipart = await api.app.inject(`${path}/1`);
    expect(multipart.statusCode).toBe(404);
    expect(multipart.headers['mayfly-error']).toBe('part-is-multipart');
    expect(multipart.json().error).toMatch(/^The part at this path is a multipart, which contains only .*\. .*\.$/);
    expect((await api.app.inject(`${path}/1.2`)).body).toBe('<p>b</p>');
  });
});
