// Starts the service for benchmarks: a process on free ports with its own store.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RESERVE_FILE } from '../packages/server/dist/store/lmdb/disk-room.js';

/** The checkout whose build is measured, by default this one. */
const CHECKOUT = process.env.BENCH_CHECKOUT ?? fileURLToPath(new URL('..', import.meta.url));

/** The command: the executable if one is measured, otherwise the checkout's with Node. */
const [PROGRAM, ...FRONT] = process.env.BENCH_EXECUTABLE
  ? [process.env.BENCH_EXECUTABLE]
  : [process.execPath, path.join(CHECKOUT, 'packages/server/bin/mayfly.js')];

const [START_TIMEOUT_MS, STOP_TIMEOUT_MS] = [30_000, 5_000];

const MAX_COMPLAINT_CHARACTERS = 4_000;

/** Running services, which must not outlive the benchmark. */
const running = new Set();

process.on('exit', () => {
  for (const service of running) service.kill();
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** Settings that turn off the limits on a client. */
export const UNLIMITED = [
  ...['--fetch-limit', 'off', '--smtp-limit', 'off', '--stream-limit', 'off', '--name-limit', 'off'],
  ...['--smtp-connections', '1000', '--streams-per-client', '20000', '--store-quota', '64GiB', '--log-level', 'error'],
];

/** Starts `mayfly serve` with these flags and resolves once it is ready. `store` is `lmdb` or `memory`. */
export async function startService(flags = [], { store = 'lmdb' } = {}) {
  const folder = newFolder();
  const where = store === 'memory' ? 'memory:' : `lmdb:${folder}`;
  const ports = ['--http-port', '0', '--smtp-port', '0', '--domain', 'inbox.example.com'];
  const child = spawn(PROGRAM, [...FRONT, 'serve', '--store', where, ...ports, ...flags], {
    env: ownEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const service = new Service(child, folder);
  running.add(service);
  try {
    await service.ready();
    return service;
  } catch (error) {
    service.kill();
    throw error;
  }
}

export function newFolder() {
  return mkdtempSync(path.join(tmpdir(), 'mayfly-bench-'));
}

/** Returns the environment without variables that affect figures. `NODE_EXTRA_CA_CERTS` triples Node's start time. */
export function ownEnvironment() {
  const isOthers = (name) => name.startsWith('MAYFLY_') || name === 'NODE_EXTRA_CA_CERTS';
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOthers(name)));
}

/** A running service. `complaints` holds the last characters of its standard error. */
class Service {
  host = '127.0.0.1';
  complaints = '';
  #folder;

  constructor(child, folder) {
    this.process = child;
    this.pid = child.pid;
    this.#folder = folder;
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.complaints = (this.complaints + text).slice(-MAX_COMPLAINT_CHARACTERS);
    });
  }

  get hasEnded() {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Resolves after the `ready` line. */
  async ready() {
    let output = '';
    const tooLate = setTimeout(() => this.process.kill('SIGKILL'), START_TIMEOUT_MS);
    for await (const chunk of this.process.stdout) {
      output += chunk;
      const [, smtpPort, httpPort] = /^ready smtp=\S+:(\d+) http=http:\/\/\S+:(\d+)$/m.exec(output) ?? [];
      if (httpPort === undefined) continue;
      clearTimeout(tooLate);
      this.smtpPort = Number(smtpPort);
      this.httpPort = Number(httpPort);
      return;
    }
    clearTimeout(tooLate);
    throw new Error(`The service did not start: ${this.complaints || 'no output'}`);
  }

  /** Returns the private memory in MB. It excludes pages of the store's file, which the system can reclaim. */
  memoryMb() {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const kb = ['RssAnon', 'RssShmem'].map((name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]));
    return Math.round((kb[0] + kb[1]) / 1024);
  }

  /** Returns the bytes of the store's files, without the file that reserves space for when the disk is full. */
  storeBytes() {
    const names = readdirSync(this.#folder).filter((name) => name !== RESERVE_FILE);
    return names.reduce((sum, name) => sum + statSync(path.join(this.#folder, name)).size, 0);
  }

  /** Stops the service gracefully, or kills it after a time limit, and deletes its store. */
  async stop() {
    if (!this.hasEnded) {
      const ended = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      const tooLate = setTimeout(() => this.process.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(tooLate);
    }
    this.kill();
  }

  /** Kills the service and deletes its store. */
  kill() {
    if (!this.hasEnded) this.process.kill('SIGKILL');
    running.delete(this);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
