import type { ExtensionHost, OpenAttempt, Request } from '../../server/dist/extension/extension.js';
import type { Problem, ProblemKind } from './problem.js';
import type { ReadyMail } from './send-tasks.js';

/** Problems that SMTP has, too, by the names that they have there. */
const ROWS: Readonly<Partial<Record<ProblemKind, string>>> = {
  'not-served': 'foreign-domain',
  'too-large': 'message-too-large',
  'too-many-recipients': 'too-many-recipients',
  full: 'inbox-full',
};

export interface NotingOptions {
  readonly host: ExtensionHost;
  /** The status that a provider answers to a problem. */
  statusOf(problem: Problem): number;
}

/** What is remembered of one mail of a request (D56), as of one over SMTP. */
export class NotedMail {
  readonly #options: NotingOptions;
  readonly #attempt: OpenAttempt;

  constructor(options: NotingOptions, provider: string, request: Request, mail: ReadyMail | Problem) {
    const { host } = options;
    const from = 'from' in mail ? mail.from : null;
    this.#options = options;
    this.#attempt = host.attempts.begin({ way: provider, client: host.access.clientOf(request), from });
  }

  /** Names its recipients: the one that a problem is about is refused for it, and the others are not. */
  recipients(mail: ReadyMail | Problem, problem: Problem | null = null): this {
    const named = 'recipients' in mail ? mail.recipients : mail.address === undefined ? [] : [mail.address];
    for (const address of named) {
      this.#attempt.recipient(address, problem?.address === address ? this.#told(problem) : null);
    }
    return this;
  }

  /** All of it was refused. `name` is a row of the table of errors, where another than the problem's own is meant. */
  refused(problem: Problem, name?: string): void {
    this.#attempt.refused(this.#told(problem, name));
    this.#attempt.end();
  }

  kept(receivedAt: readonly number[]): void {
    this.#attempt.kept(receivedAt);
    this.#attempt.end();
  }

  #told(problem: Problem, name = this.#nameOf(problem)) {
    const text = problem.detail ?? problem.kind;
    return { name, code: this.#options.statusOf(problem), enhanced: null, text };
  }

  #nameOf({ kind, address }: Problem): string {
    const isBadName = address !== undefined && this.#options.host.mail.recipientOf(address) === 'bad-name';
    return kind === 'not-served' && isBadName ? 'bad-recipient-name' : (ROWS[kind] ?? kind);
  }
}
