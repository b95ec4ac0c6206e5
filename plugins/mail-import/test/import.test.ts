import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { serviceOfFile } from '../../send-apis/test/provider.js';

const service = await serviceOfFile({ maxMessage: '4KiB', maxEmails: 2 });
const open = await serviceOfFile({ host: '0.0.0.0' });
const limited = await serviceOfFile({ smtpLimit: '1/1m', workspace: 'acme=s3cret-of-16-chars' });

let names = 0;
const newName = () => `import-${names++}`;

const MESSAGE = 'From: app@app.test\nSubject: Old\nMessage-ID: <old@app.test>\n\nYour code is 482913.\n';

function post(
  name: string,
  body: string | Uint8Array = MESSAGE,
  headers: Record<string, string> = {},
  url = service.url,
) {
  return fetch(`${url}/api/inbox/${name}/import`, { method: 'POST', body: body as string, headers });
}

const read = async (path: string) => (await fetch(service.url + path)).json() as Promise<Record<string, unknown>>;

test('an imported message reaches a waiting stream byte for byte, with a new receivedAt', async () => {
  const name = newName();
  const before = Date.now();
  const waiting = service.client.inbox(name).waitForEmail();
  const bytes = Buffer.from(`${MESSAGE}\0\xff lone\rCR and CRLF\r\n.\r\n`, 'latin1');
  const response = await post(name, bytes, { 'content-type': 'message/rfc822' });
  expect(response.status).toBe(200);
  const { receivedAt } = (await response.json()) as { receivedAt: string };
  const email = await waiting;
  expect(email).toMatchObject({ id: '<old@app.test>', subject: 'Old', otp: '482913', to: `${name}@inbox.example.com` });
  expect(email.receivedAt.toISOString()).toBe(receivedAt);
  expect(email.receivedAt.getTime()).toBeGreaterThanOrEqual(before);
  const raw = await fetch(`${service.url}/api/inbox/${name}/${receivedAt}/raw`);
  expect(Buffer.from(await raw.arrayBuffer())).toEqual(bytes);
});

test('an imported message names its source in its parts and in the delivery log', async () => {
  const name = newName();
  const response = await post(`${name}@inbox.example.com`);
  const { receivedAt } = (await response.json()) as { receivedAt: string };
  const { sendApi, envelope } = await read(`/api/inbox/${name}/${receivedAt}/parts`);
  expect(envelope).toEqual({ from: '', to: `${name}@inbox.example.com` });
  expect(sendApi).toMatchObject({
    provider: 'import',
    request: `POST /api/inbox/${name}@inbox.example.com/import`,
    body: null,
  });
  const { attempts } = (await read(`/api/inbox/${name}/attempts`)) as { attempts: object[] };
  expect(attempts).toMatchObject([{ way: 'import', outcome: 'kept' }]);

  const url = `${service.url}/api/inbox/${name}/import?file=caf%C3%A9.mbox`;
  const named = await fetch(url, { method: 'POST', body: MESSAGE });
  const { receivedAt: second } = (await named.json()) as { receivedAt: string };
  expect(await read(`/api/inbox/${name}/${second}/parts`)).toMatchObject({ sendApi: { body: { file: 'café.mbox' } } });
});

const FULL =
  'The message was not stored: 452 4.2.2 The inbox is full (--max-emails): try again when its mail has expired.';

test.each<[what: string, send: () => Promise<Response>, status: number, error: string]>([
  ['without a body', () => post(newName(), ''), 400, 'The request has no body. Send the bytes of one message.'],
  [
    'above --max-message',
    () => post(newName(), 'x'.repeat(5_000)),
    413,
    'The request body is too large. The limit is 4096 bytes.',
  ],
  ['to an invalid inbox', () => post('a..b'), 400, 'The inbox name is not valid.'],
  ['to a domain that is not served', () => post('a@other.test'), 400, 'this address has no inbox'],
  [
    'that names a file with a line break',
    () => post(`${newName()}/import?file=a%0Ab#`),
    400,
    '"file" is not valid: use it once',
  ],
  ['that is encoded', () => post(newName(), MESSAGE, { 'content-encoding': 'gzip' }), 415, 'Send the body unencoded'],
  [
    'that a proxy passed on',
    () => post(newName(), MESSAGE, { 'x-forwarded-for': '192.0.2.1' }),
    403,
    'only from the machine of the service',
  ],
  [
    'of another site',
    () => post(newName(), MESSAGE, { origin: 'https://evil.test' }),
    403,
    'Pages of https://evil.test may not use',
  ],
  [
    'to an inbox that simulates a refusal',
    () => post(`${newName()}--550`),
    409,
    'The message was not stored: 550 5.1.1',
  ],
])('a message %s is refused', async (_, send, status, error) => {
  const response = await send();
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.stringContaining(error) });
});

test('a full inbox refuses a message, and the delivery log says so', async () => {
  const name = newName();
  for (const status of [200, 200]) expect((await post(name)).status).toBe(status);
  const response = await post(name);
  expect([response.status, response.headers.get('mayfly-error'), await response.json()]).toEqual([
    409,
    'not-imported',
    { error: FULL },
  ]);
  const { attempts } = (await read(`/api/inbox/${name}/attempts`)) as { attempts: object[] };
  expect(attempts).toContainEqual(expect.objectContaining({ way: 'import', outcome: 'inbox-full' }));
});

test('a service that other machines can reach imports nothing', async () => {
  const response = await post(newName(), MESSAGE, {}, open.url);
  expect([response.status, response.headers.get('mayfly-error')]).toEqual([403, 'import-elsewhere']);
});

test('imports count toward --smtp-limit, and an inbox of a workspace needs its key', async () => {
  expect((await post('acme-a', MESSAGE, {}, limited.url)).status).toBe(401);
  const key = { authorization: 'Bearer s3cret-of-16-chars' };
  await post('acme-a', MESSAGE, key, limited.url);
  expect((await post('acme-a', MESSAGE, key, limited.url)).status).toBe(429);
});

test('a body that never ends does not delay other imports', async () => {
  const { hostname, port } = new URL(service.url);
  const slow = connect(Number(port), hostname);
  await once(slow, 'connect');
  slow.write(
    `POST /api/inbox/${newName()}/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\nSubject: `,
  );
  expect((await post(newName())).status).toBe(200);
  slow.destroy();
});
