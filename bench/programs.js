// Starts programs for benchmarks: Debian packages, and our own small servers.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Time limit to start listening, interval between checks, and time limit for a run. */
const [START_TIMEOUT_MS, ASK_EVERY_MS, RUN_TIMEOUT_MS] = [30_000, 50, 300_000];

const MAX_OUTPUT_BYTES = 4_000_000;

/** Adds the folders of daemons, which are only on root's PATH. */
const ENVIRONMENT = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

function missing(program, debianPackage) {
  return new Error(`${program} is not installed (Debian package ${debianPackage})`);
}

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs a program and resolves to its output. */
export async function runProgram(program, args, { debianPackage, ...options }) {
  try {
    const limits = { timeout: RUN_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
    return (await run(program, args, { env: ENVIRONMENT, ...limits, ...options })).stdout;
  } catch (error) {
    if (error.code === 'ENOENT') throw missing(program, debianPackage);
    throw new Error(`${program} failed: ${error.stderr?.trim() || error.message}`, { cause: error });
  }
}

/** Starts a program, which ends with this process. */
export async function startProgram(program, args, { debianPackage, ...options }) {
  const child = spawn(program, args, { env: ENVIRONMENT, stdio: 'ignore', ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  try {
    await once(child, 'spawn');
  } catch (error) {
    running.delete(child);
    if (error.code === 'ENOENT') throw missing(program, debianPackage);
    throw error;
  }
  return child;
}

/** Starts a script below bench/ with IPC. Resolves to its process and its first message. */
export async function startScript(script, argument = {}, timeoutMs = START_TIMEOUT_MS) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = await startProgram(process.execPath, [file, JSON.stringify(argument)], { stdio });
  return { child, said: await nextMessage(child, timeoutMs) };
}

/** Resolves to the next message of a process. Rejects if the process exits, or sends none in time. */
export async function nextMessage(child, timeoutMs) {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(timeoutMs)]);
  const ended = once(child, 'exit', { signal }).then(() =>
    Promise.reject(new Error('A process of the benchmark exited.')),
  );
  try {
    return (await Promise.race([once(child, 'message', { signal }), ended]))[0];
  } finally {
    over.abort();
    ended.catch(() => {});
  }
}

/** Kills a process and resolves once it has exited. */
export async function endProgram(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Resolves once a program accepts connections on a port. After the time limit, kills the program and rejects. */
export async function whenListening(child, port) {
  for (const endsAt = performance.now() + START_TIMEOUT_MS; !(await listens(port)); await delay(ASK_EVERY_MS)) {
    if (performance.now() < endsAt && child.exitCode === null) continue;
    await endProgram(child);
    throw new Error(`${child.spawnfile} does not listen.`);
  }
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
