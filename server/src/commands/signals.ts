import { closeSync, openSync } from 'node:fs';
import { constants, devNull } from 'node:os';
import { isatty } from 'node:tty';

/** What ends the service, and in a hurry where it is sent again. */
const ENDING = ['SIGINT', 'SIGTERM'] as const;

/** What the service takes no notice of: Node would end, or open a port for debuggers, without anybody having asked for one. */
const UNUSED = ['SIGUSR1', 'SIGUSR2'] as const;

/** By the shells' custom, a process that a signal ended has the signal's number and this as its exit code. */
const ENDED_BY_SIGNAL = 128;

const STANDARD_STREAMS = [0, 1, 2] as const;

/** What the signals of a process mean at this moment. */
export interface SignalMeanings {
  /** The process is asked to end. `isHurry` where that is worth a second thought: a lost terminal may say so several times. */
  end(signal: NodeJS.Signals, isHurry: boolean): void;
  ignored(signal: NodeJS.Signals): void;
}

/**
 * Heeds the signals of this process from now on: SIGINT and SIGTERM end it, SIGUSR1 and SIGUSR2 do nothing. SIGHUP ends a process that has
 * a terminal, for that was closed. To others it is what asks a daemon to read its files again, or what `nohup` keeps away and Node lets
 * through: they do nothing, as a renewed certificate is found without it (D44).
 */
export class Signals {
  #meanings: SignalMeanings = {
    end: (signal) => process.exit(ENDED_BY_SIGNAL + constants.signals[signal]),
    ignored() {},
  };

  constructor() {
    // Asked now: a terminal that is gone is none.
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

  /** Gives the signals another meaning. Before, those that end the process end it at once, with their number. */
  mean(meanings: SignalMeanings): void {
    this.#meanings = meanings;
  }
}

/**
 * Closes a terminal that is gone: Node restores the settings of terminals when it ends, and aborts where it cannot. Only at the end, for what
 * other threads open meanwhile, such as a connection, would get its number, and with it what is written to the log.
 */
function leave(terminal: number): void {
  closeSync(terminal);
  openSync(devNull, 'r+');
}
