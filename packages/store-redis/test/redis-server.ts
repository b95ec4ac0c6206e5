import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { freePort } from '../../server/test/ports.js';

/** Number of databases of a server. Each new store uses the next one. */
const DATABASES = 10_000;

/** Writes nothing to disk by default, and starts the sync of a new replica without waiting for others. */
const QUICK = ['--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0'];

/** Number of attempts to start, because another process may take the free port first. */
const PORT_TRIES = 10;

export interface RedisServer {
  readonly port: number;
  readonly process: ChildProcess;
  /** The URL of an unused database. */
  newUrl(): string;
  /** Runs redis-cli with a command, and resolves to its output. */
  command(...args: string[]): Promise<string>;
  /** Sets an option until `restore`. */
  set(option: string, value: string): Promise<void>;
  /** Restores all options. Call it in a hook, because a test may fail before it restores them. */
  restore(): Promise<void>;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** By default, a server uses a free port and a temporary folder. */
export interface RedisOptions {
  /** A server other than redis-server, such as valkey-server. */
  readonly program?: string;
  readonly args?: readonly string[];
  readonly port?: number;
  readonly folder?: string;
}

export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const { port } = options;
  for (let tries = 1; ; tries += 1) {
    const started = await tryStart(options, port ?? (await freePort()));
    if (started !== null) return started;
    if (port !== undefined || tries === PORT_TRIES) throw new Error('redis-server did not start.');
  }
}

async function tryStart(
  { program = 'redis-server', args = [], folder: given }: RedisOptions,
  port: number,
): Promise<RedisServer | null> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'mayfly-redis-')));
  const fixed = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--databases', `${DATABASES}`];
  const child = spawn(program, [...fixed, ...QUICK, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Kills the server when this process exits, because a failed test does not end the server.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const ended = once(child, 'close').then(async () => {
    if (given === undefined) await rm(folder, { recursive: true, force: true });
  });
  const isReady = await new Promise<boolean>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => line.includes('Ready to accept connections') && resolve(true));
    child.once('error', reject);
    child.once('exit', () => resolve(false));
  });
  if (!isReady) return null;
  let databases = 0;
  /** The original value of each changed option. */
  const before = new Map<string, string>();
  return {
    port,
    process: child,
    newUrl: () => `redis://127.0.0.1:${port}/${databases++}`,
    command: (...command) => redisCommand(port, command),
    async set(option, value) {
      const [, was = ''] = (await redisCommand(port, ['CONFIG', 'GET', option])).split('\n');
      if (!before.has(option)) before.set(option, was);
      expect(await redisCommand(port, ['CONFIG', 'SET', option, value])).toBe('OK');
    },
    async restore() {
      for (const [option, was] of before) await redisCommand(port, ['CONFIG', 'SET', option, was]);
      before.clear();
    },
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}

async function redisCommand(port: number, args: readonly string[]): Promise<string> {
  const client = spawn('redis-cli', ['-p', `${port}`, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  client.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(client, 'close');
  return output.trimEnd();
}
