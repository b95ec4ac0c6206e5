import { CountedLines, type CountedLinesOptions, type LineLog } from '../base/counted-lines.js';
import { errorText, rowName, type SmtpError, smtpErrors } from '../errors.js';

export interface Offered {
  readonly startTls: 'offered' | 'not offered' | 'in use';
  readonly auth: 'offered' | 'not offered';
}

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
export class MailLog {
  readonly #log: LineLog;
  readonly #lines: CountedLines;

  constructor(options: CountedLinesOptions) {
    this.#log = options.log;
    this.#lines = new CountedLines(options);
  }

  stored(facts: { readonly client: string; readonly bytes: number; readonly recipients: number }): void {
    this.#log.debug(facts, 'A mail was stored.');
  }

  /** `values` fill the error's text. */
  refused(error: SmtpError, client: string, values: Readonly<Record<string, string | number>> = {}): void {
    const facts = { client, reply: `${error.code} ${error.enhanced}` };
    const message = `Refused: ${errorText(error, values)}.`;
    if (QUIET.has(error) || error.isRehearsed) this.#log.debug({ kind: rowName(error), ...facts }, message);
    else this.#lines.write(rowName(error), WRONG_SETTING.has(error) ? 'warn' : 'info', facts, message);
  }

  /** The connection ended between STARTTLS and the first command under TLS; `reason` is the error's code. */
  tlsEnded(client: string, reason: string | null): void {
    const message =
      'A client closed the connection during or right after the TLS handshake: it probably does not trust the certificate.';
    this.#lines.write('tls-ended', 'info', { client, reason }, message);
  }

  mailLost(client: string): void {
    const message = 'A client disconnected or went silent in the middle of a mail, which was dropped.';
    this.#lines.write('mail-lost', 'info', { client }, message);
  }

  /** A client greeted and left without mail or refusal: it may have missed an extension. */
  leftWithoutMail(client: string, { startTls, auth }: Offered): void {
    const message =
      'A client sent EHLO or HELO and disconnected without sending mail. If it requires STARTTLS or AUTH: ' +
      `STARTTLS is ${startTls}, and AUTH is ${auth} (docs/no-mail.md).`;
    this.#lines.write('no-mail', 'info', { client }, message);
  }

  storeAway(reason: string): void {
    this.#lines.write(
      rowName(smtpErrors.storeAway),
      'warn',
      { reason },
      'Mail is refused with 451: the store is not responding.',
    );
  }

  unlistedProxy(client: string): void {
    const message = 'A PROXY protocol header arrived from an address that is not in --smtp-proxy.';
    this.#lines.write('unlisted-proxy', 'warn', { client }, message);
  }

  stop(): void {
    this.#lines.stop();
  }
}
