/** Tests that errors of HTTP and of the store also have the provider's format. */
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { httpErrors, RequestError } from 'mayfly-inbox/plugin';
import type { Provider } from 'mayfly-plugins-shared/sending/desk';
import { faultIn } from 'mayfly-plugins-shared/sending/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningMayfly, serve } from '../../../packages/server/test/service/process.js';
import { mailgun } from '../src/mailgun/mailgun.js';
import { postmark } from '../src/postmark/postmark.js';
import { resend } from '../src/resend/resend.js';
import { sendgrid } from '../src/sendgrid/sendgrid.js';
import { sesV1, sesV2 } from '../src/ses/ses.js';
import { PATIENCE_MS } from './provider.js';
import { NAMES, type Name, REQUESTS, send } from './requests.js';

const PROVIDERS: Readonly<Record<Name, Provider>> = {
  resend,
  sendgrid,
  postmark,
  ses: sesV2,
  'ses v1': sesV1,
  mailgun,
};

let folder: string;
let service: RunningMayfly;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mayfly-templates-'));
  service = await serve(['--store', 'memory:', '--templates', folder, '--log-format', 'json']);
  await symlink('loop.txt', path.join(folder, 'loop.txt'));
}, PATIENCE_MS);
afterAll(async () => {
  await service.end('SIGTERM');
  await rm(folder, { recursive: true });
});

const BODY_BYTES = 1_000;

/** Whether applications and SDKs retry after this status. */
const isTriedAgain = (status: number) => status === 429 || status >= 500;

describe.each(NAMES)('an error response in the format of %s', (name) => {
  const { mail, template, isError } = REQUESTS[name];
  const provider = PROVIDERS[name];

  test('exists for every error code of Mayfly', () => {
    for (const row of Object.values(httpErrors)) {
      const { problem, headers } = faultIn(new RequestError(row, { limit: 1 }), BODY_BYTES);
      const { status, body, headers: own = {} } = provider.answer(problem);
      expect(isError(body.toString(), new Headers(own)), row.code).toBe(true);
      expect(status, row.code).toBeGreaterThanOrEqual(400);
      expect(headers).toMatchObject({ 'mayfly-error': row.code, 'mayfly-hint': expect.any(String) });
      if (row.status === 429 || row.status === 503) {
        // SES version 1 throttles with 400, and reports a full disk as an exceeded quota.
        const isKnown = row.code === 'disk-full' || body.toString().includes('Throttling');
        expect(isTriedAgain(status) || isKnown, row.code).toBe(true);
      }
    }
  });

  // Skips version 1 of SES: it shares its path with the web UI, so not all errors there have its format.
  if (provider.roots.length > 0)
    test('is a 405 with Allow for another method, and a 404 for another path', async () => {
      const sent = mail('a@inbox.example.com');
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await send(service.url, sent, { method });
        expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
        expect(isError(await answer.text(), answer.headers)).toBe(true);
      }
      for (const method of ['POST', 'GET', 'DELETE']) {
        const answer = await send(service.url, { ...sent, path: `${sent.path}/nothing/here` }, { method });
        expect(answer.status).toBe(404);
        expect(isError(await answer.text(), answer.headers)).toBe(true);
      }
    });

  if (provider.roots.length > 0)
    test('is sent for a path that cannot be decoded, and for a broken body', async () => {
      const sent = mail('a@inbox.example.com');
      const badPath = await send(service.url, { ...sent, path: `${sent.path}/%zz` });
      expect([badPath.status >= 400, badPath.headers.get('mayfly-error')]).toEqual([true, 'bad-url']);
      expect(isError(await badPath.text(), badPath.headers)).toBe(true);
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      const head = `POST ${sent.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${sent.headers['content-type']}`;
      socket.write(`${head}\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n`);
      let said = '';
      for await (const chunk of socket) said += chunk;
      const [, body = ''] = said.split('\r\n\r\n');
      const errorType = /x-amzn-errortype: (.*)/i.exec(said)?.[1];
      const headers = new Headers(errorType === undefined ? {} : { 'x-amzn-errortype': errorType });
      expect(said).toMatch(/^HTTP\/1\.1 4/);
      expect(isError(body, headers)).toBe(true);
    });

  test('is also sent if the Host header names a host other than the service', async () => {
    const { path: where, headers, body } = mail('a@inbox.example.com');
    const sent = request(service.url + where, { method: 'POST', headers: { ...headers, host: 'evil.test' } });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    let text = '';
    for await (const chunk of answer) text += chunk;
    expect(isError(text, new Headers(answer.headers))).toBe(true);
    expect(answer.headers['mayfly-error']).toBe('foreign-host');
  });

  test('is a 500 for an internal error, which is logged', async () => {
    const answer = await send(service.url, template('a@inbox.example.com', 'loop'));
    expect(answer.status).toBe(500);
    expect(isError(await answer.text(), answer.headers)).toBe(true);
    await expect.poll(() => service.log()).toContain('ELOOP');
  });
});
