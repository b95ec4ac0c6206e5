// Runs the step of action.yml. Installs Mayfly from npm or a tarball, runs it in the background, and sets its addresses
// for later steps. The runner ends Mayfly when the job ends.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, logOf, startService, whenReady } from './programs.js';
import { folderOfJob, hand, input, printFolded, runStep, StepError } from './runner.js';

/** The default retention. No job on GitHub's own runners lasts longer, so a failed job still has all of its emails. */
const RETENTION = '6h';

const STANDARD_DOMAIN = 'inbox.example.com';

/** The characters and the length of a run's secret (docs/web-ui.md). */
const RUN_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const RUN_LENGTH = 26;

/** The loopback address that reaches a service on each wildcard address. */
const OWN_ADDRESS = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

await runStep(async () => {
  const options = readInputs();
  mkdirSync(folderOfJob(), { recursive: true });
  const folder = mkdtempSync(path.join(folderOfJob(), 'service-'));
  await installInto(folder, options.source);
  const { smtp, url } = await start(folder, options);
  const [smtpHost, httpUrl] = [ownAddress(smtp.host), ownUrl(url)];
  const domain = options.domain || STANDARD_DOMAIN;
  const variables = { MAYFLY_URL: httpUrl, MAYFLY_DOMAIN: domain, SMTP_HOST: smtpHost, SMTP_PORT: smtp.port };
  // All steps and services of a job share a run.
  hand('GITHUB_ENV', { ...variables, MAYFLY_RUN: process.env.MAYFLY_RUN || newRun() });
  // The collecting step reads this file, because the environment names only the job's last service.
  writeFileSync(path.join(folder, 'url'), httpUrl);
  hand('GITHUB_OUTPUT', { url: httpUrl, domain: firstOf(domain), 'smtp-host': smtpHost, 'smtp-port': smtp.port });
  console.log(`Mayfly is ready: SMTP at ${smtpHost}:${smtp.port}, inboxes at ${httpUrl}`);
});

function readInputs() {
  const aPort = [/^(?:0|[1-9]\d{0,4})$/, 'write a port, or 0 for any free port'];
  return {
    source: sourceOf(
      input(
        'version',
        /^[\w.^~*-]{1,64}$/,
        'write a version such as 0.1.0, a range such as ^0.1.0, or a tag such as latest',
      ),
      input('package', /\.tgz$/, 'write the path of a tarball, which ends in .tgz'),
    ),
    domain: input('domain', /^\S+$/, 'write a domain, or several separated by commas') || domainOfJob(),
    httpPort: input('http-port', ...aPort) || '0',
    smtpPort: input('smtp-port', ...aPort) || '0',
    timeoutMs: 1000 * Number(input('timeout', /^[1-9]\d{0,3}$/, 'write a number of seconds, at most 9999') || '60'),
  };
}

/** Returns MAYFLY_DOMAIN, but not the default that an earlier start set, because it would exclude all other domains. */
function domainOfJob() {
  const { MAYFLY_DOMAIN: domain = '' } = process.env;
  return domain === STANDARD_DOMAIN && existsSync(folderOfJob()) ? '' : domain;
}

/** Returns the domain of inboxes that are named without a domain. */
function firstOf(domains) {
  const listed = domains.split(',').map((domain) => domain.trim());
  return listed.find((domain) => domain !== '*') ?? STANDARD_DOMAIN;
}

function sourceOf(version, tarball) {
  if (tarball === '') return { version: version || ownVersion() };
  if (version !== '') throw new StepError('The inputs version and package exclude each other: set only one.');
  const file = path.resolve(process.env.GITHUB_WORKSPACE ?? '.', tarball);
  if (!existsSync(file)) throw new StepError(`The file of the input package does not exist: ${file}.`);
  return { file };
}

/** Returns the version in the action's own repository, so that pinning the action also pins Mayfly. */
function ownVersion() {
  const manifest = fileURLToPath(new URL('../packages/server/package.json', import.meta.url));
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

async function installInto(folder, { version, file }) {
  const manifest = { private: true, dependencies: { 'mayfly-inbox': version ?? `file:${file}` } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const { code, output } = await install(folder);
  if (code === 0) return;
  printFolded('Output of npm', output);
  throw new StepError(
    `Cannot install mayfly-inbox (${version ?? file}). Check that this version exists, and that the runner has npm and can reach its registry.`,
  );
}

async function start(folder, { domain, httpPort, smtpPort, timeoutMs }) {
  const log = path.join(folder, 'mayfly.log');
  const settings = { MAYFLY_RETENTION: RETENTION, ...process.env, MAYFLY_DOMAIN: domain || undefined };
  const flags = ['--http-port', httpPort, '--smtp-port', smtpPort, '--store', `lmdb:${path.join(folder, 'store')}`];
  const child = startService(folder, flags, { log, env: settings });
  const ready = await whenReady(child, log, timeoutMs);
  if (ready.why === undefined) return ready;
  printFolded("Mayfly's log", logOf(log));
  throw new StepError(`Mayfly did not start. ${ready.why} Its last line: ${lastLine(logOf(log))}`);
}

function lastLine(text) {
  return text.trim().split('\n').at(-1) || 'nothing';
}

function ownAddress(host) {
  return (OWN_ADDRESS[host] ?? host).replace(/^\[(.*)\]$/, '$1');
}

function ownUrl(url) {
  const { hostname } = new URL(url);
  return url.replace(`//${hostname}`, `//${OWN_ADDRESS[hostname] ?? hostname}`);
}

function newRun() {
  return [...randomBytes(RUN_LENGTH)].map((byte) => RUN_CHARACTERS[byte % RUN_CHARACTERS.length]).join('');
}
