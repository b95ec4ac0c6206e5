import { type ChildProcess, execFile, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import './plugin/installed.js';
import { inTime, systemClock } from './base/clock.js';
import type { ServiceNews } from './service-process.js';
import { SettingsError } from './settings/reading.js';
import { checkOptions, type StartOptions } from './settings/start-options.js';

export { checkOptions as checkStartOptions, SettingsError };

export interface StartedMayfly {
  /** Base address of the HTTP interface, and of the inbox page. */
  readonly url: string;
  readonly smtp: { readonly host: string; readonly port: number };
  /** Address of SMTP with implicit TLS (nodemailer: `secure: true`); null without the option `smtpsPort`. */
  readonly smtps: { readonly host: string; readonly port: number } | null;
  /** Address of the metrics; null without the option `metrics`. */
  readonly metricsUrl: string | null;
  /** The domain of the inboxes; the first if there are several. */
  readonly domain: string;
  /**
   * For each provider whose send API is served, the environment variables for an application that sends with its SDK:
   * `spawn('npm', ['start'], { env: { ...process.env, ...sending.resend } })`.
   */
  readonly sending: { readonly [provider in SendApi]?: Readonly<Record<string, string>> };
  /**
   * Writes the report of a test run to a new HTML file, as `mayfly export --run` does. `secret` is the `MAYFLY_RUN` of
   * the run. The API key comes from the environment.
   */
  exportRun(secret: string, file: string): Promise<void>;
  /** Stops the service after it has stored and answered incoming mail. Idempotent. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** In the published types, this lists the providers (`tools/types.js`). */
type SendApi = string;

const PROGRAM = fileURLToPath(new URL('../bin/service-process.js', import.meta.url));

const COMMAND_LINE = fileURLToPath(new URL('../bin/mayfly.js', import.meta.url));

/** Maximum time to write the run report at the end of a run. Vitest allows 10 s. */
const EXPORT_TIMEOUT_MS = 8_000;

/** Maximum time to start. A busy machine may need most of it. */
const START_TIMEOUT_MS = 120_000;

/** Maximum time to stop, of which the service gives incoming mail 10 s. */
const STOP_TIMEOUT_MS = 20_000;

/**
 * Starts a service in a separate process, by default on free ports and in memory. That process ends when the calling
 * process ends, for whatever reason. It reads no environment and writes no log, and several may run at the same time.
 * Rejects with a `SettingsError` for an unknown or invalid option, and with an `Error` if trying again may help, for
 * example if a port is in use.
 */
export async function startMayfly(options: StartOptions = {}): Promise<StartedMayfly> {
  for (const warning of checkOptions(options)) process.emitWarning(warning, 'DeprecationWarning');
  const child = fork(PROGRAM, {
    // Flags of the calling process, such as --inspect or a loader, must not apply to the new process.
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  const ready = await started(child, options, ended);
  let isStopping = false;
  void ended.then((how) => {
    if (!isStopping) process.stderr.write(`Mayfly at ${ready.url} has ended before it was stopped (${how}).\n`);
  });
  const stop = async () => {
    isStopping = true;
    await end(child, ended);
  };
  const exportRun = (secret: string, file: string) => runInFile(ready.url, secret, file);
  return { ...ready, exportRun, stop, [Symbol.asyncDispose]: stop };
}

/** Runs the command line to write a run report into a file. Rejects with the output of the command. */
function runInFile(url: string, secret: string, file: string): Promise<void> {
  const args = [COMMAND_LINE, 'export', '--run', secret, '--url', url, file];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { timeout: EXPORT_TIMEOUT_MS, killSignal: 'SIGKILL' }, (error, _, said) => {
      if (error === null) resolve();
      else reject(new Error(error.killed ? `no end in ${EXPORT_TIMEOUT_MS / 1000} s` : said.trim() || error.message));
    });
  });
}

/** Starts the service in the process, and resolves to its addresses. If the service fails, ends the process. */
async function started(child: ChildProcess, options: StartOptions, ended: Promise<string>) {
  const told = new Promise<ServiceNews>((resolve) => {
    child.once('message', (news) => resolve(news as ServiceNews));
  });
  // Ignores a failure, because the exit event reports that the process has ended.
  child.send(options, () => {});
  const late = () => new Error(`no answer in ${START_TIMEOUT_MS / 1000} s`);
  const first = inTime(systemClock, START_TIMEOUT_MS, () => Promise.race([told, ended]), late);
  const news = await first.catch(({ message }) => String(message));
  if (typeof news === 'object' && 'ready' in news) return news.ready;
  await end(child, ended);
  if (typeof news === 'string') throw new Error(`The process of Mayfly did not start the service (${news}).`);
  const { message, isSetting, code } = news;
  throw new (isSetting ? SettingsError : Error)(message, code === undefined ? {} : { cause: { code } });
}

async function end(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (child.connected) child.disconnect();
  const cancel = systemClock.after(STOP_TIMEOUT_MS, () => child.kill('SIGKILL'));
  await ended;
  cancel();
}
