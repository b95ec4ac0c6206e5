import type { OpenAttempt, Request, Service } from 'mayfly-inbox/plugin';
import { type Problem, sentenceOf } from './problem.js';
import type { ReadyMail } from './send-tasks.js';

export interface NotingOptions {
  readonly host: Service;
  /** The status that a provider answers to a problem. */
  statusOf(problem: Problem): number;
}

/** What is remembered of one mail of a request, as of one over SMTP (D60). What becomes of it first counts. */
export class NotedMail {
  readonly #statusOf: NotingOptions['statusOf'];
  readonly #attempt: OpenAttempt;
  #isOver = false;

  constructor({ host, statusOf }: NotingOptions, provider: string, request: Request, mail: ReadyMail | Problem) {
    const from = 'from' in mail ? mail.from : null;
    this.#statusOf = statusOf;
    const { access } = host;
    const [client, space] = [access.clientOf(request), access.spaceOf(request)];
    this.#attempt = host.attempts.begin({ way: provider, client, from, space });
    // All are named first: the refusal of one is that of all.
    for (const address of addressesOf(mail)) this.#attempt.recipient(address, null);
  }

  refused(problem: Problem): void {
    if (this.#isOver) return;
    const { kind, row = kind } = problem;
    const told = { name: row, code: this.#statusOf(problem), enhanced: null, text: sentenceOf(problem) };
    this.#attempt.refused(told);
    this.#end();
  }

  kept(receivedAt: readonly number[]): void {
    if (this.#isOver) return;
    this.#attempt.kept(receivedAt);
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.#attempt.end();
  }
}

function addressesOf(mail: ReadyMail | Problem): readonly string[] {
  const { recipients = [] } = mail;
  if (recipients.length > 0 || !('kind' in mail)) return recipients;
  return mail.address === undefined ? [] : [mail.address];
}
