import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { WebhookEmail } from 'mayfly-client/webhooks';
import { afterAll, beforeEach } from 'vitest';

export const RESEND_SECRET = `whsec_${Buffer.from('a secret of a test, long').toString('base64')}`;

export const EMAIL: WebhookEmail = {
  id: '<m1@app.example.test>',
  from: 'app@example.test',
  fromName: 'Acme',
  to: 'ann@inbox.example.com',
  subject: 'Confirm – jetzt',
  rawBody: 'Subject: Confirm\r\n\r\nHello\r\n',
  magicLink: 'https://app.example.test/confirm?token=1',
  receivedAt: new Date('2026-01-31T09:30:00.000Z'),
};

export interface Arrived {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly body: string;
}

type Answer = { status: number; body?: string; headers?: Record<string, string> } | 'nothing';

/** The application of a test file: `arrived` has the posts of the current test, and `answer` is sent to each. */
export async function applicationOfFile() {
  const application = { arrived: [] as Arrived[], answer: { status: 200 } as Answer, url: '' };
  const server = createServer(async (request, response) => {
    const { url: path = '' } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, `${value}`]));
    const bytes = await buffer(request);
    application.arrived.push({ path, headers, bytes, body: bytes.toString() });
    const { answer } = application;
    if (answer !== 'nothing') response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  application.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeEach(() => void Object.assign(application, { arrived: [], answer: { status: 200 } }));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { application, last: () => application.arrived.at(-1) as Arrived };
}
