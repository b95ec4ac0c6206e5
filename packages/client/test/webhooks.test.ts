import { createHmac, verify } from 'node:crypto';
import { Mayfly, type ReceivedEmail } from 'mayfly-client';
import { sendgridKeys, type WebhooksOptions, webhooks } from 'mayfly-client/webhooks';
import { type StartedMayfly, startMayfly } from 'mayfly-inbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Arrived, applicationOfFile, EMAIL, RESEND_SECRET } from './webhook-fixtures.js';

const KINDS = ['delivered', 'bounced', 'complained', 'opened', 'clicked'] as const;
const MAILGUN_SECRET = 'key-of-a-test';

const { application, last } = await applicationOfFile();
const url = `${application.url}/webhooks`;
const keys = await sendgridKeys();
let service: StartedMayfly;

beforeAll(async () => {
  service = await startMayfly({ domain: 'inbox.example.com' });
});

afterAll(() => service.stop());

const payload = () => {
  const parsed = JSON.parse(last().body);
  return Array.isArray(parsed) ? parsed[0] : (parsed['event-data'] ?? parsed.data ?? parsed);
};

/** Verifiers as in the providers' manuals. webhook-verifiers.full.test.ts uses the providers' own verifiers. */
const VERIFIERS: Record<string, ({ headers, body }: Arrived) => unknown> = {
  'resend (node:crypto)': ({ headers, body }) => {
    const key = Buffer.from(RESEND_SECRET.slice('whsec_'.length), 'base64');
    const signed = `${headers['svix-id']}.${headers['svix-timestamp']}.${body}`;
    return headers['svix-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  },
  'sendgrid (node:crypto)': ({ headers, body }) => {
    const key = { key: Buffer.from(keys.publicKey, 'base64'), format: 'der', type: 'spki' } as const;
    const signed = headers['x-twilio-email-event-webhook-timestamp'] + body;
    const signature = Buffer.from(headers['x-twilio-email-event-webhook-signature'] ?? '', 'base64');
    return verify('sha256', Buffer.from(signed), key, signature);
  },
  'mailgun (as its manual says)': ({ body }) => {
    const { timestamp, token, signature } = JSON.parse(body).signature;
    return (
      createHmac('sha256', MAILGUN_SECRET)
        .update(timestamp + token)
        .digest('hex') === signature
    );
  },
};

const secretOf: Record<string, () => string | undefined> = {
  resend: () => RESEND_SECRET,
  sendgrid: () => keys.secret,
  mailgun: () => MAILGUN_SECRET,
  postmark: () => undefined,
};

const hooksOf = (name: string) => {
  const as = name.split(' ')[0] as WebhooksOptions['as'];
  return webhooks({ as, url, secret: secretOf[as]?.() });
};

const passes = (name: string, post: Arrived) => VERIFIERS[name]?.(post);

describe.each(Object.keys(VERIFIERS))('a webhook post of %s', (name) => {
  test.each(KINDS)('for the event %s has a signature that passes verification', async (kind) => {
    const { status, ok, post } = await hooksOf(name)[kind](EMAIL);
    expect({ status, ok, body: post.body }).toEqual({ status: 200, ok: true, body: last().body });
    expect(last().headers['content-type']).toMatch('application/json');
    expect(passes(name, last())).toBe(true);
  });

  test('with a wrong signature fails verification, and the method returns the response to it', async () => {
    application.answer = { status: 401, body: 'no' };
    expect(await hooksOf(name).bounced(EMAIL, { signature: 'wrong' })).toMatchObject({
      status: 401,
      ok: false,
      body: 'no',
    });
    expect(passes(name, last())).toBe(false);
  });

  test('fails verification if its event was changed (except Mailgun, which does not sign the event)', async () => {
    await hooksOf(name).bounced(EMAIL);
    const changed = { ...last(), body: last().body.replace('m1@', 'm2@') };
    expect(passes(name, changed)).toBe(name.startsWith('mailgun'));
  });
});

describe('a stale webhook post', () => {
  test.each(['sendgrid (node:crypto)', 'mailgun (as its manual says)'])(
    'of %s has a valid signature from an hour ago, so the application must check the time',
    async (name) => {
      const before = Math.floor(Date.now() / 1_000) - 3_600;
      await hooksOf(name).bounced(EMAIL, { signature: 'stale' });
      expect(passes(name, last())).toBe(true);
      const { headers, body } = last();
      const timestamp = Number(
        headers['x-twilio-email-event-webhook-timestamp'] ?? JSON.parse(body).signature.timestamp,
      );
      expect(timestamp).toBeGreaterThanOrEqual(before);
      expect(timestamp).toBeLessThanOrEqual(Math.floor(Date.now() / 1_000) - 3_600);
    },
  );
});

describe('two webhook posts of one event', () => {
  test('have the same ID and different signatures', async () => {
    const ids: Record<string, (post: Arrived) => unknown> = {
      resend: ({ headers }) => headers['svix-id'],
      sendgrid: ({ body }) => JSON.parse(body)[0].sg_event_id,
      mailgun: ({ body }) => JSON.parse(body)['event-data'].id,
      postmark: ({ body }) => JSON.parse(body).ID,
    };
    for (const [name, idOf] of Object.entries(ids)) {
      application.arrived = [];
      await hooksOf(name).bounced(EMAIL, { twice: true });
      const [first, second] = application.arrived.map(idOf);
      expect(first).toBeTruthy();
      expect(second).toBe(first);
      await hooksOf(name).bounced(EMAIL);
      expect(idOf(last())).not.toBe(first);
      if (name === 'mailgun') expect(application.arrived[0]?.body).not.toBe(application.arrived[1]?.body);
    }
  });

  test('do not include the second if the application rejects the first', async () => {
    application.answer = { status: 404, body: 'Cannot POST' };
    for (const options of [{ twice: true }, { signature: 'replayed' }] as const) {
      const asked = hooksOf('resend').bounced(EMAIL, options);
      await expect(asked).rejects.toThrow(
        'bounced(): the application answered the first request with 404, so a second one would prove nothing',
      );
    }
    expect(application.arrived).toHaveLength(2);
  });
});

describe('the body of a webhook post', () => {
  const at = new Date('2026-01-31T09:31:00.000Z');
  const id = '3f0c2f9e-5a0e-4b62-9d6c-3a9b6f2f7c11';

  test.each(KINDS)("has Resend's fields for the event %s", async (kind) => {
    await hooksOf('resend')[kind](EMAIL, { at, id });
    const own = {
      bounced: { bounce: { type: 'Permanent', subType: 'General', message: expect.any(String) } },
      clicked: {
        click: {
          link: EMAIL.magicLink,
          timestamp: at.toISOString(),
          ipAddress: expect.any(String),
          userAgent: expect.any(String),
        },
      },
    };
    expect(JSON.parse(last().body)).toEqual({
      type: `email.${kind}`,
      created_at: at.toISOString(),
      data: {
        created_at: '2026-01-31T09:30:00.000Z',
        email_id: id,
        message_id: EMAIL.id,
        from: 'Acme <app@example.test>',
        to: [EMAIL.to],
        subject: EMAIL.subject,
        ...own[kind as keyof typeof own],
      },
    });
  });

  test.each([
    ['delivered', 'delivered', { response: expect.stringMatching(/^250 /) }],
    ['bounced', 'bounce', { type: 'bounce', status: '5.1.1', reason: expect.stringMatching(/^550 5\.1\.1 /) }],
    ['complained', 'spamreport', {}],
    ['opened', 'open', { useragent: expect.any(String), ip: expect.any(String), sg_machine_open: false }],
    ['clicked', 'click', { url: EMAIL.magicLink, url_offset: { index: 0, type: 'html' } }],
  ] as const)("has SendGrid's fields for the event %s", async (kind, event, own) => {
    await hooksOf('sendgrid')[kind](EMAIL, { at, id });
    const all = JSON.parse(last().body);
    const shared = { email: EMAIL.to, timestamp: at.getTime() / 1_000, 'smtp-id': EMAIL.id, event };
    expect(all).toEqual([expect.objectContaining({ ...shared, ...own, sg_event_id: expect.any(String) })]);
    expect(all[0].sg_message_id.split('.')[0]).toBe(id);
  });

  test.each([
    ['delivered', 'delivered', { 'delivery-status': expect.objectContaining({ code: 250 }) }],
    [
      'bounced',
      'failed',
      { severity: 'permanent', reason: 'bounce', 'delivery-status': expect.objectContaining({ code: 550 }) },
    ],
    ['complained', 'complained', { 'log-level': 'warn' }],
    ['opened', 'opened', { 'client-info': expect.objectContaining({ 'client-type': 'browser' }) }],
    ['clicked', 'clicked', { url: EMAIL.magicLink, geolocation: expect.any(Object) }],
  ] as const)("has Mailgun's fields for the event %s", async (kind, event, own) => {
    await hooksOf('mailgun')[kind](EMAIL, { at });
    const headers = {
      to: EMAIL.to,
      'message-id': 'm1@app.example.test',
      from: 'Acme <app@example.test>',
      subject: EMAIL.subject,
    };
    const message = { headers, attachments: [], size: EMAIL.rawBody.length };
    const shared = {
      event,
      timestamp: at.getTime() / 1_000,
      recipient: EMAIL.to,
      message,
      'user-variables': {},
      tags: [],
    };
    expect(payload()).toEqual(expect.objectContaining({ ...shared, ...own }));
  });

  test.each([
    ['delivered', 'Delivery', { Recipient: EMAIL.to, DeliveredAt: at.toISOString() }],
    [
      'bounced',
      'Bounce',
      { Email: EMAIL.to, Type: 'HardBounce', TypeCode: 1, Inactive: true, BouncedAt: at.toISOString() },
    ],
    ['complained', 'SpamComplaint', { Email: EMAIL.to, Type: 'SpamComplaint', TypeCode: 100_001, CanActivate: false }],
    ['opened', 'Open', { Recipient: EMAIL.to, FirstOpen: true, ReceivedAt: at.toISOString() }],
    ['clicked', 'Click', { Recipient: EMAIL.to, OriginalLink: EMAIL.magicLink, ClickLocation: 'HTML' }],
  ] as const)("has Postmark's fields for the event %s", async (kind, RecordType, own) => {
    await hooksOf('postmark')[kind](EMAIL, { at, id });
    const shared = { RecordType, MessageID: id, MessageStream: 'outbound', Metadata: {} };
    expect(payload()).toEqual(expect.objectContaining({ ...shared, ...own }));
  });
});

describe('a webhook post about an email sent through a send API', () => {
  const send = (where: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(service.url + where, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any', ...headers },
      body: JSON.stringify(body),
    });
  const arrivedIn = (name: string): Promise<ReceivedEmail> =>
    new Mayfly({ baseUrl: service.url }).inbox(name).waitForEmail();

  test('contains the ID, recipients and tags of an email sent through Resend', async () => {
    const to = ['one@inbox.example.com', 'two@inbox.example.com'];
    const tags = [{ name: 'kind', value: 'sign-up' }];
    const sent = await send('/emails', { from: 'Acme <a@b.test>', to, subject: 'Hi', text: 'Hello', tags });
    const { id } = (await sent.json()) as { id: string };
    await hooksOf('resend').bounced(await arrivedIn('one'));
    expect(payload()).toMatchObject({ email_id: id, to, from: 'Acme <a@b.test>', tags: { kind: 'sign-up' } });
    // The email was sent through Resend, so Postmark would have given it a different ID.
    await hooksOf('postmark').bounced(await arrivedIn('one'));
    expect(payload().MessageID).not.toBe(id);
  });

  test('contains the ID, categories and arguments of an email sent through SendGrid', async () => {
    const sent = await send('/v3/mail/send', {
      personalizations: [
        { to: [{ email: 'three@inbox.example.com' }], custom_args: { user: '7', email: 'not@this.test' } },
      ],
      from: { email: 'a@b.test' },
      subject: 'Hi',
      content: [{ type: 'text/plain', value: 'Hello' }],
      categories: ['sign-up'],
    });
    await hooksOf('sendgrid').delivered(await arrivedIn('three'));
    expect(payload()).toMatchObject({ category: ['sign-up'], user: '7', email: 'three@inbox.example.com' });
    expect(payload().sg_message_id.split('.')[0]).toBe(sent.headers.get('x-message-id'));
  });

  test('contains the ID, tag and metadata of an email sent through Postmark', async () => {
    const body = {
      From: 'a@b.test',
      To: 'four@inbox.example.com',
      Subject: 'Hi',
      TextBody: 'Hello',
      Tag: 'sign-up',
      Metadata: { user: '7' },
    };
    const sent = await send('/email', body, { 'x-postmark-server-token': 'any' });
    const { MessageID } = (await sent.json()) as { MessageID: string };
    await hooksOf('postmark').opened(await arrivedIn('four'));
    expect(payload()).toMatchObject({ MessageID, Tag: 'sign-up', Metadata: { user: '7' } });
  });

  test('contains the ID, tags and variables of an email sent through Mailgun', async () => {
    const form = new FormData();
    const fields = {
      from: 'a@b.test',
      to: 'five@inbox.example.com',
      subject: 'Hi',
      text: 'Hello',
      'o:tag': 'sign-up',
      'v:user': '7',
    };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const headers = { authorization: `Basic ${btoa('api:any')}` };
    const sent = await fetch(`${service.url}/v3/b.test/messages`, { method: 'POST', headers, body: form });
    const { id } = (await sent.json()) as { id: string };
    await hooksOf('mailgun').complained(await arrivedIn('five'));
    expect(payload()).toMatchObject({ tags: ['sign-up'], 'user-variables': { user: '7' } });
    expect(`<${payload().message.headers['message-id']}>`).toBe(id);
  });
});

describe('webhooks()', () => {
  test('sends Postmark events with the user and password of the URL, or with a wrong password on request', async () => {
    const hooks = webhooks({ as: 'postmark', url: url.replace('//', '//hook:p%40ss@') });
    await hooks.bounced(EMAIL);
    expect(last().headers.authorization).toBe(`Basic ${btoa('hook:p@ss')}`);
    await hooks.bounced(EMAIL, { signature: 'wrong' });
    expect(last().headers.authorization).toMatch(/^Basic /);
    expect(last().headers.authorization).not.toBe(`Basic ${btoa('hook:p@ss')}`);
  });

  test('follows no redirect, and returns at most 4,096 characters of the response', async () => {
    application.answer = { status: 307, headers: { location: '/elsewhere' }, body: 'x'.repeat(100_000) };
    const { status, ok, body } = await hooksOf('resend').opened(EMAIL);
    expect({ status, ok, length: body.length, posts: application.arrived.length }).toEqual({
      status: 307,
      ok: false,
      length: 4_096,
      posts: 1,
    });
  });

  test('rejects if the application does not answer in time or is not reachable', async () => {
    application.answer = 'nothing';
    const slow = webhooks({ as: 'mailgun', url, secret: 'x', timeout: 50 });
    await expect(slow.opened(EMAIL)).rejects.toThrow(`The application at ${url} did not answer within 50 ms.`);
    const given = new AbortController();
    const asked = hooksOf('mailgun').opened(EMAIL, { signal: given.signal });
    given.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    const ended = hooksOf('mailgun').opened(EMAIL, { signal: AbortSignal.timeout(50) });
    await expect(ended).rejects.toMatchObject({ name: 'TimeoutError' });
    const unread = {
      ...EMAIL,
      load: (signal: AbortSignal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    };
    await expect(slow.opened(unread)).rejects.toThrow('The Mayfly that has the email did not answer within 50 ms.');
    const nowhere = webhooks({ as: 'postmark', url: 'http://127.0.0.1:1/' });
    await expect(nowhere.opened(EMAIL)).rejects.toThrow(
      'The application at http://127.0.0.1:1/ cannot be reached: bad port.',
    );
  });
});

describe('invalid input of webhooks()', () => {
  test.each([
    [{ as: 'ses', url: 'http://a.test' }, 'only Amazon can sign requests of SNS'],
    [{ as: 'mandrill', url: 'http://a.test' }, 'as must be resend, sendgrid, mailgun or postmark.'],
    [{ as: 'resend', url: 'http://a.test' }, '"whsec_…": pass it as secret.'],
    [{ as: 'resend', url: 'http://a.test', secret: 'whsec_dGVzdA==' }, 'base64 of 12 bytes or more'],
    [{ as: 'mailgun', url: 'http://a.test' }, 'Mailgun signs with the "HTTP webhook signing key"'],
    [{ as: 'postmark', url: 'http://a.test', secret: 'x' }, 'Postmark does not sign its requests and has no secret.'],
    [{ as: 'postmark', url: 'file:///etc/passwd' }, 'webhooks() needs the http or https url of the application'],
    [{ as: 'postmark', url: 'http://a.test', timout: 1 }, 'Did you mean timeout?'],
  ])('is rejected: %j', (options, sentence) => {
    expect(() => webhooks(options as never)).toThrow(sentence);
  });

  test('is rejected by opened() and clicked(): impossible signatures, wrong options, incomplete emails', async () => {
    const refused = async (asked: Promise<unknown>, sentence: string) => expect(asked).rejects.toThrow(sentence);
    const unsigned = webhooks({ as: 'sendgrid', url });
    await refused(unsigned.opened(EMAIL, { signature: 'stale' }), 'requests have no signature that can be wrong');
    await refused(hooksOf('postmark').opened(EMAIL, { signature: 'stale' }), 'none can have a stale signature');
    await refused(hooksOf('postmark').opened(EMAIL, { signature: 'wrong' }), 'put user and password into the url');
    await refused(hooksOf('resend').opened(EMAIL, { signature: 'wrong', twice: true }), 'omit "signature"');
    await refused(
      hooksOf('resend').opened(EMAIL, { signature: 'bad' as never }),
      'signature must be wrong, stale or replayed',
    );
    await refused(hooksOf('resend').opened(EMAIL, { link: 'x' } as never), '"link" is not an option');
    await refused(hooksOf('resend').clicked({ ...EMAIL, magicLink: null }), 'Pass the link that was followed');
    await refused(hooksOf('resend').clicked(EMAIL, { link: '' }), 'Pass the link that was followed');
    await refused(hooksOf('resend').opened(EMAIL, { id: '' }), 'opened(): id must be a non-empty string.');
    await refused(hooksOf('resend').opened(null as never), 'opened() needs an email');
    const partly = { ...EMAIL, id: undefined, receivedAt: 'soon' };
    await refused(hooksOf('resend').opened(partly as never), 'The given object has no id, receivedAt.');
    const unreadable = webhooks({ as: 'sendgrid', url, secret: 'not a key' });
    await refused(unreadable.opened(EMAIL), 'the secret of SendGrid must be a P-256 private key');
    expect(application.arrived).toEqual([]);
  });
});
