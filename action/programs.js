// Runs npm and Mayfly on Linux, macOS and Windows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const INSTALL_TIMEOUT_MS = 300_000;

const COMMAND_TIMEOUT_MS = 120_000;

/** How often to check the log for the `ready` line. */
const LOOK_EVERY_MS = 50;

/** Characters or bytes to show from the end of an output or a log. */
const MAX_SHOWN = 60_000;

/** The `ready` line of the service, with or without metrics. */
const READY = /^ready smtp=(.+):(\d+) http=(http:\/\/\S+)(?: metrics=\S+)?\r?$/m;

const COMMAND = 'node_modules/mayfly-inbox/bin/mayfly.js';

/** Runs npm install without names of packages, because a shell could misread them. package.json lists the packages. */
export function install(folder) {
  const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // Windows needs a shell, because npm is a shell script there.
  return finished('npm', args, { cwd: folder, shell: process.platform === 'win32', timeout: INSTALL_TIMEOUT_MS });
}

export function mayfly(folder, args) {
  return finished(process.execPath, [path.join(folder, COMMAND), ...args], { timeout: COMMAND_TIMEOUT_MS });
}

export function isInstalled(folder) {
  return existsSync(path.join(folder, COMMAND));
}

async function finished(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = shownOf(output + chunk);
    });
  }
  try {
    const [code] = await once(child, 'close');
    return { code, output };
  } catch (error) {
    return { code: null, output: `Cannot run ${program}: ${error.message}` };
  }
}

/** Starts a folder's service in the background, with its output in a file. The service outlives this process. */
export function startService(folder, args, { log, env }) {
  const file = openSync(log, 'a');
  const child = spawn(process.execPath, [path.join(folder, COMMAND), 'serve', ...args], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', file, file],
    windowsHide: true,
  });
  closeSync(file);
  child.unref();
  return child;
}

/** Resolves to the service's addresses once it is ready, or to a reason if the service exits or takes too long. */
export async function whenReady(child, log, timeoutMs) {
  let ended = null;
  child.once('exit', (code, signal) => {
    ended = `It exited with ${code === null ? signal : `code ${code}`}.`;
  });
  child.once('error', (error) => {
    ended = `It cannot run: ${error.message}.`;
  });
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const isOver = ended !== null;
    const [, host, port, url] = READY.exec(logOf(log)) ?? [];
    if (url !== undefined && !isOver) return { smtp: { host, port }, url };
    if (isOver) return { why: ended };
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      return { why: `It was not ready within ${timeoutMs / 1000} s.` };
    }
    await after(LOOK_EVERY_MS);
  }
}

/** Returns the end of a service's output. */
export function logOf(file) {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const end = Buffer.alloc(Math.min(size, MAX_SHOWN));
    const bytes = readSync(descriptor, end, 0, end.length, size - end.length);
    return (size > end.length ? '…' : '') + end.toString('utf8', 0, bytes);
  } finally {
    closeSync(descriptor);
  }
}

function shownOf(text) {
  return text.length > MAX_SHOWN ? `…${text.slice(-MAX_SHOWN)}` : text;
}
