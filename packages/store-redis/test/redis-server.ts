import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';

/** How many databases a server has: a new store takes the next one. */
const DATABASES = 10_000;

/** It keeps nothing on disk unless it is told to, and a new replica is not kept waiting for others. */
const QUICK = ['--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0'];

/** How often a port is looked for that nobody takes meanwhile. */
const PORT_TRIES = 10;

/** A Redis server of its own. */
export interface RedisServer {
  readonly port: number;
  readonly process: ChildProcess;
  /** The url of a database that no test has used. */
  newUrl(): string;
  /** Sends a command by Redis's own client, and resolves to what it prints. */
  command(...args: string[]): Promise<string>;
  /** Sets an option of a server that others use, too, until `restore`. */
  set(option: string, value: string): Promise<void>;
  /** Has every option that was set as it was: for a hook, as a test may fail before it does so. */
  restore(): Promise<void>;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** How a server is started: on a free port where none is given, with a folder of its own where none is given. */
export interface RedisOptions {
  /** Another server that speaks the same. */
  readonly program?: string;
  readonly args?: readonly string[];
  readonly port?: number;
  readonly folder?: string;
}

/** Starts a server. */
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
  // A test that failed ends no server.
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
  /** By option, what it was. */
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

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was found.');
  return address.port;
}
