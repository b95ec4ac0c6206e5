// Other servers for testing with mail, built from their Go modules and run on this machine to be measured beside ours.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, listens } from './ports.js';
import { endProgram, runProgram, startProgram } from './programs.js';

/** How long one may take to be built, and how often and how many times it is asked whether it listens. */
const BUILD_MS = 900_000;
const ASK_EVERY_MS = 100;
const ASK_TIMES = 150;

/**
 * How each is built and started, by the ports and a folder that it may use: `module` is what `go install` is given,
 * `path` where the mail is read.
 */
const PEERS = [
  {
    name: 'Mailpit',
    program: 'mailpit',
    module: 'github.com/axllent/mailpit@latest',
    path: '/api/v1/message/latest',
    args: ({ smtp, http, folder }) => [
      ...['--smtp', `127.0.0.1:${smtp}`, '--listen', `127.0.0.1:${http}`],
      ...['--database', path.join(folder, 'mailpit.db'), '--max', '0', '--smtp-disable-rdns', '--quiet'],
    ],
  },
  {
    name: 'Inbucket',
    program: 'inbucket',
    module: 'github.com/inbucket/inbucket/v3/cmd/inbucket@latest',
    path: '/api/v1/mailbox/{inbox}/latest',
    args: () => ['-logfile', '/dev/null'],
    environment: ({ smtp, http, pop3 }) => ({
      INBUCKET_LOGLEVEL: 'error',
      INBUCKET_SMTP_ADDR: `127.0.0.1:${smtp}`,
      INBUCKET_WEB_ADDR: `127.0.0.1:${http}`,
      INBUCKET_POP3_ADDR: `127.0.0.1:${pop3}`,
      INBUCKET_STORAGE_TYPE: 'memory',
    }),
  },
  {
    name: 'MailHog',
    program: 'MailHog',
    module: 'github.com/mailhog/MailHog@latest',
    path: '/api/v2/messages?limit=1',
    args: ({ smtp, http }) => [
      ...['-smtp-bind-addr', `127.0.0.1:${smtp}`],
      ...['-api-bind-addr', `127.0.0.1:${http}`, '-ui-bind-addr', `127.0.0.1:${http}`],
    ],
  },
];

/**
 * Builds and starts as many of them as can be, and resolves to them:
 * `{ name, host, smtpPort, httpPort, path, stop() }`. `progress(sentence)` tells which could not be, and why.
 */
export async function startPeers(progress) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-bench-peers-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const started = [];
  for (const peer of PEERS) {
    try {
      progress(`building ${peer.name}`);
      started.push(await startPeer(peer, folder));
    } catch (error) {
      progress(`${peer.name} is left out: ${error.message.split('\n')[0]}`);
    }
  }
  return started;
}

async function startPeer({ name, program, module, path: readAt, args, environment = () => ({}) }, folder) {
  const env = { ...process.env, GOBIN: folder };
  await runProgram('go', ['install', module], { debianPackage: 'golang', env, timeout: BUILD_MS });
  const version = await versionOf(path.join(folder, program));
  const [smtp, http, pop3] = [await freePort(), await freePort(), await freePort()];
  const where = { smtp, http, pop3, folder };
  const child = await startProgram(path.join(folder, program), args(where), {
    cwd: folder,
    env: { ...process.env, ...environment(where) },
  });
  for (let asked = 0; !((await listens(smtp)) && (await listens(http))); asked++) {
    if (asked < ASK_TIMES && child.exitCode === null) await delay(ASK_EVERY_MS);
    else {
      await endProgram(child);
      throw new Error('it does not listen');
    }
  }
  return {
    name: `${name} ${version}`,
    host: '127.0.0.1',
    smtpPort: smtp,
    httpPort: http,
    path: readAt,
    stop: () => endProgram(child),
  };
}

async function versionOf(file) {
  const said = await runProgram('go', ['version', '-m', file], { debianPackage: 'golang' });
  return /^\tmod\t\S+\t(\S+)/m.exec(said)?.[1] ?? '';
}
