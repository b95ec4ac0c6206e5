/** What docs/ci.md, docs/testcontainers.md, docs/moving.md, compose.yaml, the Dockerfile and the action say agrees with the service and with each other. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { needs } from '../../../../tools/needs.js';
import { installPacked, ROOT } from '../../../client/test/packed.js';
import { exportMail } from '../../src/commands/export.js';
import { isInRanges } from '../../src/limits/client-address.js';
import { environmentName, readSettings, settingNames, settingsOfEnvironment } from '../../src/settings/reading.js';
import { SETTINGS } from '../../src/settings/table.js';
import { temporaryFolder } from '../service/process.js';
import { contextFiles } from './built-image.js';
import { readDockerfile } from './dockerfile.js';

/** Packages are installed, on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const run = promisify(execFile);
const read = (file: string) => readFile(path.join(ROOT, file), 'utf8');

const DOCUMENT = await read('docs/ci.md');
const { version, workspaces, repository } = JSON.parse(await read('package.json'));
const [major, minor] = version.split('.');
/** `owner/name`, in small letters once it is no placeholder. */
const NAME = /github\.com\/(.*)\.git$/.exec(repository.url)?.[1] ?? '';
const IMAGE = `ghcr.io/${NAME.startsWith('OWNER/') ? NAME : NAME.toLowerCase()}:${major}.${minor}`;
const PORTS = [SETTINGS['smtp-port'].default, SETTINGS['http-port'].default];

/** The code blocks of a document in a language. */
function blocks(language: string, document = DOCUMENT): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...document.matchAll(pattern)].map(([, code = '']) => code);
}

const FILES = [
  'docs/ci.md',
  'docs/testcontainers.md',
  'docs/moving.md',
  'compose.yaml',
  'Dockerfile',
  'action/action.yml',
  'action/start.js',
  'action/collect/action.yml',
];

test('YAML is YAML', async () => {
  const files = FILES.filter((file) => /\.ya?ml$/.test(file));
  const texts = [...blocks('yaml'), ...(await Promise.all(files.map(read)))];
  expect(blocks('yaml')).toHaveLength(5);
  for (const text of texts) {
    const { errors, warnings } = parseDocument(text, { strict: true });
    expect([...errors, ...warnings]).toEqual([]);
  }
});

test('every variable of ours is one that the service or the client reads', async () => {
  const known = [...settingNames().map(environmentName), 'MAYFLY_URL', 'MAYFLY_API_KEY', 'MAYFLY_RUN'];
  for (const file of FILES) {
    const named = [...(await read(file)).matchAll(/\bMAYFLY_[A-Z_]+/g)].map(([name]) => name);
    expect({ file, unknown: named.filter((name) => !known.includes(name)) }).toEqual({ file, unknown: [] });
  }
});

test('every flag is one of its command', () => {
  const flags = [...DOCUMENT.matchAll(/mayfly-inbox (serve|export)\b([^\n]*)/g)];
  expect(flags.map(([, command]) => command)).toEqual(['serve', 'export']);
  const known = {
    serve: settingNames(),
    export: [...(exportMail.settings ?? []), ...Object.keys(exportMail.options ?? {})],
  };
  for (const [, command, rest = ''] of flags) {
    const given = [...rest.matchAll(/--([a-z-]+)/g)].map(([, name]) => name);
    expect(known[command as 'serve' | 'export']).toEqual(expect.arrayContaining(given));
  }
});

test('image and action are named with this version', async () => {
  for (const file of [
    'docs/ci.md',
    'docs/testcontainers.md',
    'docs/moving.md',
    'compose.yaml',
    'packages/client/src/fixtures/testcontainers.ts',
  ]) {
    const images = [...(await read(file)).matchAll(/ghcr\.io\/[^\s"']+/g)].map(([name]) => name);
    expect(images.length).toBeGreaterThan(0);
    expect({ file, images: [...new Set(images)] }).toEqual({ file, images: [IMAGE] });
  }
  const documents = DOCUMENT + (await read('README.md'));
  const actions = [...documents.matchAll(/[\w-]+\/[\w-]+\/action[\w/]*@[\w.]+/g)].map(([name]) => name);
  const [start, collect] = [`${NAME}/action@v${version}`, `${NAME}/action/collect@v${version}`];
  expect(actions).toEqual([start, collect, start]);
});

test('ports are the defaults of the service, and published on loopback', async () => {
  const { services } = parse(await read('compose.yaml'));
  expect(services.mayfly.ports).toEqual(PORTS.map((port) => `127.0.0.1:${port}:${port}`));
  expect(services.app.environment).toEqual({ SMTP_HOST: 'mayfly', SMTP_PORT: PORTS[0] });
});

test.each(['python', 'java', 'go', 'csharp'])(
  'the recipe for Testcontainers in %s names both ports',
  async (language) => {
    const [recipe = ''] = blocks(language, await read('docs/testcontainers.md'));
    expect([...new Set(recipe.match(/\b\d{4}\b/g))]).toEqual(PORTS);
    expect(recipe).toMatch(/\/readyz["'\s\S]*8080|8080\)?[,.](?: |ForPath\()"\/readyz/);
  },
);

test('the document shows of compose.yaml what is in it', async () => {
  const whole = parse(await read('compose.yaml'));
  const shown = blocks('yaml')
    .map((text) => parse(text))
    .find((one) => one.services !== undefined && one.jobs === undefined);
  expect(whole.services.mayfly).toMatchObject({ ports: shown.services.mayfly.ports, build: '.' });
  expect(whole.services.app).toMatchObject(shown.services.app);
});

test('each host is that of the service: by its name beside it, else this machine', () => {
  const [action, services, gitlab, circle] = blocks('yaml').map((text) => parse(text));
  expect(action.jobs.test.steps.filter((step: object) => 'uses' in step)).toHaveLength(4);
  expect(services.jobs.test.services.mayfly.ports).toEqual(PORTS.map((port) => `${port}:${port}`));
  expect(services.jobs.test.env).toEqual({
    MAYFLY_URL: 'http://127.0.0.1:8080',
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: 2525,
  });
  const [{ alias }] = gitlab.test.services;
  expect(gitlab.test.variables).toEqual({ MAYFLY_URL: `http://${alias}:8080`, SMTP_HOST: alias, SMTP_PORT: '2525' });
  expect(circle.jobs.test.environment).toEqual({ SMTP_HOST: '127.0.0.1', SMTP_PORT: 2525 });
});

test('the inputs of the actions are all explained', async () => {
  const { inputs, outputs } = parse(await read('action/action.yml'));
  const collect = parse(await read('action/collect/action.yml'));
  for (const name of [...Object.keys(inputs), ...Object.keys(outputs), ...Object.keys(collect.inputs)]) {
    expect(DOCUMENT).toContain(`\`${name}\``);
  }
  for (const name of ['http-port', 'smtp-port', 'timeout'])
    expect(DOCUMENT).toMatch(new RegExp(`\`${name}\`.*\\| \`${inputs[name].default}\``));
});

test('in place of another mail catcher the image is asked at the ports that it listens on, and starts', async () => {
  const { services } = parse(blocks('yaml', await read('docs/moving.md'))[0] ?? '');
  const { environment, ports, healthcheck } = services.mailpit;
  const listening = [environment.MAYFLY_SMTP_PORT, environment.MAYFLY_HTTP_PORT];
  expect(ports).toEqual(listening.map((port) => `127.0.0.1:${port}:${port}`));
  // It has one of its own, whose path nobody has to know.
  expect(healthcheck).toBeUndefined();
  const image = readDockerfile(await read('Dockerfile')).at(-1);
  const settings = readSettings(new Map(), settingsOfEnvironment({ ...image?.environment, ...environment }));
  expect(settings).toMatchObject({ 'drop-in': 'mailpit', host: '0.0.0.0' });
  // Containers, and this machine through a published port, but no public address.
  const isCaller = (address: string) => isInRanges(address, settings['drop-in-callers']);
  expect(['172.17.0.1', '::ffff:192.168.65.1', '10.1.2.3', '127.0.0.1', '::1', 'fd00::2'].every(isCaller)).toBe(true);
  expect(['192.0.2.7', '172.32.0.1', '8.8.8.8', '2001:db8::1'].some(isCaller)).toBe(false);
});

test('the links within the document lead somewhere', () => {
  const headings = [...DOCUMENT.matchAll(/^##+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...DOCUMENT.matchAll(/\]\(#([^)]*)\)/g)].map(([, target]) => target);
  expect(links.length).toBeGreaterThan(3);
  expect(headings).toEqual(expect.arrayContaining(links));
});

test('the image is what the document says of it', async () => {
  const stages = readDockerfile(await read('Dockerfile'));
  const image = stages.pop();
  for (const stage of stages)
    expect(stage).toMatchObject({ image: expect.stringMatching(/^node:24-trixie/), isOfBuilder: true });
  expect(image).toMatchObject({
    image: 'gcr.io/distroless/nodejs24-debian13:nonroot',
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

test('a change of what is no manifest installs no package anew', async () => {
  const copied: string[][] = [];
  for (const { steps } of readDockerfile(await read('Dockerfile'))) {
    // What a step does is done again where anything has changed that was copied before it.
    const installing = steps.findLastIndex((step) => step.kind === 'run' && /npm (?:ci|install)/.test(step.script));
    const before = steps.slice(0, installing + 1).flatMap((step) => (step.kind === 'copy' ? step.sources : []));
    if (installing >= 0) copied.push(before);
  }
  const manifests = [...workspaces, '.'].map((workspace: string) => path.join(workspace, 'package.json'));
  expect(copied.map((sources) => sources.sort())).toEqual([
    ['package-lock.json', 'packages/server/package.json', 'tools/image-packages.js'],
    [...manifests, 'package-lock.json'].sort(),
  ]);
});

test('every workspace is a part of what the image is built from', async () => {
  const given = await contextFiles();
  for (const workspace of workspaces) expect(given).toContain(`${workspace}/package.json`);
});

test('the lines for any CI with Node do what they say, in a project of its own', needs('curl'), async () => {
  const project = await temporaryFolder();
  try {
    const { tarball } = await installPacked(project.path, path.join(ROOT, 'packages/server'));
    await writeFile(
      path.join(project.path, 'package.json'),
      '{ "private": true, "scripts": { "test": "node test.mjs" } }',
    );
    const inProject = { cwd: project.path, env: { ...process.env, npm_config_prefer_offline: 'true' } };
    await run('npm', ['install', '--no-audit', '--no-fund', tarball], inProject);
    const [, lines = ''] = /\n## Any CI with Node\n\n```sh\n([\s\S]*?)```/.exec(DOCUMENT) ?? [];
    // Others may listen at the standard ports of this machine; what tells the service of these is the environment.
    const [smtpPort, httpPort] = [await freePort(), await freePort()];
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
    // What a job leaves in the background ends with it.
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

/** A port that was free a moment ago. */
async function freePort(): Promise<string> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  return String(port);
}

test('shell lines are such', async () => {
  for (const script of blocks('sh')) {
    const shell = spawn('bash', ['-n'], { stdio: ['pipe', 'ignore', 'ignore'] });
    shell.stdin.end(script);
    expect(await once(shell, 'close')).toEqual([0, null]);
  }
});
