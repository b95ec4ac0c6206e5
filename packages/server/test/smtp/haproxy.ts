import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Interval and time limit for checks whether a port is listening. */
const LOOK_MS = 20;
const PATIENCE_MS = 120_000;

export interface Haproxy {
  /** HAProxy's messages about the configuration and about servers that go up or down, and its log lines. */
  output(): string;
  end(): Promise<void>;
}

/** Starts HAProxy with this configuration, as `startHaproxyWith` does. */
export async function startHaproxy(configuration: string, ports: readonly number[]): Promise<Haproxy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-haproxy-'));
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(file, configuration);
  try {
    // Once HAProxy listens, it has read the whole file, so the folder may be removed.
    return await startHaproxyWith(file, ports);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts HAProxy with a file and variables. Resolves once it listens on these ports, or rejects with its output. */
export async function startHaproxyWith(
  file: string,
  ports: readonly number[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Haproxy> {
  const env = { ...process.env, ...environment };
  const child = spawn('haproxy', ['-db', '-f', file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  // Kills HAProxy when this process exits, because a failed test does not stop it.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const ended = once(child, 'close');
  const haproxy: Haproxy = {
    output: () => output,
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  try {
    for (const port of ports) await listening(port, child);
    return haproxy;
  } catch (cause) {
    await haproxy.end();
    throw new Error(`HAProxy does not listen: ${output}`, { cause });
  }
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await new Promise((resolve) => setTimeout(resolve, LOOK_MS))) {
    if (child.exitCode !== null) throw new Error(`It has ended with ${child.exitCode}.`);
    if (await canConnect(port)) return;
    if (Date.now() > end) throw new Error(`Nobody listens on ${port}.`);
  }
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
