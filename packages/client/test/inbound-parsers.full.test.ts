/** Checks that frameworks read what inbound() posts: django-anymail, Action Mailbox and Email Workers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type InboundOptions, type InboundResendEmail, inbound } from 'mayfly-client/inbound';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { EMAIL, RESEND_SECRET } from './webhook-fixtures.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FILES = fileURLToPath(new URL('inbound-parsers/', import.meta.url));
const MAILGUN_SECRET = 'key-of-a-test';
const PDF = [0, 255, 13, 10, 45, 45];
const ANSWERED = {
  ...EMAIL,
  body: 'Hello',
  rawBody: 'Reply-To: ticket+9@in.acme.test\r\nReferences: <a@x.test>\r\n\r\n',
};
const REPLY = {
  from: '"Müller, Ann" <ann@example.test>',
  cc: 'cc@example.test',
  text: 'Grüße 😀\n.\nFrom here',
  html: '<p>Grüße</p><img src="cid:logo">',
  attachments: [
    { filename: 'Rechnung ä.pdf', content: Uint8Array.from(PDF), contentType: 'application/pdf' },
    { filename: 'logo.png', content: 'png', contentType: 'image/png', cid: 'logo' },
  ],
};
const THREAD = ['<m1@app.example.test>', '<a@x.test> <m1@app.example.test>'];

interface Application {
  readonly url: string;
  /** The next email that the application prints. */
  next(): Promise<Record<string, unknown>>;
}

const running: ChildProcess[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.kill();
});

/** Starts an application that prints its port, and then a line of JSON for each email. */
async function started(command: string, args: readonly string[], environment = {}): Promise<Application> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...environment } });
  running.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? '{}');
  return { url: `http://127.0.0.1:${(await next()).port}`, next };
}

describe('django-anymail', needs('anymail', 'python3'), () => {
  const emails = new Map<string, InboundResendEmail>();
  // Stands in for Resend's API. Serves attachments itself, because Python's requests loads no data: address.
  const api = createServer((request, response) => {
    const [id = '', file] = (request.url ?? '').split('/').slice(3);
    const { attachments = [], ...email } = (emails.get(id) ?? {}) as {
      attachments?: { download_url: string; content_type: string }[];
    };
    if (file === undefined) {
      const urls = attachments.map((one, at) => ({
        ...one,
        download_url: `http://${request.headers.host}${request.url}/${at}`,
      }));
      response.end(JSON.stringify({ ...email, attachments: urls }));
      return;
    }
    const { content_type = '', download_url = '' } = attachments[Number(file)] ?? {};
    response.writeHead(200, { 'content-type': content_type });
    response.end(Buffer.from(download_url.split(',')[1] ?? '', 'base64'));
  });
  let apiUrl: string;

  beforeAll(async () => {
    await once(api.listen(0, '127.0.0.1'), 'listening');
    apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`;
  });
  afterAll(() => void api.close());

  const start = () => {
    const settings = {
      WEBHOOK_SECRET: 'hook:secret',
      MAILGUN_WEBHOOK_SIGNING_KEY: MAILGUN_SECRET,
      RESEND_INBOUND_SECRET: RESEND_SECRET,
      RESEND_API_KEY: 're_any',
      RESEND_API_URL: apiUrl,
    };
    const packages = { PYTHONPATH: path.join(ROOT, 'node_modules/.cache/anymail'), PYTHONWARNINGS: 'ignore' };
    return started('python3', [path.join(FILES, 'anymail_app.py'), JSON.stringify(settings)], packages);
  };

  test.each<[as: InboundOptions['as'], more: Partial<InboundOptions>, unlike: object]>([
    ['sendgrid', {}, { stripped: null }],
    ['sendgrid', { raw: true }, { stripped: null }],
    ['mailgun', { secret: MAILGUN_SECRET }, {}],
    ['mailgun', { secret: MAILGUN_SECRET, url: 'mime' }, { stripped: null }],
    ['postmark', {}, {}],
    ['postmark', { raw: true }, {}],
    [
      'resend',
      { secret: RESEND_SECRET, onReceived: (email) => void emails.set(email.id, email) },
      { stripped: null, spam: null, envelope: [null, null] },
    ],
  ])('reads a reply of %s with %j', async (as, more, unlike) => {
    const application = await start();
    const url = `${application.url.replace('//', '//hook:secret@')}/anymail/${as}/inbound${more.url === 'mime' ? '_mime' : ''}/`;
    const mail = inbound({ as, ...more, url });
    const { status, body } = await mail.reply(ANSWERED, REPLY, { spamScore: 1.7 });
    expect(status, body).toBe(200);
    expect(await application.next()).toEqual({
      esp: expect.stringMatching(new RegExp(as, 'i')),
      envelope: ['ann@example.test', 'ticket+9@in.acme.test'],
      from: expect.stringMatching(/^"?Müller, Ann"? <ann@example\.test>$/),
      to: ['ticket+9@in.acme.test'],
      cc: ['cc@example.test'],
      subject: 'Re: Confirm – jetzt',
      text: expect.stringMatching(/^Grüße 😀\n\.\nFrom here\n\nOn Sat, 31 Jan 2026 .* wrote:\n\n> Hello$/),
      html: expect.stringContaining(REPLY.html),
      stripped: REPLY.text,
      spam: 1.7,
      thread: THREAD,
      reply: null,
      files: [
        ['Rechnung ä.pdf', 'application/pdf', PDF],
        ['logo.png', 'image/png', [...Buffer.from('png')]],
      ],
      cids: ['logo'],
      ...unlike,
    });
    if (as === 'resend' || as === 'mailgun') {
      expect((await mail.reply(ANSWERED, REPLY, { signature: 'wrong' })).status).toBe(400);
    }
  });
});

describe('Action Mailbox', needs('Ruby with Action Mailbox'), () => {
  test.each<[as: InboundOptions['as'], path: string, more: Partial<InboundOptions>]>([
    ['sendgrid', 'sendgrid/inbound_emails', { raw: true }],
    ['mailgun', 'mailgun/inbound_emails/mime', { secret: MAILGUN_SECRET }],
    ['postmark', 'postmark/inbound_emails', { raw: true }],
  ])('reads a reply of %s, and refuses a wrong signature or password', async (as, where, more) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-test-'));
    const application = await started('ruby', [path.join(FILES, 'action_mailbox.rb'), as, folder]);
    const url = `${application.url.replace('//', '//actionmailbox:secret@')}/rails/action_mailbox/${where}`;
    const mail = inbound({ as, url, ...more, timeout: 60_000 });
    expect((await mail.reply(ANSWERED, REPLY)).status).toBe(204);
    expect(await application.next()).toMatchObject({
      from: expect.stringMatching(/^"?Müller, Ann"? <ann@example\.test>$/),
      to: ['ticket+9@in.acme.test'],
      subject: 'Re: Confirm – jetzt',
      text: expect.stringMatching(/^Grüße 😀\r?\n\.\r?\nFrom here\r?\n/),
      thread: ['m1@app.example.test', 'a@x.test', 'm1@app.example.test'],
      files: [
        ['Rechnung ä.pdf', 'application/pdf', PDF],
        ['logo.png', 'image/png', [...Buffer.from('png')]],
      ],
    });
    expect((await mail.reply(ANSWERED, REPLY, { signature: 'wrong' })).status).toBe(401);
    if (as === 'mailgun') expect((await mail.reply(ANSWERED, REPLY, { signature: 'stale' })).status).toBe(401);
    await rm(folder, { recursive: true, force: true });
  });
});

/** An Email Worker that shows its last email as JSON. */
const WORKER = `
  import PostalMime from './node_modules/postal-mime/dist/esm/postal-mime.js';
  let read;
  export default {
    async email(message) {
      if (message.from === 'refused@example.test') return message.setReject('Not you');
      const { attachments, ...email } = await PostalMime.parse(message.raw);
      const files = attachments.map(({ filename, mimeType, content }) => [filename, mimeType, [...new Uint8Array(content)]]);
      read = { envelope: [message.from, message.to], ...email, files };
    },
    fetch: () => Response.json(read),
  };
`;

describe('Cloudflare Workers', needs('Cloudflare Workers'), () => {
  const folder = path.join(ROOT, 'node_modules/.cache/workers');

  test('read a reply with postal-mime, and reject an email', async () => {
    const { Miniflare } = createRequire(path.join(folder, 'package.json'))('miniflare');
    const worker = new Miniflare({
      ...{ host: '127.0.0.1', port: 0, script: WORKER, scriptPath: path.join(folder, 'worker.mjs'), modules: true },
      ...{ modulesRules: [{ type: 'ESModule', include: ['**/*.js'] }], unsafeTriggerHandlers: true },
      compatibilityDate: '2026-01-01',
    });
    try {
      const { origin } = await worker.ready;
      const mail = inbound({ as: 'cloudflare', url: `${origin}/cdn-cgi/handler/email`, timeout: 60_000 });
      expect(await mail.reply(ANSWERED, REPLY)).toMatchObject({ status: 200 });
      expect(await (await fetch(origin)).json()).toMatchObject({
        envelope: ['ann@example.test', 'ticket+9@in.acme.test'],
        from: { name: 'Müller, Ann', address: 'ann@example.test' },
        cc: [{ address: 'cc@example.test' }],
        subject: 'Re: Confirm – jetzt',
        text: expect.stringMatching(/^Grüße 😀\n\.\nFrom here\n/),
        html: expect.stringContaining(REPLY.html),
        inReplyTo: THREAD[0],
        references: THREAD[1],
        files: [
          ['Rechnung ä.pdf', 'application/pdf', PDF],
          ['logo.png', 'image/png', [...Buffer.from('png')]],
        ],
      });
      const refused = await mail.send({ from: 'refused@example.test', to: 'in@acme.test', text: 'Hi' });
      expect(refused).toMatchObject({ status: 400, body: expect.stringContaining('Not you') });
    } finally {
      await worker.dispose();
    }
  });
});
