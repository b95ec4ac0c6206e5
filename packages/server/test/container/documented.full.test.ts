/** Checks that docs (CI, Testcontainers, migrating), compose.yaml, Dockerfile and action match the service. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { needs } from '../../../../tools/needs.js';
import { installPacked, ROOT } from '../../../client/test/packed.js';
import { type AddressRange, isInRanges } from '../../src/limits/client-address.js';
import { freePort } from '../ports.js';
import '../../src/plugin/installed.js';
import { readSettings, settingsOfEnvironment } from '../../src/settings/reading.js';
import { SETTINGS } from '../../src/settings/table.js';
import { temporaryFolder } from '../service/process.js';
import { readDockerfile } from './dockerfile.js';

const run = promisify(execFile);
const read = (file: string) => readFile(path.join(ROOT, file), 'utf8');

const DOCUMENT = await read('docs/ci.md');
const PORTS = [SETTINGS['smtp-port'].default, SETTINGS['http-port'].default];

function blocks(language: string, document = DOCUMENT): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...document.matchAll(pattern)].map(([, code = '']) => code);
}

test('the compose file in docs/migrating.md replaces Mailpit with Mayfly on the same ports', async () => {
  const { services } = parse(blocks('yaml', await read('docs/migrating.md'))[0] ?? '');
  const { environment, ports, healthcheck } = services.mailpit;
  const listening = [environment.MAYFLY_SMTP_PORT, environment.MAYFLY_HTTP_PORT];
  expect(ports).toEqual(listening.map((port) => `127.0.0.1:${port}:${port}`));
  // compose.yaml needs no health check, because the image has one.
  expect(healthcheck).toBeUndefined();
  const image = readDockerfile(await read('Dockerfile')).at(-1);
  const settings = readSettings(new Map(), settingsOfEnvironment({ ...image?.environment, ...environment }));
  expect(settings).toMatchObject({ 'compat-api': 'mailpit', host: '0.0.0.0' });
  const { 'compat-api-callers': callers } = settings as unknown as Record<'compat-api-callers', AddressRange[]>;
  // Containers, and this machine through a published port, are allowed callers; public addresses are not.
  const isCaller = (address: string) => isInRanges(address, callers);
  expect(['172.17.0.1', '::ffff:192.168.65.1', '10.1.2.3', '127.0.0.1', '::1', 'fd00::2'].every(isCaller)).toBe(true);
  expect(['192.0.2.7', '172.32.0.1', '8.8.8.8', '2001:db8::1'].some(isCaller)).toBe(false);
});

test('the image has the documented user, volume, ports, environment and health check', async () => {
  const stages = readDockerfile(await read('Dockerfile'));
  const image = stages.pop();
  for (const stage of stages)
    expect(stage).toMatchObject({ image: expect.stringMatching(/^node:24-trixie/), isOfBuilder: true });
  expect(image).toMatchObject({
    image: 'gcr.io/distroless/cc-debian13:nonroot',
    user: '65532:65532',
    volume: '/data',
    stopSignal: 'SIGTERM',
    command: ['serve'],
    environment: { MAYFLY_HOST: '0.0.0.0', MAYFLY_DOMAIN: '*', MAYFLY_STORE: 'lmdb:/data' },
  });
  expect(image?.ports.map(String)).toEqual(PORTS);
  expect(image?.health).toMatchObject({ options: { interval: '5s', 'start-interval': '0.5s' } });
  const labels = ['title', 'description', 'url', 'source', 'documentation', 'licenses'];
  expect(Object.keys(image?.labels ?? {})).toEqual(labels.map((name) => `org.opencontainers.image.${name}`));
});

test('the commands under "Any CI with Node" in docs/ci.md run in another project', needs('curl'), async () => {
  const project = await temporaryFolder();
  try {
    const { tarball } = await installPacked(project.path, path.join(ROOT, 'packages/server'));
    // Removes the linked packages, which npm would build here. A user's packages are not linked.
    await rm(path.join(project.path, 'node_modules'), { recursive: true });
    await writeFile(
      path.join(project.path, 'package.json'),
      '{ "private": true, "scripts": { "test": "node test.mjs" } }',
    );
    const inProject = { cwd: project.path, env: { ...process.env, npm_config_prefer_offline: 'true' } };
    await run('npm', ['install', '--no-audit', '--no-fund', tarball], inProject);
    const [, lines = ''] = /\n## Any CI with Node\n\n```sh\n([\s\S]*?)```/.exec(DOCUMENT) ?? [];
    // Other processes may use the default ports, so the environment sets free ones.
    const [smtpPort, httpPort] = [`${await freePort()}`, `${await freePort()}`];
    await writeFile(
      path.join(project.path, 'test.mjs'),
      `const { status } = await fetch('http://127.0.0.1:${httpPort}/api/inbox/demo'); console.log('asked:', status);`,
    );
    const env = { ...inProject.env, MAYFLY_HTTP_PORT: httpPort, MAYFLY_SMTP_PORT: smtpPort };
    const shell = spawn('bash', ['-ec', lines.replaceAll('8080', httpPort)], {
      ...inProject,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [said, [exitCode]] = await Promise.all([text(shell.stdout), once(shell, 'exit')]);
    // Kills background processes of the job, as the end of a CI job does.
    process.kill(-Number(shell.pid), 'SIGKILL');
    expect({ exitCode, said }).toMatchObject({
      exitCode: 0,
      said: expect.stringMatching(/"ready"\}[\s\S]*asked: 200\n/),
    });
    expect(await readFile(path.join(project.path, 'mayfly.log'), 'utf8')).toContain(
      `ready smtp=127.0.0.1:${smtpPort} `,
    );
  } finally {
    await project.remove();
  }
});
