/** Runs a built image as a hardened container: as another user, without capabilities, with only the volume writable. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { BuiltImage } from './built-image.js';

const run = promisify(execFile);

/** Time limit for an expected event in a container. */
const PATIENCE_MS = 120_000;

/** The image's PATH. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Options of `docker run`. */
export interface RunOptions {
  /** `--user` as USER:GROUP. Default: the image's user. */
  readonly user?: string;
  readonly volume: string;
  /** `--env`. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The result of a program. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running container. */
export interface Container {
  /** The ID, on the host, of the container's first process. */
  readonly pid: number;
  /** Resolves to the first output line that begins with this text. */
  line(beginning: string): Promise<string>;
  /** `docker exec`. */
  exec(command: readonly string[]): Promise<Ended>;
  /** Runs a program of the host in the container's network. */
  inNetwork(command: readonly string[]): Promise<Ended>;
  /** Sends the image's stop signal and resolves to the result. */
  stop(): Promise<Ended>;
  /** Resolves when the container exits by itself. */
  readonly ended: Promise<Ended>;
}

const running = new Set<ChildProcess>();

export function endContainers(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** `docker run --read-only --cap-drop ALL --security-opt no-new-privileges IMAGE ARGUMENTS`. */
export async function runContainer(
  { root, stage }: BuiltImage,
  args: readonly string[],
  { user = stage.user, volume, environment = {} }: RunOptions,
): Promise<Container> {
  const [uid = '', gid = uid] = user.split(':');
  const settings = { PATH, ...stage.environment, ...environment };
  const bubble = [
    ...['--unshare-user', '--unshare-pid', '--as-pid-1', '--unshare-net', '--unshare-ipc', '--unshare-uts'],
    ...['--die-with-parent', '--cap-drop', 'ALL', '--info-fd', '3', '--clearenv'],
    ...Object.entries(settings).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', root, '/', '--bind', volume, stage.volume, '--proc', '/proc', '--dev', '/dev', '--chdir', '/'],
  ];
  const command = [...stage.entrypoint, ...(args.length > 0 ? args : stage.command)];
  const child = spawn('setpriv', [...asUser(uid, gid), 'bwrap', ...bubble, ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    cwd: '/',
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  const output = gathered(child.stdout as Readable);
  const complaints = gathered(child.stderr as Readable);
  const ended = once(child, 'close').then(([exitCode]) => ({
    exitCode,
    stdout: output.text(),
    stderr: complaints.text(),
  }));
  const pid = Number(/"child-pid": (\d+)/.exec(await text(child.stdio[3] as Readable))?.[1] ?? Number.NaN);
  const enter = (kinds: readonly string[], program: readonly string[], env = process.env) =>
    finished('nsenter', ['--target', String(pid), ...kinds, '--', ...program], env);
  return {
    pid,
    ended,
    line: (beginning) => Promise.race([output.line(beginning), ended.then(failed)]),
    exec: (program) => enter(['--mount', '--net', '--pid', '--setuid', uid, '--setgid', gid], program, settings),
    inNetwork: (program) => enter(['--net'], program),
    stop: () => {
      process.kill(pid, stage.stopSignal);
      return ended;
    },
  };
}

function asUser(uid: string, gid: string): string[] {
  return ['--reuid', uid, '--regid', gid, '--clear-groups', '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];
}

function failed({ exitCode, stdout, stderr }: Ended): never {
  throw new Error(`The container ended with ${exitCode}: ${stdout}${stderr}`);
}

async function finished(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  try {
    return { exitCode: 0, ...(await run(program, args, { timeout: PATIENCE_MS, env })) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number | null; stdout: string; stderr: string };
    return { exitCode: code, stdout, stderr };
  }
}

/** Collects a stream's output. `line` waits for a line with this beginning. */
function gathered(stream: Readable): { text(): string; line(beginning: string): Promise<string> } {
  let said = '';
  stream.on('data', (chunk) => {
    said += chunk;
  });
  return {
    text: () => said,
    line: (beginning) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`No line "${beginning}" in time: ${said}`)), PATIENCE_MS);
        const look = () => {
          const found = said
            .split('\n')
            .slice(0, -1)
            .find((one) => one.startsWith(beginning));
          if (found === undefined) return;
          clearTimeout(timer);
          stream.off('data', look);
          resolve(found);
        };
        stream.on('data', look);
        look();
      }),
  };
}
