import { createHmac, verify } from 'node:crypto';
import {
  type InboundEmail,
  type InboundMessage,
  type InboundOptions,
  type InboundResendEmail,
  inbound,
} from 'mayfly-client/inbound';
import { sendgridKeys } from 'mayfly-client/webhooks';
import { describe, expect, test } from 'vitest';
import { readMail } from '../../mail/src/index.js';
import { type Arrived, applicationOfFile, EMAIL, RESEND_SECRET } from './webhook-fixtures.js';

const { application, last } = await applicationOfFile();
const { url: base } = application;
const keys = await sendgridKeys();

const formOf = (post: Arrived) =>
  new Response(Uint8Array.from(post.bytes), {
    headers: { 'content-type': `${post.headers['content-type']}` },
  }).formData();
const jsonOf = (post: Arrived) => JSON.parse(post.body);

const MAILGUN_SECRET = 'key-of-a-test';
const OPTIONS = {
  sendgrid: () => ({ url: `${base}/parse`, secret: keys.secret }),
  mailgun: () => ({ url: `${base}/route`, secret: MAILGUN_SECRET }),
  postmark: () => ({ url: `${base.replace('//', '//hook:p%40ss@')}/inbound` }),
  resend: () => ({ url: `${base}/received`, secret: RESEND_SECRET }),
  cloudflare: () => ({ url: `${base}/cdn-cgi/handler/email` }),
} as const;
const PROVIDERS = Object.keys(OPTIONS) as InboundOptions['as'][];
const via = (as: InboundOptions['as'], more: Partial<InboundOptions> = {}) =>
  inbound({ as, ...OPTIONS[as](), ...more });

const MAIL: InboundMessage = {
  from: '"Müller, Ann" <ann@example.test>',
  to: ['Hilfe <support+42@in.acme.test>', 'two@in.acme.test'],
  cc: 'cc@example.test',
  replyTo: 'ann.mueller@example.test',
  subject: 'Rückfrage zu Bestellung 7 😀 und noch viel mehr, damit der Betreff lang wird',
  text: 'Grüße\nFrom here\n.\n\0end',
  html: '<p>Grüße</p><img src="cid:logo">',
  attachments: [
    {
      filename: 'Rechnung "ä".pdf',
      content: Uint8Array.from([0, 255, 13, 10, 45, 45]),
      contentType: 'application/pdf',
    },
    { filename: 'logo.png', content: 'png', contentType: 'image/png', cid: 'logo' },
  ],
  headers: { 'X-Case': 'ü7' },
};

const ANSWERED: InboundEmail = {
  ...EMAIL,
  body: 'Hello\nBye',
  rawBody:
    'Reply-To: "Acme, Support" <ticket+9@in.acme.test>\r\nReferences: <a@x.test>\r\n <b@x.test>\r\n\r\nHello\r\n',
};
const QUOTE = '\n\nOn Sat, 31 Jan 2026 09:30:00 +0000, Acme <app@example.test> wrote:\n\n> Hello\n> Bye\n';
const REFERENCES = '<a@x.test> <b@x.test> <m1@app.example.test>';

/** What the message in a raw post says. */
async function rawIn(as: InboundOptions['as'], post: Arrived): Promise<string> {
  if (as === 'postmark') return jsonOf(post).RawEmail;
  if (as === 'cloudflare') return post.body;
  return `${(await formOf(post)).get(as === 'mailgun' ? 'body-mime' : 'email')}`;
}

const PDF = Buffer.from([0, 255, 13, 10, 45, 45]);

describe('an inbound post', () => {
  const RAW = ['sendgrid', 'mailgun', 'postmark', 'cloudflare'] as const;
  const raw = (as: (typeof RAW)[number]) =>
    via(as, as === 'mailgun' ? { url: `${base}/inbound_emails/mime` } : as === 'cloudflare' ? {} : { raw: true });

  test.each(RAW)('of %s contains the message as it was sent, in ASCII lines of at most 998 characters', async (as) => {
    await raw(as).send(MAIL);
    const text = await rawIn(as, last());
    expect(text).toMatch(/^(?:[ -~]{0,998}\r\n)*$/);
    const mail = readMail(text);
    const person = (name: string, address: string) => expect.objectContaining({ name, address });
    expect(mail).toMatchObject({
      from: [person('Müller, Ann', 'ann@example.test')],
      to: [person('Hilfe', 'support+42@in.acme.test'), person('', 'two@in.acme.test')],
      cc: [person('', 'cc@example.test')],
      replyTo: [person('', 'ann.mueller@example.test')],
      subject: MAIL.subject,
      html: MAIL.html,
    });
    expect(mail.text).toContain('Grüße\nFrom here\n.\n');
    const files = mail.parts.filter(({ filename }) => filename !== null);
    expect(files).toMatchObject([
      { filename: 'Rechnung "ä".pdf', type: 'application/pdf', size: 6 },
      { filename: 'logo.png', type: 'image/png', contentId: 'logo', size: 3 },
    ]);
    expect(mail.headers).toContainEqual(expect.objectContaining({ name: 'X-Case', value: 'ü7' }));
  });

  test('of SendGrid has the fields of Inbound Parse, and a signature of the whole body', async () => {
    await via('sendgrid').send(MAIL, { spamScore: 7.5 });
    const { headers, bytes } = last();
    const signed = Buffer.concat([Buffer.from(`${headers['x-twilio-email-event-webhook-timestamp']}`), bytes]);
    const key = { key: Buffer.from(keys.publicKey, 'base64'), format: 'der', type: 'spki' } as const;
    const signature = Buffer.from(`${headers['x-twilio-email-event-webhook-signature']}`, 'base64');
    expect(verify('sha256', signed, key, signature)).toBe(true);
    const form = await formOf(last());
    expect(Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))).toEqual({
      dkim: '{@example.test : pass}',
      SPF: 'pass',
      to: 'Hilfe <support+42@in.acme.test>, two@in.acme.test',
      cc: 'cc@example.test',
      from: '"Müller, Ann" <ann@example.test>',
      sender_ip: '192.0.2.7',
      envelope: '{"to":["support+42@in.acme.test"],"from":"ann@example.test"}',
      subject: MAIL.subject,
      spam_score: '7.5',
      spam_report: expect.any(String),
      charsets: '{"to":"UTF-8","from":"UTF-8","subject":"UTF-8","cc":"UTF-8","text":"UTF-8","html":"UTF-8"}',
      headers: expect.stringContaining('Message-ID: <'),
      attachments: '2',
      text: MAIL.text,
      html: MAIL.html,
      'attachment-info': expect.stringContaining('"attachment2":{"filename":"logo.png"'),
      'content-ids': '{"logo":"attachment2"}',
    });
    const file = form.get('attachment1') as File;
    expect([file.type, Buffer.from(await file.arrayBuffer())]).toEqual(['application/pdf', PDF]);
  });

  test('of Mailgun has the fields of a route, and signs its token', async () => {
    await via('mailgun').reply(ANSWERED, { text: 'Yes' });
    expect(last().headers['content-type']).toBe('application/x-www-form-urlencoded');
    const fields = Object.fromEntries(new URLSearchParams(last().body));
    const { timestamp, token, signature } = fields;
    expect(signature).toBe(createHmac('sha256', MAILGUN_SECRET).update(`${timestamp}${token}`).digest('hex'));
    expect(fields).toMatchObject({
      recipient: 'ticket+9@in.acme.test',
      sender: 'ann@inbox.example.com',
      subject: 'Re: Confirm – jetzt',
      'In-Reply-To': '<m1@app.example.test>',
      References: REFERENCES,
      'X-Mailgun-Sflag': 'No',
      'body-plain': `Yes${QUOTE}`,
      'stripped-text': 'Yes',
    });
    expect(JSON.parse(`${fields['message-headers']}`)).toContainEqual(['References', REFERENCES]);

    await via('mailgun').send(MAIL);
    const form = await formOf(last());
    expect(form.get('attachment-count')).toBe('2');
    expect(form.get('content-id-map')).toBe('{"<logo>":"attachment-2"}');
    expect(Buffer.from(await (form.get('attachment-1') as File).arrayBuffer())).toEqual(PDF);
  });

  test('of Postmark has the fields of its inbound webhook', async () => {
    await via('postmark').reply(ANSWERED, { text: 'Yes', attachments: MAIL.attachments }, { spamScore: 5 });
    expect(last().headers.authorization).toBe(`Basic ${btoa('hook:p@ss')}`);
    const posted = jsonOf(last());
    expect(posted).toMatchObject({
      From: 'ann@inbox.example.com',
      ToFull: [{ Email: 'ticket+9@in.acme.test', Name: '', MailboxHash: '9' }],
      MailboxHash: '9',
      Subject: 'Re: Confirm – jetzt',
      TextBody: `Yes${QUOTE}`,
      StrippedTextReply: 'Yes',
      Attachments: [{ Content: PDF.toString('base64'), ContentLength: 6 }, { ContentID: 'logo' }],
    });
    expect(posted.RawEmail).toBeUndefined();
    expect(posted.Headers[0]).toEqual({ Name: 'Return-Path', Value: '<ann@inbox.example.com>' });
    expect(posted.Headers).toContainEqual({ Name: 'X-Spam-Status', Value: 'Yes' });
    expect(posted.Headers).toContainEqual({ Name: 'In-Reply-To', Value: '<m1@app.example.test>' });
  });

  test('of Resend has no body, which onReceived gets before the post', async () => {
    const received: InboundResendEmail[] = [];
    const onReceived = (email: InboundResendEmail) => void received.push(email);
    await via('resend', { onReceived }).send(MAIL);
    const { type, data } = jsonOf(last());
    expect({ type, data }).toMatchObject({
      type: 'email.received',
      data: {
        received_for: ['support+42@in.acme.test'],
        attachments: [{ filename: 'Rechnung "ä".pdf' }, { content_id: 'logo' }],
      },
    });
    expect(data).not.toHaveProperty('text');
    expect(received).toMatchObject([
      { id: data.email_id, text: MAIL.text, html: MAIL.html, headers: { 'x-case': 'ü7' } },
    ]);
    const [file] = (received[0]?.attachments ?? []) as { download_url: string }[];
    expect(Buffer.from(await (await fetch(`${file?.download_url}`)).arrayBuffer())).toEqual(PDF);
  });

  test('of Cloudflare names sender and recipient in the address', async () => {
    await via('cloudflare').send(MAIL);
    expect(last().path).toBe('/cdn-cgi/handler/email?from=ann%40example.test&to=support%2B42%40in.acme.test');
  });

  test.each(PROVIDERS)('of %s is repeated with another signature but the same message', async (as) => {
    const { ok } = await via(as).reply(ANSWERED, { text: 'Yes' }, { twice: true });
    const ids = await Promise.all(
      application.arrived.map(async (post) => /[0-9a-f-]{36}(?=@inbox)/.exec(post.body)?.[0]),
    );
    expect([ok, ids.length, new Set(ids).size]).toEqual([true, 2, 1]);
    await via(as).reply(ANSWERED, { text: 'Yes' }, { signature: 'replayed' });
    expect(application.arrived[3]?.body).toEqual(application.arrived[2]?.body);
  });
});

describe('inbound()', () => {
  test.each([
    [{ as: 'ses' }, 'as must be sendgrid, mailgun, postmark, resend or cloudflare.'],
    [{ as: 'mailgun' }, 'inbound(): Mailgun signs with the "HTTP webhook signing key"'],
    [{ as: 'resend', secret: 'x' }, 'inbound(): the secret of Resend must be "whsec_"'],
    [{ as: 'cloudflare', secret: 'x' }, 'Cloudflare does not sign its requests and has no secret.'],
    [{ as: 'mailgun', secret: 'x', raw: true }, 'Mailgun is raw if the url ends in mime.'],
    [{ as: 'sendgrid', onReceived: () => {} }, 'onReceived is for resend.'],
    [{ as: 'sendgrid', url: 'ftp://a.test' }, 'inbound() needs the http or https url of the application'],
  ])('rejects the options %j', (options, sentence) => {
    expect(() => inbound({ url: 'http://a.test', ...options } as never)).toThrow(sentence);
  });

  test.each<[fields: object, sentence: string]>([
    [{ from: 'ann' }, 'send(): from must be an address such as'],
    [{ from: 'Ann\r\nBcc: b@c.test <a@b.test>' }, 'send(): from must be an address such as'],
    [{ to: [] }, 'send(): to must be an address such as'],
    [{ to: Array(101).fill('a@b.test') }, 'or an array of 1 to 100.'],
    [{ to: undefined }, 'send() needs from and to.'],
    [{ subject: 'Hi\nBcc: b@c.test' }, 'send(): subject must be a string without line breaks'],
    [{ text: 7 }, 'send(): text must be a string.'],
    [{ html: null }, 'send(): html must be a string.'],
    [{ headers: { 'X-A': 'a\r\nX-B: b' } }, 'send(): headers must be an object of header names and values'],
    [{ headers: { 'X A': 'a' } }, 'send(): headers must be an object of header names and values'],
    [
      { attachments: [{ filename: 'a\r\nb', content: '' }] },
      'send(): attachments must be an array of { filename, content }',
    ],
    [{ attachments: [{ filename: 'a', content: 7 }] }, 'send(): attachments must be an array of { filename, content }'],
    [{ attachments: [{ filename: 'a', content: new DataView(new ArrayBuffer(3)) }] }, 'a string or Uint8Array.'],
    [{ attachments: [{ filename: '\ud800', content: '' }] }, 'send(): attachments must be an array of'],
    [{ to: 'a\u0001@b.test' }, 'send(): to must be an address such as'],
    [{ quote: true }, 'send(): "quote" is not an option.'],
  ])('rejects the message with %j', async (fields, sentence) => {
    await expect(via('mailgun').send({ ...MAIL, ...fields } as InboundMessage)).rejects.toThrow(sentence);
    expect(application.arrived).toEqual([]);
  });

  test.each([
    [
      '"sales@other.test via Desk" <ticket+1@in.acme.test>, two@in.acme.test',
      ['ticket+1@in.acme.test', 'two@in.acme.test'],
    ],
    ['sales@other.test via Desk <ticket+1@in.acme.test>', ['ticket+1@in.acme.test']],
    ['Desk: a@b.test, "c\\"@d.test <x@y.test>', ['a@b.test']],
    ['nobody', [ANSWERED.from]],
  ])('answers Reply-To: %s', async (replyTo, addresses) => {
    await via('resend').reply({ ...ANSWERED, rawBody: `Reply-To: ${replyTo}\r\n\r\n` }, { text: 'Yes' });
    expect(jsonOf(last()).data.to).toEqual(addresses);
  });

  test('rejects text and HTML of more than 8 MiB, also with the quoted email', async () => {
    const text = '<&> '.repeat(2 * 2 ** 20);
    await expect(via('resend').send({ ...MAIL, text, html: '<' })).rejects.toThrow(
      'send(): the text and HTML have 8388609 bytes; at most 8388608 are allowed.',
    );
    await expect(via('resend').reply({ ...ANSWERED, body: text }, { html: 'Yes' })).rejects.toThrow(
      /^reply\(\): the text and HTML have \d+ bytes; at most 8388608 are allowed\.$/,
    );
    expect(application.arrived).toEqual([]);
  });

  test.each<[what: string, fields: object]>([
    ['a subject', { subject: 'ä'.repeat(2 ** 16) }],
    ['a header of blanks', { headers: { 'X-A': ' '.repeat(2 ** 20) } }],
    ['a name', { from: `${'"'.repeat(2 ** 20)} <a@b.test>` }],
    ['a file name', { attachments: [{ filename: '"'.repeat(2 ** 20), content: '' }] }],
  ])('rejects %s that is too long', async (_, fields) => {
    await expect(via('sendgrid').send({ ...MAIL, ...fields })).rejects.toThrow(
      /^send\(\): the addresses, headers and file names have \d+ characters; at most 65536 are allowed\.$/,
    );
  });

  test('folds a header of blanks in linear time, and keeps it on one line', async () => {
    await via('cloudflare').send({ ...MAIL, headers: { 'X-A': `${' '.repeat(60_000)}a` } });
    expect(last().body).toMatch(/^X-A: {60001}a\r$/m);
  });

  test('rejects faults that a provider cannot have, and an email without a sender', async () => {
    const refused = (asked: Promise<unknown>, sentence: string) => expect(asked).rejects.toThrow(sentence);
    await refused(via('cloudflare').send(MAIL, { signature: 'wrong' }), 'Cloudflare does not sign requests.');
    await refused(via('resend').send(MAIL, { spamScore: Number.NaN }), 'spamScore must be a number.');
    await refused(via('resend').reply({ ...ANSWERED, from: '', rawBody: '' }, {}), 'reply(): "" is not an address.');
    await refused(via('resend').reply(null as never, {}), 'reply() needs an email');
    const attachments = [{ filename: 'a', content: new Uint8Array(33 * 2 ** 20) }];
    await refused(via('resend').send({ ...MAIL, attachments }), 'have 34603008 bytes; at most 33554432 are allowed.');
    expect(application.arrived).toEqual([]);
  });
});
