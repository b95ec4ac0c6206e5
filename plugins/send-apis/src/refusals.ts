import { type Clock, CountedLines, type Log } from 'mayfly-inbox/plugin';
import { type Problem, sentenceOf } from './problem.js';

/** Whose request was refused. */
export interface Refused {
  readonly provider: string;
  readonly client: string;
}

/** Logged at debug only: errors that are in the log already, and a stop. */
const QUIET: readonly string[] = ['internal', 'stopping'];

/** Faults of the service, not of a request. */
const WRONG_SERVICE: readonly string[] = ['store-away', 'unavailable'];

/**
 * What the log says of requests to send that were refused, as `MailLog` says it of SMTP (D45): each kind of refusal
 * once a minute with a count. Lines hold no address, no name of an inbox, no key and no content.
 */
export class Refusals {
  readonly #log: Log;
  readonly #lines: CountedLines;

  constructor(log: Log, { after }: Pick<Clock, 'after'>) {
    this.#log = log;
    this.#lines = new CountedLines({ log, after });
  }

  tell({ provider, client }: Refused, problem: Problem): void {
    const { kind, row = kind } = problem;
    const message = `Refused: ${sentenceOf(problem)}`;
    if (QUIET.includes(row)) this.#log.debug({ kind: `${provider} ${row}`, client }, message);
    else this.#lines.write(`${provider} ${row}`, WRONG_SERVICE.includes(row) ? 'warn' : 'info', { client }, message);
  }

  stop(): void {
    this.#lines.stop();
  }
}
