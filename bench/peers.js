// Builds other email testing tools from their Go modules, to measure them in the same run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProgram, freePort, runProgram, startProgram, whenListening } from './programs.js';

const BUILD_MS = 900_000;

/** How to build and start each tool. `pathOf(connection, inbox)` resolves to the path of the newest message, or null. */
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
];

/** Builds the tools that this machine can build, for `startPeers`. */
export async function buildPeers(progress) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-bench-peers-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const built = [];
  for (const peer of PEERS) {
    try {
      progress(`building ${peer.kind}`);
      const file = await build(peer, folder);
      built.push({ ...peer, file, folder, name: `${peer.kind} ${await versionOf(file)}` });
    } catch (error) {
      progress(`${peer.kind} is not measured: ${error.message.trim().split('\n').at(-1)}`);
    }
  }
  return built;
}

async function build({ program, module }, folder) {
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' };
  await runProgram('go', ['install', `${module}@latest`], { debianPackage: 'golang', env, timeout: BUILD_MS });
  return path.join(folder, program);
}

/** Starts tools without mail. Resolves to a list of `{ kind, name, host, smtpPort, httpPort, pid, pathOf, stop() }`. */
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
  for (const port of [smtp, http]) await whenListening(child, port);
  const ports = { host: '127.0.0.1', smtpPort: smtp, httpPort: http };
  return { kind, name, ...ports, pid: child.pid, pathOf, stop: () => endProgram(child) };
}

/** Resolves to the newest message of an inbox, or null. */
export async function readOther({ pathOf }, connection, inbox) {
  const path = await pathOf(connection, inbox);
  if (path === null) return null;
  const { status, body } = await connection.get(path);
  return status === 200 ? body : null;
}

async function versionOf(file) {
  const said = await runProgram('go', ['version', '-m', file], { debianPackage: 'golang' });
  const main = /^\tpath\t(\S+)/m.exec(said)?.[1] ?? '';
  const modules = [...said.matchAll(/^\t(?:mod|dep)\t(\S+)\t(\S+)/gm)];
  const [, , version = ''] = modules.find(([, module]) => main === module || main.startsWith(`${module}/`)) ?? [];
  return version.replace(/^v/, '');
}
