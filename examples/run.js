// Runs every example, or those in the named folders, as a user would: in an empty folder, with the packed packages and
// the dependencies of packages/client/test/consumers. An example whose program is missing is skipped with a message.
// With CI=true, it fails instead, except for languages that CI does not install.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createTransport } from 'nodemailer';

const EXAMPLES = fileURLToPath(new URL('.', import.meta.url));
const ROOT = path.join(EXAMPLES, '..');
const CONSUMERS = path.join(ROOT, 'packages/client/test/consumers');

/** Files of the project that npm rewrites in place. They are copied, because hard links would change the originals. */
const WRITTEN = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'];

const INSTALL = 'npm ci --ignore-scripts --prefix packages/client/test/consumers';

/** Time limit for an example. On the first run, Go compiles its standard library. */
const MAX_MS = 300_000;

const { CI, CHROMIUM = '/usr/bin/chromium', CHROMEDRIVER = '/usr/bin/chromedriver' } = process.env;
const NODE = process.execPath;

/** A Python that finds pytest. Debian's pytest needs Debian's Python, even if another one is first on the path. */
const PYTHON =
  ['python3', '/usr/bin/python3'].find((python) => answers([python, '-m', 'pytest', '--version'])) ?? 'python3';

/** The code that each example waits for. */
const CODE = '482913';

/**
 * `command` runs the example. The commands in `needs` succeed if the programs that the example needs are installed.
 * With `printsCode`, the example has no test runner and must print the code. With `isMailedTo`, it prints its inbox's
 * address, and this script sends an email there. `hasPackages`: it has its own packages. `isOptional`: CI may skip it.
 */
const RUNS = [
  { folder: 'vitest', command: [NODE, '../node_modules/vitest/vitest.mjs', 'run'] },
  { folder: 'matchers', command: [NODE, '../node_modules/vitest/vitest.mjs', 'run'] },
  { folder: 'jest', command: [NODE, '../node_modules/jest/bin/jest.js'] },
  { folder: 'node-test', command: [NODE, '--test'] },
  { folder: 'link-scanners', command: [NODE, '--test'], needs: [[CHROMIUM, '--version']] },
  {
    folder: 'playwright',
    command: [NODE, '../node_modules/@playwright/test/cli.js', 'test'],
    needs: [[CHROMIUM, '--version']],
  },
  {
    folder: 'nextjs-resend',
    command: [NODE, '../node_modules/@playwright/test/cli.js', 'test', '--config', 'free-ports.config.js'],
    needs: [
      [CHROMIUM, '--version'],
      // Installed by `npm ci --ignore-scripts --prefix examples/nextjs-resend`.
      [NODE, path.join(EXAMPLES, 'nextjs-resend/node_modules/next/dist/bin/next'), '--version'],
    ],
    hasPackages: true,
  },
  { folder: 'playwright-first', command: [NODE, '../node_modules/@playwright/test/cli.js', 'test'] },
  {
    folder: 'webdriverio',
    command: [NODE, '--test'],
    needs: [
      [CHROMIUM, '--version'],
      [CHROMEDRIVER, '--version'],
    ],
  },
  { folder: 'pytest', command: [PYTHON, '-m', 'pytest', '-q'], needs: [[PYTHON, '-m', 'pytest', '--version']] },
  {
    folder: 'ruby',
    command: ['ruby', 'sign_up.rb'],
    printsCode: true,
    needs: [['ruby', '--version']],
    isOptional: true,
  },
  { folder: 'go', command: ['go', 'test', './...'], needs: [['go', 'version']], isOptional: true },
  {
    folder: 'java',
    command: ['java', 'SignUp.java'],
    printsCode: true,
    isMailedTo: true,
    needs: [['javac', '-version']],
    isOptional: true,
  },
];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => RUNS.every(({ folder }) => folder !== name));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: unknown example. Choose from ${RUNS.map((one) => one.folder).join(', ')}.`);
  process.exit(2);
}

if (existsSync(path.join(CONSUMERS, 'node_modules/vitest'))) {
  const project = mkdtempSync(path.join(tmpdir(), 'mayfly-examples-'));
  try {
    await runAll(project);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
} else {
  console.log(`Skipped the examples, because their dependencies are not installed. Run "${INSTALL}".`);
  process.exitCode = CI === 'true' ? 1 : 0;
}

async function runAll(project) {
  install(project);
  const { startMayfly } = await import(
    pathToFileURL(path.join(project, 'node_modules/mayfly-inbox/bin/start-mayfly.js'))
  );
  // Starts a service for examples that only use the HTTP API. The other examples start their own service.
  const service = await startMayfly();
  const [MAYFLY_HTTP_PORT, MAYFLY_SMTP_PORT, APP_PORT] = await freePorts(3);
  const free = { CHROMIUM, CHROMEDRIVER, MAYFLY_HTTP_PORT, MAYFLY_SMTP_PORT, APP_PORT };
  const given = { MAYFLY_URL: service.url, SMTP_HOST: service.smtp.host, SMTP_PORT: String(service.smtp.port) };
  const failed = [];
  for (const example of RUNS.filter(({ folder }) => chosen.length === 0 || chosen.includes(folder))) {
    const missing = example.needs?.find((program) => !answers(program));
    if (missing === undefined) {
      const variables = example.command[0] === NODE ? free : given;
      if (!(await run(example, project, variables, service.smtp))) failed.push(example.folder);
    } else {
      console.log(`Skipped examples/${example.folder}: "${missing.join(' ')}" fails.`);
      if (CI === 'true' && !example.isOptional) failed.push(example.folder);
    }
  }
  await service.stop();
  console.log(failed.length === 0 ? 'All examples passed.' : `These examples failed: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Creates a project with what users install: test runners and both packages, from tarballs. Adds the examples. */
function install(project) {
  link(path.join(CONSUMERS, 'node_modules'), project);
  for (const name of WRITTEN) {
    rmSync(path.join(project, name), { force: true });
    cpSync(path.join(CONSUMERS, name), path.join(project, name));
  }
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  const tarballs = ['packages/client', 'packages/server'].map((workspace) => {
    const args = ['pack', '--silent', '--pack-destination', project];
    return path.join(project, execFileSync('npm', args, { cwd: path.join(ROOT, workspace), encoding: 'utf8' }).trim());
  });
  execFileSync('npm', ['install', ...quiet, ...tarballs], { cwd: project, stdio: 'inherit' });
  for (const { folder, hasPackages } of [...RUNS, { folder: 'sign-up-app' }]) {
    const packages = path.join(EXAMPLES, folder, 'node_modules');
    const filter = (source) => source !== packages;
    cpSync(path.join(EXAMPLES, folder), path.join(project, folder), { recursive: true, filter });
    if (hasPackages && existsSync(packages)) link(packages, path.join(project, folder));
  }
}

/** Copies a folder. If source and target are on one disk, uses hard links, which take only a second. */
function link(from, into) {
  try {
    execFileSync('cp', ['-al', from, into], { stdio: 'ignore' });
  } catch {
    cpSync(from, path.join(into, path.basename(from)), { recursive: true, verbatimSymlinks: true });
  }
}

/** Whether a program is installed and works. */
function answers([program, ...args]) {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs an example and returns whether it succeeded. */
async function run({ folder, command: [program, ...args], printsCode, isMailedTo }, project, variables, smtp) {
  const begun = performance.now();
  const { MAYFLY_URL, MAYFLY_DOMAIN, MAYFLY_API_KEY, ...inherited } = process.env;
  const child = spawn(program, args, {
    cwd: path.join(project, folder),
    env: { ...inherited, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: MAX_MS,
  });
  let output = '';
  child.stdout.on('data', (text) => {
    if (isMailedTo && output === '') mailCode(`${text}`.trim(), smtp);
    output += text;
    process.stdout.write(text);
  });
  const [exitCode] = await once(child, 'close');
  const isWell = exitCode === 0 && (!printsCode || output.includes(CODE));
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`examples/${folder} ${isWell ? 'passed' : `failed (${exitCode})`}, ${seconds} s`);
  return isWell;
}

function mailCode(to, smtp) {
  const mail = createTransport(smtp);
  mail.sendMail({ from: 'app@example.test', to, subject: 'Welcome', text: `Your code is ${CODE}` });
}

/** Resolves to free ports. Keeps each port open until it has found the last one, so that all differ. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => String(server.address().port));
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
