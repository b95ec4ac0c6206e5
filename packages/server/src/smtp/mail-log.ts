import type { CountedLines, LineLog } from '../base/counted-lines.js';
import { rowName, type SmtpError, smtpErrors } from '../errors.js';
import type { Ended, RefusedPart, SmtpObserver, SmtpSession, StoredMessage } from './observer.js';
import type { Refused } from './replies.js';

/**
 * Refusals logged only for debugging: without fault (idle pooled connections, a stop), or already logged as an error.
 */
const QUIET: ReadonlySet<SmtpError> = new Set<SmtpError>([
  smtpErrors.idleTooLong,
  smtpErrors.stopping,
  smtpErrors.authAborted,
  smtpErrors.internal,
  smtpErrors.broken,
  smtpErrors.storeAway,
]);

const WRONG_SETTING: ReadonlySet<SmtpError> = new Set<SmtpError>([
  smtpErrors.proxyHeaderMissing,
  smtpErrors.badProxyHeader,
  smtpErrors.proxyHeaderTooLate,
  smtpErrors.tooManyAwaited,
]);

/**
 * What the log says about mail, so that it answers "my mail does not arrive": each kind of refusal once a minute with a
 * count, each mail for debugging. Lines hold the reply and the client's key; no addresses, inbox names, credentials or
 * content.
 */
export class MailLog implements SmtpObserver {
  readonly #log: LineLog;
  readonly #lines: CountedLines;
  readonly #session: SmtpSession;

  constructor(log: LineLog, lines: CountedLines, session: SmtpSession) {
    this.#log = log;
    this.#lines = lines;
    this.#session = session;
  }

  turnedAway(refused: Refused): void {
    this.refused(refused, 'command');
  }

  stored({ bytes, receivedAt }: StoredMessage): void {
    this.#log.debug({ client: this.#session.client, bytes, recipients: receivedAt.length }, 'A mail was stored.');
  }

  refused({ error, name, code, enhanced, text }: Refused, part: RefusedPart): void {
    if (part !== 'consequence') {
      const facts = { client: this.#session.client, reply: `${code} ${enhanced}` };
      const message = `Refused: ${text}.`;
      if (QUIET.has(error) || error.isRehearsed) this.#log.debug({ kind: name, ...facts }, message);
      else this.#lines.write(name, WRONG_SETTING.has(error) ? 'warn' : 'info', facts, message);
    }
    // Idling alone is for debugging; idling within a mail is not.
    if (part === 'message' && error === smtpErrors.idleTooLong) this.lost();
  }

  lost(): void {
    const message = 'A client disconnected or went silent in the middle of a mail, which was dropped.';
    this.#lines.write('mail-lost', 'info', { client: this.#session.client }, message);
  }

  storeAway(reason: string): void {
    const message = 'Mail is refused with 451: the store is not responding.';
    this.#lines.write(rowName(smtpErrors.storeAway), 'warn', { reason }, message);
  }

  unlistedProxy(): void {
    const message = 'A PROXY protocol header arrived from an address that is not in --smtp-proxy.';
    this.#lines.write('unlisted-proxy', 'warn', { client: this.#session.client }, message);
  }

  ended({ isDismissed, reason, offered }: Ended): void {
    if (isDismissed) return;
    const { client, tls } = this.#session;
    if (tls === 'failed') {
      const message =
        'A client closed the connection during or right after the TLS handshake: it probably does not trust the certificate.';
      this.#lines.write('tls-ended', 'info', { client, reason }, message);
    } else if (offered !== null) {
      // It may have missed an extension.
      const message =
        'A client sent EHLO or HELO and disconnected without sending mail. If it requires STARTTLS or AUTH: ' +
        `STARTTLS is ${offered.startTls}, and AUTH is ${offered.auth} (docs/no-mail.md).`;
      this.#lines.write('no-mail', 'info', { client }, message);
    }
  }
}
