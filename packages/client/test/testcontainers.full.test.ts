/** Tests `MayflyContainer` with the real Testcontainers library, on a fake engine that runs containers as processes. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { MayflyContainer, type StartedMayflyContainer } from 'mayfly-client/testcontainers';
import { createTransport } from 'nodemailer';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEngine, type TestEngine } from './container-engine.js';
import { ROOT } from './packed.js';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
  vi.stubEnv('DOCKER_HOST', engine.host);
  // Ryuk, which removes leftover containers, would need a real container.
  vi.stubEnv('TESTCONTAINERS_RYUK_DISABLED', 'true');
});

afterAll(async () => {
  await engine.stop();
  vi.unstubAllEnvs();
});

const started = new Set<StartedMayflyContainer>();

async function start(container = new MayflyContainer()): Promise<StartedMayflyContainer> {
  const running = await container.start();
  started.add(running);
  return running;
}

afterEach(async () => {
  await Promise.all([...started].map((container) => container.stop()));
  started.clear();
});

/** Acts as the application under test. */
async function mailCode(container: StartedMayflyContainer, to: string, auth?: { user: string; pass: string }) {
  const transport = createTransport({
    host: container.getSmtpHost(),
    port: container.getSmtpPort(),
    ...(auth && { auth }),
  });
  await transport.sendMail({ from: 'app@example.test', to, subject: 'Welcome', text: 'Your code is 482913' });
}

test('MayflyContainer without settings runs the image unchanged, and delivers a code', async () => {
  const container = await start();
  expect(engine.requests.at(-1)).toMatchObject({
    Image: MayflyContainer.IMAGE,
    ExposedPorts: { '2525/tcp': {}, '8080/tcp': {} },
  });
  expect(engine.requests.at(-1)?.Env ?? []).toEqual([]);
  const inbox = container.mayfly().createInbox();
  await mailCode(container, inbox.address);
  expect(await inbox.waitForOtp()).toBe('482913');
  expect((await fetch(`${container.getHttpUrl()}/inbox/${inbox.name}`)).status).toBe(200);
  await mailCode(container, 'ada@any.example');
  expect(await container.mayfly().inbox('ada@any.example').waitForOtp()).toBe('482913');
  await container.stop();
  expect(engine.count()).toBe(0);
});

test('MayflyContainer passes settings to the service as environment variables', async () => {
  const settings = {
    domain: ['acme.test', 'b.test'],
    adHocWorkspaces: true,
    maxEmails: 2,
    inboxBy: 'name',
    page: undefined,
  } as const;
  const container = await start(new MayflyContainer().withSettings(settings));
  expect(engine.requests.at(-1)?.Env).toEqual([
    'MAYFLY_DOMAIN=acme.test,b.test',
    'MAYFLY_AD_HOC_WORKSPACES=true',
    'MAYFLY_MAX_EMAILS=2',
    'MAYFLY_INBOX_BY=name',
  ]);
  const inbox = container.mayfly({ credentials: 'run-7:secret' }).createInbox();
  expect(inbox.address).toMatch(/@acme\.test$/);
  await mailCode(container, inbox.address, { user: 'run-7', pass: 'secret' });
  expect(await inbox.waitForOtp()).toBe('482913');
  await expect(mailCode(container, 'ada@elsewhere.test')).rejects.toThrow(
    /only accepts mail for acme\.test, b\.test\./,
  );
});

test("MayflyContainer fails to start with an invalid setting, and the error has the service's message", async () => {
  const container = new MayflyContainer().withSettings({ retention: 'long' });
  await expect(container.start()).rejects.toThrow(/MAYFLY_RETENTION: "long" is not valid: /);
});

test.each(['MAYFLY_HOST', 'MAYFLY_HTTP_PORT', 'MAYFLY_SMTP_PORT'])('MayflyContainer rejects %s', async (variable) => {
  const asked = engine.requests.length;
  await expect(new MayflyContainer().withEnvironment({ [variable]: '1025' }).start()).rejects.toThrow(
    `${variable} cannot be set: Testcontainers publishes the ports 2525 and 8080 of the image on free ports. getSmtpPort() and getHttpUrl() return them.`,
  );
  expect(engine.requests).toHaveLength(asked);
});

describe('withSettings', () => {
  const cases: [string, unknown, RegExp][] = [
    [
      'a name that is not a setting',
      { domains: ['a.test'] },
      /^withSettings: "domains" is not an option\. Did you mean domain\?$/,
    ],
    ['a port of the service', { httpPort: 1 }, /^withSettings: "httpPort" is not an option\./],
    [
      'an object as the value of a setting',
      { domain: {} },
      /^withSettings: domain must be a string, a number, a boolean or an array of strings\.$/,
    ],
    ['an empty list', { domain: [] }, /^withSettings: domain must be /],
    ['null', { retention: null }, /^withSettings: retention must be /],
    ['settings that are not an object', 'domain', /^withSettings: the options must be an object\.$/],
  ];
  test.each(cases)('rejects %s', (_name, settings, sentence) => {
    expect(() => new MayflyContainer().withSettings(settings as object)).toThrow(sentence);
  });
});

test('the example of docs/testcontainers.md runs, and removes its container', async () => {
  const before = engine.requests.length;
  const example = path.join(ROOT, 'examples/testcontainers/node/sign-up.test.mjs');
  const { MAYFLY_URL: _, NODE_OPTIONS: __, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter', 'tap', example], {
    env,
  });
  expect(stdout).toMatch(/^# pass 1$/m);
  expect(engine.requests.slice(before)).toMatchObject([{ Env: ['MAYFLY_DOMAIN=acme.test'] }]);
  expect(engine.count()).toBe(0);
});
