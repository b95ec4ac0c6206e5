/** Tests a message to an open inbox with Bcc to inboxes that the open inbox's reader may not open. */
import { describe, expect, test } from 'vitest';
import { marksIn, messagesOf, post, type Values, type Viewer } from './apart.js';
import { everyRoute } from './every-route.js';
import { transportTo } from './process.js';
import { serviceOnDisk } from './service-on-disk.js';
import { basic } from './two-workspaces.js';

const KEY = 'acme-key-0123456789abcdef';

const PRIVATE = `p-${'a'.repeat(26)}`;

const HIDDEN = 'acme-hidden7';

const at = (name: string) => `${name}@inbox.example.com`;

const [FROM, TO, BCC] = ['app@app.example', at('open1'), [at(HIDDEN), at(PRIVATE)]];

const TEXT = 'Your code is 482913';

/** The text of messages that do not go to the open inbox. Each batch sends that inbox a message with another text. */
const SECRET = 'secret-of-acme-908172';

/** Texts that callers without a key must not see. */
const MARKS = [HIDDEN, PRIVATE, SECRET];

const ANYONE: Viewer = { pair: null, authorization: null };

const OF_A_PROVIDER: Viewer = { pair: 're_another_services_key', authorization: null };

const LIMITS = ['--fetch-limit', 'off', '--read-limit', 'off', '--compat-api-limit', 'off', '--wrong-key-limit', 'off'];

const form = (fields: Record<string, string>) => new URLSearchParams(fields);

const sendgridMail = (personalizations: readonly object[]) => ({
  from: { email: FROM },
  subject: 'By sendgrid',
  content: [{ type: 'text/plain', value: TEXT }],
  personalizations,
});

const sesMail = (destination: object) => ({
  FromEmailAddress: FROM,
  Destination: destination,
  Content: { Simple: { Subject: { Data: 'By ses' }, Body: { Text: { Data: TEXT } } } },
});

/** A message to the open inbox with Bcc to the others, by provider. */
const BLIND_COPIES: readonly (readonly [name: string, path: string, body: object])[] = [
  ['resend', '/emails', { from: FROM, to: TO, bcc: BCC, subject: 'By resend', text: TEXT }],
  ['postmark', '/email', { From: FROM, To: TO, Bcc: BCC.join(), Subject: 'By postmark', TextBody: TEXT }],
  [
    'mailgun',
    '/v3/app.example/messages',
    form({ from: FROM, to: TO, bcc: BCC.join(), subject: 'By mailgun', text: TEXT }),
  ],
  ['sendgrid', '/v3/mail/send', sendgridMail([{ to: [{ email: TO }], bcc: BCC.map((email) => ({ email })) }])],
  ['ses', '/v2/email/outbound-emails', sesMail({ ToAddresses: [TO], BccAddresses: BCC })],
];

/** Requests with a different message for each inbox. */
const BATCHES: readonly (readonly [name: string, path: string, body: object])[] = [
  [
    'resend',
    '/emails/batch',
    [TO, ...BCC].map((to) => ({ from: FROM, to, subject: 'Batch', text: to === TO ? TEXT : SECRET })),
  ],
  [
    'postmark',
    '/email/batch',
    [TO, ...BCC].map((To) => ({ From: FROM, To, Subject: 'Batch', TextBody: To === TO ? TEXT : SECRET })),
  ],
  [
    'mailgun',
    '/v3/app.example/messages',
    form({
      from: FROM,
      to: [TO, ...BCC].join(),
      subject: 'Batch',
      text: '%recipient.text%',
      'recipient-variables': JSON.stringify(
        Object.fromEntries([TO, ...BCC].map((to) => [to, { text: to === TO ? TEXT : SECRET }])),
      ),
    }),
  ],
  [
    'sendgrid',
    '/v3/mail/send',
    sendgridMail([TO, ...BCC].map((email) => ({ to: [{ email }], subject: email === TO ? 'Hello' : SECRET }))),
  ],
];

describe.each(['mailpit', 'mailhog'] as const)('with the %s plugin', (tool) => {
  const service = serviceOnDisk([
    ...['--compat-api', tool, '--mcp', '--send-apis', 'all', '--workspace', `acme=${KEY}`, ...LIMITS],
  ]);

  /** Finds the newest email of the open inbox with this subject. Resolves to values for the parameters of paths. */
  async function found(subject: string): Promise<Values> {
    const answer = await fetch(`${service.mayfly.url}/api/inbox/open1/summary?subject=${subject}`);
    const { emails } = (await answer.json()) as { emails: { id: string; receivedAt: string }[] };
    const [email] = emails;
    if (email === undefined) throw new Error(`There is no email "${subject}".`);
    const id = email.id.replace(/[<>]/g, '');
    const [local = '', domain = ''] = id.split('@');
    const list = await messagesOf(service.mayfly, tool, {});
    return {
      ...{ name: 'open1', receivedAt: email.receivedAt, path: '1', run: 'abcdefghijklmnopqrstuvwxyz', part: '1' },
      ...{ tag: 'x', '*': 'x', id: list[0]?.ID ?? '', file: `${list[0]?.ID}.html` },
      ...{ domain, resend: local, postmark: local, mailgun: id, stored: local, sid: 'AC1', twilio: 'SM1' },
    };
  }

  const namesShown = async (values: Values, viewer: Viewer) => {
    const shown: string[] = [];
    for (const route of await everyRoute(tool)) {
      if (route.method === 'DELETE' || /\/(?:stream|events)\/?$/.test(route.path)) continue;
      shown.push(...(await marksIn(service.mayfly, route, values, viewer, MARKS)));
    }
    return shown;
  };

  test.each(BLIND_COPIES)(
    'no route shows a reader of one inbox the blind copies of a message sent with %s',
    async (name, path, body) => {
      await post(service.mayfly, path, {}, body);
      const values = await found(`By ${name}`);
      expect(await namesShown(values, ANYONE)).toEqual([]);
      expect(await namesShown(values, OF_A_PROVIDER)).toEqual([]);
    },
  );

  test('no route shows a reader of one inbox the Bcc recipients of a message sent over SMTP', async () => {
    const smtp = transportTo(service.mayfly);
    const mail = { from: FROM, to: TO, bcc: BCC, subject: 'Over SMTP', text: TEXT, messageId: '<a@resend.dev>' };
    await smtp.sendMail(mail).finally(() => smtp.close());
    expect(await namesShown(await found('Over SMTP'), ANYONE)).toEqual([]);
  });

  test.each(BATCHES)(
    'after a batch sent with %s, no route shows a reader of one inbox the messages to other inboxes',
    async (name, path, body) => {
      await post(service.mayfly, path, {}, body);
      const values = await found(name === 'sendgrid' ? 'Hello' : 'Batch');
      expect(await namesShown(values, ANYONE)).toEqual([]);
    },
  );

  test('a workspace with its key sees the blind copies to its own inboxes', async () => {
    const [name, path, body] = BLIND_COPIES[1] as (typeof BLIND_COPIES)[number];
    await post(service.mayfly, path, {}, body);
    const { postmark = '' } = await found(`By ${name}`);
    const ask = async (key: string) => {
      const headers = { 'x-postmark-server-token': key };
      const answer = await fetch(`${service.mayfly.url}/messages/outbound/${postmark}/details`, { headers });
      return ((await answer.json()) as { Recipients: string[] }).Recipients;
    };
    expect(await ask('another-services-key')).toEqual([TO]);
    expect(await ask(KEY)).toEqual([TO, at(HIDDEN)]);
  });

  test('a message to a workspace can be found, canceled and changed only with its key', async () => {
    const { id } = await post(
      service.mayfly,
      '/emails',
      {},
      { from: FROM, to: at(HIDDEN), subject: 'x', text: SECRET },
    );
    const ask = async (method: string, path: string, key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${service.mayfly.url}/emails/${id}${path}`, { method, headers })).status;
    };
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/cancel'],
    ] as const) {
      expect([method, await ask(method, path, 're_123'), await ask(method, path, KEY)]).toEqual([method, 404, 200]);
    }
    const fields = form({ from: FROM, to: at(HIDDEN), subject: 'x', text: SECRET });
    const sent = await post(service.mayfly, '/v3/app.example/messages', {}, fields);
    const events = async (key: string) => {
      const url = `${service.mayfly.url}/v3/app.example/events?message-id=${sent.id.replace(/[<>]/g, '')}`;
      const answer = await fetch(url, { headers: { authorization: basic(`api:${key}`) } });
      return ((await answer.json()) as { items: { recipient: string }[] }).items.map(({ recipient }) => recipient);
    };
    expect(await events('key-123')).toEqual([]);
    expect(await events(KEY)).toEqual([at(HIDDEN), at(HIDDEN)]);
  });

  test('a message shows the API request that sent it if one key opens the inboxes of all its recipients', async () => {
    const mail = { from: FROM, to: at('acme-one'), bcc: at('acme-two'), subject: 'Within', text: TEXT };
    await post(service.mayfly, '/emails', {}, { ...mail, tags: [{ name: 'a', value: 'b' }] });
    const headers = { authorization: `Bearer ${KEY}` };
    const inbox = `${service.mayfly.url}/api/inbox/acme-one`;
    const { emails } = (await (await fetch(`${inbox}/summary`, { headers })).json()) as {
      emails: { receivedAt: string }[];
    };
    const parts = await (await fetch(`${inbox}/${emails[0]?.receivedAt}/parts`, { headers })).json();
    expect(parts).toMatchObject({ sendApi: { body: { bcc: at('acme-two'), tags: [{ name: 'a', value: 'b' }] } } });
  });
});

describe('the limit on wrong keys', () => {
  const service = serviceOnDisk([
    ...['--send-apis', 'all', '--workspace', `acme=${KEY}`, '--wrong-key-limit', '3/1h', '--fetch-limit', 'off'],
  ]);

  test('applies to clients that try keys on the status route of an email sent to a workspace', async () => {
    const send = (to: string) => post(service.mayfly, '/emails', {}, { from: FROM, to, subject: 'x', text: TEXT });
    const [open, hidden] = [await send(TO), await send(at(HIDDEN))];
    const ask = async ({ id }: { readonly id: string }, key: string) => {
      const answer = await fetch(`${service.mayfly.url}/emails/${id}`, { headers: { authorization: `Bearer ${key}` } });
      return [answer.status, answer.headers.get('mayfly-error')];
    };
    // At an open inbox, another service's key does not count as a guess.
    for (let i = 0; i < 5; i += 1) expect(await ask(open, `re_of_another_service_${i}`)).toEqual([200, null]);
    expect(await ask(hidden, KEY)).toEqual([200, null]);
    for (let i = 0; i < 3; i += 1) expect((await ask(hidden, `guess-0123456789-${i}`))[0]).toBe(404);
    expect(await ask(hidden, 'guess-0123456789-9')).toEqual([429, 'too-many-wrong-keys']);
    expect(await ask(hidden, KEY)).toEqual([429, 'too-many-wrong-keys']);
    expect(await ask(open, KEY)).toEqual([200, null]);
  });
});
