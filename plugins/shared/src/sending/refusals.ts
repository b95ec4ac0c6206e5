import type { CountedLines, Log, Request, Service } from 'mayfly-inbox/plugin';
import type { AnswerTo } from './answer.js';
import type { ReadyMail } from './order-task.js';
import { isProblem, type Problem, sentenceOf } from './problem.js';

/** Logged only at debug level: errors that are logged elsewhere, and rejections by a stopping service. */
const QUIET: readonly string[] = ['internal', 'stopping'];

/** Problems of the service, not of a request. */
const WRONG_SERVICE: readonly string[] = ['store-away', 'unavailable'];

type Logging = { readonly log: Log; readonly lines: CountedLines; readonly name: string };

/**
 * Logs a rejected request, as `MailLog` logs rejections of SMTP (D45): each kind of rejection once a minute with a
 * count. Lines contain no address, no inbox name, no key and no content.
 */
export function logRefusal({ log, lines, name }: Logging, client: string, problem: Problem): void {
  const { kind, row = kind } = problem;
  const message = `Refused: ${sentenceOf(problem)}`;
  if (QUIET.includes(row)) log.debug({ kind: `${name} ${row}`, client }, message);
  else lines.write(`${name} ${row}`, WRONG_SERVICE.includes(row) ? 'warn' : 'info', { client }, message);
}

export type NotedMail = ReturnType<typeof noted>;

interface Noting {
  readonly host: Pick<Service, 'attempts'>;
  readonly name: string;
  readonly provider: { readonly answer: AnswerTo };
}

/**
 * Adds a delivery attempt for a message to the log, as SMTP does (D60). A request that is rejected before its messages
 * are known counts as one attempt. The returned functions set the outcome; only the first call has an effect.
 */
export function noted({ host, name, provider }: Noting, request: Request, mail: ReadyMail | Problem) {
  const { client, adHoc } = request.caller;
  const attempt = host.attempts.begin({ way: name, client, from: isProblem(mail) ? null : mail.from, adHoc });
  // Records all recipients first, because if one is rejected, all are.
  for (const address of addressesOf(mail)) attempt.recipient(address, null);
  let isOver = false;
  const end = (note: () => void) => {
    if (isOver) return;
    isOver = true;
    note();
    attempt.end();
  };
  return {
    refused(problem: Problem): void {
      const { kind, row = kind } = problem;
      const { status } = provider.answer(problem);
      end(() => attempt.refused({ name: row, code: status, enhanced: null, text: sentenceOf(problem) }));
    },
    kept: (receivedAt: readonly number[]) => end(() => attempt.kept(receivedAt)),
  };
}

function addressesOf(mail: ReadyMail | Problem): readonly string[] {
  const { recipients = [] } = mail;
  return recipients.length === 0 && isProblem(mail) && mail.address !== undefined ? [mail.address] : recipients;
}
