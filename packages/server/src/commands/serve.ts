import { closeSync, openSync } from 'node:fs';
import { constants, devNull } from 'node:os';
import { isatty } from 'node:tty';
import { sayIfUnread } from 'mayfly-cli';
import { withPort } from '../base/listen-address.js';
import type { Log } from '../base/log.js';
import type { ListenAddress } from '../settings/kinds.js';
import { readSettings, settingsOfEnvironment } from '../settings/reading.js';
import { settingNames } from '../settings/table.js';
import type { Command, Invocation } from './command.js';
import { checkUntestedNode } from './untested-node.js';

export const serve: Command = {
  usage: 'serve [OPTIONS]',
  summary: 'Runs the service.',
  description:
    'Runs the service until SIGINT or SIGTERM, or until its terminal is closed. Once both listeners are up, it prints one line that begins with "ready". ' +
    'Each option can also be set by the environment variable in brackets; separate several values with commas.',
  get settings() {
    return settingNames();
  },
  switches: {},
  maxOperands: 0,
  run: runService,
};

/** How long the process waits for what is still open once the service has stopped. */
const LEFT_OPEN_MS = 1_000;

async function runService({ settings: flags, environment }: Invocation): Promise<number> {
  // Until now a signal ends the start. The first process of a container must be told so explicitly.
  const signals = new Signals();
  const settings = readSettings(flags, settingsOfEnvironment(environment));
  // Only this command loads the service: the others answer at once.
  const [{ startService }, { openLog }] = await Promise.all([import('../service.js'), import('../base/log.js')]);
  const log = openLog(settings['log-level'], settings['log-format']);
  const service = await startService(settings, log).catch(async (error) => {
    const { whyNotStarted } = await import('../doctor/check-ports.js');
    throw await whyNotStarted(error, settings);
  });
  await checkUntestedNode(service.http, log).catch(async (error) => {
    await service.stop();
    throw error;
  });
  await untilTold();
  // A supervisor may stop the service as soon as it sees the ready line.
  const signalled = untilSignalled(signals, log);
  const metrics = service.metrics === null ? '' : ` metrics=${service.metrics}`;
  sayIfUnread(
    'Standard output was closed before the "ready" line could be written, so the service has stopped. Keep its reader open, or redirect the output to a file or to /dev/null.',
  );
  const smtps = service.smtps === null ? '' : ` smtps=${shown(service.smtps)}`;
  process.stdout.write(`ready smtp=${shown(service.smtp)} http=${service.http}${metrics}${smtps}\n`);
  service.prepare();

  const signal = await signalled;
  const hurry = signal === 'SIGINT' ? '; press Ctrl-C again to stop at once' : '';
  log.info(`${signal}: no longer accepting new mail; mail already being received may finish (at most 10 s${hurry})`);
  await service.stop();
  // biome-ignore lint/style/noRestrictedGlobals: What a plugin has left open must not keep the process.
  setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
  return 0;
}

function shown({ host, port }: ListenAddress): string {
  return withPort(host, port);
}

/**
 * Resolves when this process has been told of the signals that have come until now: the event loop does so once a
 * round, and a start may take a single one. The first wait ends the round that is running, the second is a whole one.
 */
async function untilTold(): Promise<void> {
  for (let rounds = 0; rounds < 2; rounds += 1) await new Promise((resolve) => setImmediate(resolve));
}

function untilSignalled(signals: Signals, log: Log): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isEnding = false;
    signals.mean({
      end(signal, isHurry) {
        if (isEnding && isHurry) process.exit(1);
        isEnding = true;
        resolve(signal);
      },
      ignored: (signal) => log.info(`${signal} is ignored; SIGTERM stops the service.`),
    });
  });
}

/** End the service; repeated, at once. */
const ENDING = ['SIGINT', 'SIGTERM'] as const;

/** Signals that the service ignores: unasked, Node would end, or open a port for debuggers. */
const UNUSED = ['SIGUSR1', 'SIGUSR2'] as const;

/** A shell's exit code for a process that a signal ended is this plus the signal's number. */
const ENDED_BY_SIGNAL = 128;

const STANDARD_STREAMS = [0, 1, 2] as const;

export interface SignalMeanings {
  /** `isHurry` if a repeated signal means haste: a lost terminal may repeat its own. */
  end(signal: NodeJS.Signals, isHurry: boolean): void;
  ignored(signal: NodeJS.Signals): void;
}

/**
 * Handles signals: SIGINT and SIGTERM end the process, SIGUSR1 and SIGUSR2 do nothing. SIGHUP ends a process whose
 * terminal closed. For others it does nothing: daemons use it to reload, `nohup` blocks it and Node does not, and a
 * renewed certificate is found anyway (D44).
 */
class Signals {
  #meanings: SignalMeanings = {
    end: (signal) => process.exit(ENDED_BY_SIGNAL + constants.signals[signal]),
    ignored() {},
  };

  constructor() {
    // Now: later the terminal may be gone.
    const terminals = STANDARD_STREAMS.filter((fd) => isatty(fd));
    const hasTerminal = terminals.length > 0;
    for (const signal of ENDING) process.on(signal, () => this.#meanings.end(signal, true));
    process.on('SIGHUP', () => {
      if (hasTerminal) this.#meanings.end('SIGHUP', false);
      else this.#meanings.ignored('SIGHUP');
    });
    for (const signal of UNUSED) process.on(signal, () => this.#meanings.ignored(signal));
    process.once('exit', () => {
      for (const fd of terminals) if (!isatty(fd)) leave(fd);
    });
  }

  mean(meanings: SignalMeanings): void {
    this.#meanings = meanings;
  }
}

/**
 * Closes a lost terminal: on exit Node restores terminals, and aborts if it cannot. Only at the end: until then another
 * thread's connection could get the number, and the log would go there.
 */
function leave(terminal: number): void {
  closeSync(terminal);
  openSync(devNull, 'r+');
}
