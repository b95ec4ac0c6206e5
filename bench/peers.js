// Other servers for testing with mail, built from their Go modules and run on this machine to be measured beside ours.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, listens } from './ports.js';
import { endProgram, runProgram, startProgram } from './programs.js';

/** How long one may take to be built, and how often and how many times it is asked whether it listens. */
const BUILD_MS = 900_000;
const ASK_EVERY_MS = 100;
const ASK_TIMES = 150;

/** In place of a package that only MailHog's chaos monkey uses, and that Go's proxy does not have. */
const LINKIO = fileURLToPath(new URL('./beside/linkio', import.meta.url));

/**
 * How each is built and started, given ports and a folder. `pathOf(connection, inbox)` resolves to the path of an
 * inbox's newest mail, or to null if the inbox is empty. `stubs` maps modules to the folders that replace them.
 */
const PEERS = [
  {
    kind: 'Mailpit',
    program: 'mailpit',
    module: 'github.com/axllent/mailpit',
    args: ({ smtp, http, folder }) => [
      ...['--smtp', `127.0.0.1:${smtp}`, '--listen', `127.0.0.1:${http}`],
      ...['--database', path.join(folder, `mailpit-${smtp}.db`), '--max', '0', '--smtp-disable-rdns', '--quiet'],
    ],
    async pathOf(connection, inbox) {
      const { body } = await connection.get(`/api/v1/search?query=addressed:${inbox}@inbox.example.com&limit=1`);
      const [newest] = JSON.parse(body).messages;
      return newest === undefined ? null : `/api/v1/message/${newest.ID}`;
    },
  },
  {
    kind: 'Inbucket',
    program: 'inbucket',
    module: 'github.com/inbucket/inbucket/v3/cmd/inbucket',
    args: () => ['-logfile', '/dev/null'],
    environment: ({ smtp, http, pop3 }) => ({
      INBUCKET_LOGLEVEL: 'error',
      INBUCKET_SMTP_ADDR: `127.0.0.1:${smtp}`,
      INBUCKET_WEB_ADDR: `127.0.0.1:${http}`,
      INBUCKET_POP3_ADDR: `127.0.0.1:${pop3}`,
      INBUCKET_STORAGE_TYPE: 'memory',
    }),
    pathOf: (_connection, inbox) => `/api/v1/mailbox/${inbox}/latest`,
  },
  {
    kind: 'MailHog',
    program: 'MailHog',
    module: 'github.com/mailhog/MailHog',
    stubs: [['github.com/ian-kent/linkio', LINKIO]],
    args: ({ smtp, http }) => [
      ...['-smtp-bind-addr', `127.0.0.1:${smtp}`],
      ...['-api-bind-addr', `127.0.0.1:${http}`, '-ui-bind-addr', `127.0.0.1:${http}`],
    ],
    pathOf: (_connection, inbox) => `/api/v2/search?kind=to&query=${inbox}&limit=1`,
  },
];

/**
 * Builds as many of them as can be, and resolves to `{ built, absent }`: what `startPeers` takes, and a sentence for
 * each of the others. Those that lie in the folder `programs` are taken as they are. `progress(sentence)` tells what is
 * built.
 */
export async function buildPeers({ programs, progress }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-bench-peers-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [built, absent] = [[], []];
  for (const peer of PEERS) {
    try {
      const there = programs === undefined ? null : path.join(programs, peer.program);
      const file = there !== null && existsSync(there) ? there : await build(peer, folder, progress);
      built.push({ ...peer, file, folder, name: `${peer.kind} ${await versionOf(file)}` });
    } catch (error) {
      absent.push(`${peer.kind} is not measured: ${error.message.trim().split('\n').at(-1)}`);
    }
  }
  return { built, absent };
}

async function build({ kind, program, module, stubs = [] }, folder, progress) {
  progress(`building ${kind}`);
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' };
  const how = { debianPackage: 'golang', env, timeout: BUILD_MS };
  if (stubs.length === 0) {
    await runProgram('go', ['install', `${module}@latest`], how);
    return path.join(folder, program);
  }
  // `go install` takes no replacements: a module of our own asks for the program.
  const cwd = path.join(folder, `build-${program}`);
  mkdirSync(cwd);
  const newest = await runProgram('go', ['list', '-m', '-f', '{{.Version}}', `${module}@latest`], { ...how, cwd });
  const replaced = stubs.map(([name, where]) => `replace ${name} => ${where}\n`).join('');
  writeFileSync(
    path.join(cwd, 'go.mod'),
    `module bench\n\ngo 1.21\n\nrequire ${module} ${newest.trim()}\n\n${replaced}`,
  );
  await runProgram('go', ['build', '-o', path.join(folder, program), module], { ...how, cwd });
  return path.join(folder, program);
}

/**
 * Starts those that were built, with no mail, and resolves to them:
 * `{ kind, name, host, smtpPort, httpPort, pid, pathOf, stop() }`. Rejects when one does not listen.
 */
export async function startPeers(built) {
  const started = [];
  try {
    for (const peer of built) started.push(await startPeer(peer));
    return started;
  } catch (error) {
    for (const peer of started) await peer.stop();
    throw error;
  }
}

async function startPeer({ kind, name, file, folder, pathOf, args, environment = () => ({}) }) {
  const [smtp, http, pop3] = [await freePort(), await freePort(), await freePort()];
  const where = { smtp, http, pop3, folder };
  const env = { ...process.env, ...environment(where) };
  const child = await startProgram(file, args(where), { cwd: folder, env });
  for (let asked = 0; !((await listens(smtp)) && (await listens(http))); asked++) {
    if (asked < ASK_TIMES && child.exitCode === null) await delay(ASK_EVERY_MS);
    else {
      await endProgram(child);
      throw new Error(`${name} does not listen.`);
    }
  }
  const ports = { host: '127.0.0.1', smtpPort: smtp, httpPort: http };
  return { kind, name, ...ports, pid: child.pid, pathOf, stop: () => endProgram(child) };
}

async function versionOf(file) {
  const said = await runProgram('go', ['version', '-m', file], { debianPackage: 'golang' });
  const main = /^\tpath\t(\S+)/m.exec(said)?.[1] ?? '';
  const modules = [...said.matchAll(/^\t(?:mod|dep)\t(\S+)\t(\S+)/gm)];
  const [, , version = ''] = modules.find(([, module]) => main === module || main.startsWith(`${module}/`)) ?? [];
  return version.replace(/^v/, '');
}
