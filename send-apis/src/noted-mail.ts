import type { ExtensionHost, OpenAttempt } from '../../server/dist/extension/extension.js';
import type { Problem } from './problem.js';
import type { ReadyMail } from './send-tasks.js';

type Begun = Parameters<ExtensionHost['attempts']['begin']>[0];

type NotedAttempt = Pick<OpenAttempt, 'recipient' | 'refused' | 'kept' | 'end'>;

export interface NotingOptions {
  readonly host: { readonly attempts: { begin(begun: Begun): NotedAttempt } };
  /** As its users write it, such as `resend`. */
  readonly provider: string;
  /** Who sends the request. */
  readonly client: string;
  /** The status that the provider answers to a problem. */
  statusOf(problem: Problem): number;
}

/** What is remembered of the mails of one request (D60), as of those over SMTP. */
export class Noting {
  readonly client: string;
  readonly #options: NotingOptions;

  constructor(options: NotingOptions) {
    this.#options = options;
    this.client = options.client;
  }

  /** Begins to note a mail, or one of which only the problem is known. */
  of(mail: ReadyMail | Problem): NotedMail {
    const { host, provider, client, statusOf } = this.#options;
    const from = 'from' in mail ? mail.from : null;
    return new NotedMail(host.attempts.begin({ way: provider, client, from }), mail, statusOf);
  }
}

/** One mail, of which is told once whether it was kept or refused. */
class NotedMail {
  readonly #attempt: NotedAttempt;
  readonly #addresses: readonly string[];
  readonly #statusOf: NotingOptions['statusOf'];

  constructor(attempt: NotedAttempt, mail: ReadyMail | Problem, statusOf: NotingOptions['statusOf']) {
    this.#attempt = attempt;
    this.#statusOf = statusOf;
    this.#addresses = 'recipients' in mail ? mail.recipients : mail.address === undefined ? [] : [mail.address];
  }

  /** All of it was refused: a provider refuses the other recipients for one of them, too. */
  refused(problem: Problem): void {
    const { kind, row = kind, detail = kind } = problem;
    this.#name();
    this.#attempt.refused({ name: row, code: this.#statusOf(problem), enhanced: null, text: detail });
    this.#attempt.end();
  }

  kept(receivedAt: readonly number[]): void {
    this.#name();
    this.#attempt.kept(receivedAt);
    this.#attempt.end();
  }

  #name(): void {
    for (const address of this.#addresses) this.#attempt.recipient(address, null);
  }
}
