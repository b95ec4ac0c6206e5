import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InboxResponse } from 'mayfly-client';
import { createTransport } from 'nodemailer';
import { afterAll } from 'vitest';
import { freePort } from '../ports.js';

/** The command that users run. */
export const MAYFLY = fileURLToPath(new URL('../../bin/mayfly.js', import.meta.url));

export const CLIENT_MAYFLY = fileURLToPath(new URL('../../../client/bin/mayfly.js', import.meta.url));

/** Time limit for a process to become ready. */
const START_TIMEOUT_MS = 120_000;

/** A Mayfly as users run it, in a separate process on free ports. */
export interface RunningMayfly {
  readonly url: string;
  readonly smtpPort: number;
  readonly process: ChildProcess;
  /** Standard output of the process so far. */
  output(): string;
  log(): string;
  /** Sends the signal and resolves to the exit code, or to the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const running = new Set<ChildProcess>();

/** What to change about the process. By default, it runs the service's own command as the tests' user. */
interface As {
  readonly uid?: number;
  readonly command?: string;
  /** An executable to run instead of Node and `MAYFLY`. The environment can name one for all tests. */
  readonly program?: string | undefined;
  readonly options?: readonly string[];
  /** A command that runs the process, such as one that limits its memory. */
  readonly prefix?: readonly string[];
  readonly cwd?: string;
}

function start(
  args: readonly string[],
  environment: Record<string, string>,
  { command = MAYFLY, program = process.env.EXECUTABLE_UNDER_TEST, options = [], prefix = [], ...as }: As = {},
): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MAYFLY_'));
  const own = command === MAYFLY && program ? [program] : [process.execPath, ...options, command];
  const [first = '', ...rest] = [...prefix, ...own, ...args];
  const child = spawn(first, rest, {
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs a command until it ends. */
export async function runMayfly(
  args: readonly string[],
  environment: Record<string, string> = {},
  as: As = {},
): Promise<Finished> {
  return finished(start(args, environment, as));
}

/** Logged by a service whose store does not answer in time. The service continues. */
const WAITS_FOR_STORE = 'Retrying until it answers';

/**
 * Runs a service that must reject its store and exit. On a busy machine, the store may not answer in time. The service
 * then waits for the store, so this restarts the service.
 */
export async function refusedStart(args: readonly string[]): Promise<Finished> {
  for (;;) {
    const child = start(['serve', '--http-port', '0', '--smtp-port', '0', ...args], {});
    let log = '';
    child.stderr?.on('data', (chunk) => {
      log += chunk;
      if (log.includes(WAITS_FOR_STORE)) child.kill('SIGKILL');
    });
    const end = await finished(child);
    if (!log.includes(WAITS_FOR_STORE)) return end;
  }
}

async function finished(child: ChildProcess): Promise<Finished> {
  const printed = [child.stdout, child.stderr].map(async (stream) => {
    let text = '';
    for await (const chunk of stream ?? []) text += chunk;
    return text;
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const [stdout = '', stderr = ''] = await Promise.all(printed);
  return { exitCode, stdout, stderr };
}

/** Starts the service on free ports and resolves when it reports that it is ready. */
export async function serve(
  args: readonly string[],
  environment: Record<string, string> = {},
  as: As = {},
): Promise<RunningMayfly> {
  const child = start(['serve', '--http-port', '0', '--smtp-port', '0', ...args], environment, as);
  const { said, ...running } = await begun(child, /^ready .*$/m);
  const [, smtpPort, url] =
    /^ready smtp=[^ ]+:(\d+) http=(http:\/\/[^ ]+)(?: metrics=[^ ]+)?(?: smtps=[^ ]+)?$/.exec(said) ?? [];
  if (smtpPort === undefined || url === undefined) throw new Error(`a ready line of another form: ${said}`);
  return { ...running, url, smtpPort: Number(smtpPort) };
}

/** Starts the service and resolves when it reports that it waits for its store. The service may not listen yet. */
export async function serveWithoutStore(args: readonly string[]): Promise<RunningMayfly> {
  const [httpPort, smtpPort] = [await freePort(), await freePort()];
  const child = start(['serve', '--http-port', `${httpPort}`, '--smtp-port', `${smtpPort}`, ...args], {});
  const { said: _, ...running } = await begun(child, new RegExp(WAITS_FOR_STORE));
  return { ...running, url: `http://127.0.0.1:${httpPort}`, smtpPort };
}

/** Resolves once the output of a process matches. */
async function begun(child: ChildProcess, expected: RegExp) {
  let output = '';
  let complaints = '';
  const said = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time: ${complaints}`)), START_TIMEOUT_MS);
    const look = () => {
      const found = expected.exec(output) ?? expected.exec(complaints);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found[0]);
    };
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${complaints}`)));
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      look();
    });
    child.stderr?.on('data', (chunk) => {
      complaints += chunk;
      look();
    });
  });
  return {
    said,
    process: child,
    output: () => output,
    log: () => complaints,
    async end(signal: NodeJS.Signals): Promise<number | string> {
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code, by] = await ended;
      return code ?? by;
    },
  };
}

export function endAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Creates a folder for a store; `remove` deletes the folder. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-test-'));
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Creates a temporary folder for all tests of the file that calls this. */
export async function folderOfFile() {
  const folder = await temporaryFolder();
  afterAll(() => folder.remove());
  return folder;
}

/** Returns a transport with which an application sends mail to a running Mayfly. */
export function transportTo({ smtpPort }: RunningMayfly, options: object = {}) {
  // The default of 30 s for a greeting is too short for hundreds of connections on a busy machine.
  return createTransport({ host: '127.0.0.1', port: smtpPort, greetingTimeout: 120_000, ...options });
}

export async function fetchInbox({ url }: RunningMayfly, path: string): Promise<InboxResponse> {
  const response = await fetch(`${url}/api/inbox/${path}`);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as InboxResponse;
}
