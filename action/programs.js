// Runs npm and Mayfly on every system that runners have.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

/** How long an installation may take, in milliseconds. */
const INSTALL_TIMEOUT_MS = 300_000;

/** How long a command of Mayfly may take, in milliseconds. */
const COMMAND_TIMEOUT_MS = 120_000;

/** How often the log is looked at for the line that says that the service is ready, in milliseconds. */
const LOOK_EVERY_MS = 50;

/** How much of an output or a log is shown, from its end, in characters or bytes. */
const MAX_SHOWN = 60_000;

/** The line that the service prints when it is ready. Where it has metrics, it names them, too. */
const READY = /^ready smtp=(.+):(\d+) http=(http:\/\/\S+)(?: metrics=\S+)?\r?$/m;

/** Where an installed Mayfly has its command. */
const COMMAND = 'node_modules/mayfly-inbox/bin/mayfly.js';

/** Installs what the package.json of a folder asks for. Nothing of it is an argument, which a shell could misread. */
export function install(folder) {
  const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm is a script of its shell on Windows.
  return finished('npm', args, { cwd: folder, shell: process.platform === 'win32', timeout: INSTALL_TIMEOUT_MS });
}

/** Runs a command of the Mayfly that is installed in a folder. */
export function mayfly(folder, args) {
  return finished(process.execPath, [path.join(folder, COMMAND), ...args], { timeout: COMMAND_TIMEOUT_MS });
}

/** Whether Mayfly is installed in a folder. */
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
    return { code: null, output: `${program} cannot be run: ${error.message}` };
  }
}

/** Starts the service of a folder in the background, with all that it prints in a file. It lives on when this process ends. */
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

/** Resolves to where a service listens, once its log says so; to why not where it ends before or takes too long, and then it is ended. */
export async function whenReady(child, log, timeoutMs) {
  let ended = null;
  child.once('exit', (code, signal) => {
    ended = `It ended with ${code === null ? signal : `code ${code}`}.`;
  });
  child.once('error', (error) => {
    ended = `It cannot be run: ${error.message}.`;
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

/** The end of what a service has printed. */
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
