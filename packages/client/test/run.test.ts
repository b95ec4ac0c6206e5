import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReportedTest, RunReport, RunResponse } from 'mayfly-client';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isRunSecret, newRunSecret } from '../../protocol/src/run-secret.js';
import { mayflyOfTest, provideRun, runReported, runSecret } from '../src/fixtures/fixtures.js';
import { MAX_REPORT_BYTES, MAX_REPORTED_AT_ONCE, MAX_REPORTED_INBOXES } from '../src/fixtures/run-reports.js';
import { MayflyOptionError } from '../src/index.js';
import { freshName, startService } from './service.js';

const KEY = 'acme=acme-key-of-16-chars';

afterEach(() => {
  vi.unstubAllEnvs();
});

type Answer = (request: IncomingMessage, response: ServerResponse, report: RunReport) => void;

async function takingReports(answer: Answer = (_, response) => response.end('{"tests":1}')) {
  const reports: RunReport[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const report: RunReport = body === '' ? { tests: [] } : JSON.parse(body);
    if (body !== '') reports.push(report);
    answer(request, response, report);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { reports, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function lastOf(reports: readonly RunReport[]): ReportedTest[] {
  return [...new Map(reports.flatMap(({ tests }) => tests).map((one) => [one.id, one])).values()];
}

function newRun(): string {
  const secret = newRunSecret();
  vi.stubEnv('MAYFLY_RUN', secret);
  return secret;
}

describe('the secret in MAYFLY_RUN', () => {
  test.each(['abc', 'A'.repeat(26), '1'.repeat(26), 'a'.repeat(27), `${'a'.repeat(26)}\n`, 'on'])(
    'is rejected if it is %j, and the error does not contain it',
    (given) => {
      vi.stubEnv('MAYFLY_RUN', given);
      expect(isRunSecret(given)).toBe(false);
      expect(() => mayflyOfTest({}, 'a test')).toThrow(MayflyOptionError);
      expect(() => runSecret()).toThrow(/^MAYFLY_RUN is not the secret of a run\. Set 26 random characters/);
      expect(() => runSecret()).not.toThrow(given);
    },
  );

  test('is created for a run and its workers, printed once, and removed at the end', async () => {
    const service = await startService();
    onTestFinished(() => service.stop());
    vi.stubEnv('MAYFLY_RUN', '');
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const end = await provideRun(service.url);
    const again = await provideRun(service.url);
    expect(said.mock.calls).toEqual([[`Mayfly shows this run at ${service.url}/run/${process.env.MAYFLY_RUN}\n`]]);
    said.mockRestore();
    again();
    expect(isRunSecret(String(process.env.MAYFLY_RUN))).toBe(true);
    end();
    expect(process.env.MAYFLY_RUN).toBe('');
  });
});

describe("run reports of a fixture's client", () => {
  test('contain the inboxes, waits and outcome, carry the API key, and return the URL of a failed test', async () => {
    const keys = new Set<string | undefined>();
    const { reports, baseUrl } = await takingReports((request, response) => {
      keys.add(request.headers.authorization);
      response.end('{"tests":1}');
    });
    const service = await startService();
    onTestFinished(() => service.stop());
    const secret = newRun();
    const { mayfly, ended } = mayflyOfTest({ baseUrl, apiKey: KEY }, 'a \u001b[31mred\u001b[39m test');
    const made = mayfly.createInbox({ prefix: 'made' });
    const named = mayfly.inbox(freshName());
    const shown = await ended({ outcome: 'failed', error: new TypeError('\u001b[31mWhy\u001b[39m\nnot') });
    const [{ id = '' } = {}] = lastOf(reports);
    expect(shown).toContain(`${baseUrl}/run/${secret}#${id}`);
    expect(lastOf(reports)).toEqual([
      {
        ...{ id: expect.stringMatching(/^[a-z2-7]{12}$/), title: 'a red test', outcome: 'failed' },
        ...{ inboxes: [made.name, named.name], error: 'TypeError: Why\nnot', waits: [] },
      },
    ]);
    expect([...keys]).toEqual(['Bearer acme-key-of-16-chars']);
  });

  test('include the errors of waits, even if the test catches them and passes', async () => {
    const service = await startService();
    onTestFinished(() => service.stop());
    const secret = newRun();
    const { mayfly, ended } = mayflyOfTest({ baseUrl: service.url }, 'waits');
    const inbox = mayfly.createInbox();
    await service.mail(inbox.name);
    await expect(inbox.waitForOtp({ timeout: 5_000 })).rejects.toThrow('Waited 5 s for an email with a code.');
    await expect(inbox.expectNoEmail({ within: 0 })).rejects.toThrow('Expected no email');
    expect(await ended({ outcome: 'passed' })).toBeNull();
    await runReported();
    const { tests } = (await (await fetch(`${service.url}/api/run/${secret}`)).json()) as RunResponse;
    expect(tests).toMatchObject([
      {
        ...{ title: 'waits', outcome: 'passed', error: null },
        waits: [
          {
            ...{ to: inbox.address, text: expect.stringContaining('Waited 5 s'), asked: 'an email with a code' },
            arrived: [{ subject: 'Hello', why: expect.stringContaining('no code') }],
          },
          {
            ...{ to: inbox.address, text: expect.stringContaining('Expected no email, but 1 email came') },
            ...{ asked: 'no email', arrived: [{ subject: 'Hello', why: 'matches' }] },
          },
        ],
        inboxes: [{ to: inbox.name, emails: [{ subject: 'Hello' }] }],
      },
    ]);
  });

  test("stay within the service's limits if a test has a long title, a long error and many inboxes", async () => {
    const { reports, baseUrl } = await takingReports();
    newRun();
    const { mayfly, ended } = mayflyOfTest({ baseUrl }, '€'.repeat(1_000));
    for (let at = 0; at < 50; at += 1) mayfly.inbox(freshName());
    await ended({ outcome: 'failed', error: new Error('€\u0000'.repeat(100_000)) });
    await runReported();
    const [reported] = lastOf(reports);
    expect(reported?.inboxes).toHaveLength(MAX_REPORTED_INBOXES);
    expect(reported?.title).toHaveLength(300);
    for (const report of reports)
      expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThan(MAX_REPORT_BYTES + 100);
  });

  test('combine many tests into few requests, and no request contains a test twice', async () => {
    const { reports, baseUrl } = await takingReports();
    newRun();
    for (let at = 0; at < 300; at += 1) {
      const { mayfly, ended } = mayflyOfTest({ baseUrl }, `test ${at}`);
      mayfly.createInbox();
      void ended({ outcome: 'passed' });
    }
    await runReported();
    expect(lastOf(reports)).toHaveLength(300);
    expect(lastOf(reports).every(({ outcome }) => outcome === 'passed')).toBe(true);
    expect(reports.length).toBeLessThan(20);
    for (const { tests } of reports) {
      expect(tests.length).toBeLessThanOrEqual(MAX_REPORTED_AT_ONCE);
      expect(new Set(tests.map(({ id }) => id)).size).toBe(tests.length);
    }
  });

  test.each([429, 503])('are sent again after status %i', async (status) => {
    let refusals = 0;
    let take = (_report: RunReport) => {};
    const taken = new Promise<RunReport>((resolve) => {
      take = resolve;
    });
    const { baseUrl } = await takingReports((_, response, report) => {
      if (refusals++ === 0) response.writeHead(status).end();
      else {
        response.end('{"tests":1}');
        take(report);
      }
    });
    newRun();
    const { mayfly } = mayflyOfTest({ baseUrl }, 'a test');
    mayfly.createInbox();
    expect((await taken).tests).toMatchObject([{ title: 'a test', outcome: 'running' }]);
  });

  test.each([404, 401, 400, 409, 500])('stop after status %i, and the client prints nothing', async (status) => {
    const { reports, baseUrl } = await takingReports((_, response) => response.writeHead(status).end());
    newRun();
    for (const title of ['one', 'two']) {
      const { mayfly, ended } = mayflyOfTest({ baseUrl }, title);
      mayfly.createInbox();
      expect(await ended({ outcome: 'failed', error: 'why' })).toBeNull();
    }
    await runReported();
    expect(reports).toHaveLength(1);
  });

  test('are sent only once to a service that never answers, and delay no passed test', async () => {
    const { reports, baseUrl } = await takingReports(() => {});
    newRun();
    const { mayfly, ended } = mayflyOfTest({ baseUrl }, 'a test');
    mayfly.createInbox();
    expect(await ended({ outcome: 'passed' })).toBeNull();
    await runReported();
    const later = mayflyOfTest({ baseUrl }, 'later');
    later.mayfly.createInbox();
    expect(await later.ended({ outcome: 'passed' })).toBeNull();
    expect(reports).toHaveLength(1);
  });

  test('are not sent if MAYFLY_RUN is off', async () => {
    const { reports, baseUrl } = await takingReports();
    vi.stubEnv('MAYFLY_RUN', 'off');
    const { mayfly, ended } = mayflyOfTest({ baseUrl }, 'a test');
    mayfly.createInbox();
    expect(await ended({ outcome: 'failed', error: 'why' })).toBeNull();
    await runReported();
    expect(reports).toEqual([]);
  });
});
