import { closeSync, openSync } from 'node:fs';
import { constants, devNull } from 'node:os';
import { isatty } from 'node:tty';
import type { Log } from '../base/log.js';
import { readSettings, settingNames, settingsOfEnvironment } from '../settings/reading.js';
import type { Command, Invocation } from './command.js';

export const serve: Command = {
  usage: 'serve [OPTIONS]',
  summary: 'Runs the service.',
  description:
    'Runs the service until SIGINT or SIGTERM, or until its terminal is closed. Once both listeners are up, it prints one line that begins with "ready". ' +
    'Each option can also be set by the environment variable in brackets; separate several values with commas.',
  settings: settingNames(),
  switches: {},
  maxOperands: 0,
  run: runService,
};

async function runService({ settings: flags, environment }: Invocation): Promise<number> {
  // Nothing is promised yet, so a signal ends the start at once. The first process of a container must be told so.
  const signals = new Signals();
  const settings = readSettings(flags, settingsOfEnvironment(environment));
  // The service and its engines are loaded only by the command that runs it: the others answer at once.
  const [{ startService }, { openLog }] = await Promise.all([import('../service.js'), import('../base/log.js')]);
  const log = openLog(settings['log-level'], settings['log-format']);
  const service = await startService(settings, log).catch(async (error) => {
    const { whyNotStarted } = await import('../doctor/check-ports.js');
    throw await whyNotStarted(error, settings);
  });
  await untilTold();
  // A supervisor that sees the ready line may end the service at that moment.
  const signalled = untilSignalled(signals, log);
  const metrics = service.metrics === null ? '' : ` metrics=${service.metrics}`;
  process.stdout.write(`ready smtp=${service.smtp} http=${service.http}${metrics}\n`);
  service.warmUp();

  const signal = await signalled;
  log.info(
    `${signal}: no longer accepting new mail; mail already being received may finish (at most 10 s; press Ctrl-C again to stop at once)`,
  );
  await service.stop();
  return 0;
}

/**
 * Resolves when this process has been told of the signals that have come until now: the event loop does so once a
 * round, and a start may take a single one. The first wait ends the round that is running, the second is a whole one.
 */
async function untilTold(): Promise<void> {
  for (let rounds = 0; rounds < 2; rounds += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Resolves to the first signal that ends the service. A second one ends it at once. */
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

/** What ends the service, and in a hurry where it is sent again. */
const ENDING = ['SIGINT', 'SIGTERM'] as const;

/** Signals that the service ignores: unasked, Node would end, or open a port for debuggers. */
const UNUSED = ['SIGUSR1', 'SIGUSR2'] as const;

/** By the shells' custom, a process that a signal ended has the signal's number and this as its exit code. */
const ENDED_BY_SIGNAL = 128;

const STANDARD_STREAMS = [0, 1, 2] as const;

/** What the signals of a process mean at this moment. */
export interface SignalMeanings {
  /** The process is asked to end. `isHurry` if that should be confirmed: a lost terminal may say so several times. */
  end(signal: NodeJS.Signals, isHurry: boolean): void;
  ignored(signal: NodeJS.Signals): void;
}

/**
 * Heeds the signals of this process from now on: SIGINT and SIGTERM end it, SIGUSR1 and SIGUSR2 do nothing. SIGHUP ends
 * a process that has a terminal, for that was closed. To others it is what asks a daemon to read its files again, or
 * what `nohup` keeps away and Node lets through: they do nothing, as a renewed certificate is found without it (D44).
 */
class Signals {
  #meanings: SignalMeanings = {
    end: (signal) => process.exit(ENDED_BY_SIGNAL + constants.signals[signal]),
    ignored() {},
  };

  constructor() {
    // Asked now: later the terminal may be gone.
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
 * Closes a terminal that is gone: Node restores the settings of terminals when it ends, and aborts where it cannot.
 * Only at the end, for what other threads open meanwhile, such as a connection, would get its number, and with it what
 * is written to the log.
 */
function leave(terminal: number): void {
  closeSync(terminal);
  openSync(devNull, 'r+');
}
