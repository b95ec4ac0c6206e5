import { errorText, rowName, type SmtpError, smtpErrors } from '../errors.js';
import { CountedLines, type CountedLinesOptions, type SmtpLog } from './counted-lines.js';

export interface Offered {
  readonly startTls: 'offered' | 'not offered' | 'in use';
  readonly auth: 'offered' | 'not offered';
}

/**
 * Refusals that are lines for debugging alone: those without a fault (a pooled connection that idles, a stop),
 * and those whose reason is in the log already, as an error of its own.
 */
const QUIET: ReadonlySet<SmtpError> = new Set<SmtpError>([
  smtpErrors.idleTooLong,
  smtpErrors.stopping,
  smtpErrors.authAborted,
  smtpErrors.internal,
  smtpErrors.broken,
  smtpErrors.storeAway,
]);

/** Refusals that say that the operator has set something up wrong. */
const WRONG_SETTING: ReadonlySet<SmtpError> = new Set<SmtpError>([
  smtpErrors.proxyHeaderMissing,
  smtpErrors.badProxyHeader,
  smtpErrors.proxyHeaderTooLate,
  smtpErrors.tooManyAwaited,
]);

/**
 * What the log says of mail, so that "my mail does not arrive" has an answer there: each kind of refusal once a minute
 * with a count, and each mail for debugging. Lines hold what the client was told, and as what it is counted; no address
 * of a mail, no name of an inbox, no credentials and no content.
 */
export class MailLog {
  readonly #log: SmtpLog;
  readonly #lines: CountedLines;

  constructor(options: CountedLinesOptions) {
    this.#log = options.log;
    this.#lines = new CountedLines(options);
  }

  stored(facts: { readonly client: string; readonly bytes: number; readonly recipients: number }): void {
    this.#log.debug(facts, 'A mail was stored.');
  }

  /** A client was told an error, in whose text these values stand. */
  refused(error: SmtpError, client: string, values: Readonly<Record<string, string | number>> = {}): void {
    const facts = { client, reply: `${error.code} ${error.enhanced}` };
    const message = `Refused: ${errorText(error, values)}.`;
    if (QUIET.has(error) || error.isRehearsed) this.#log.debug({ kind: rowName(error), ...facts }, message);
    else this.#lines.write(rowName(error), WRONG_SETTING.has(error) ? 'warn' : 'info', facts, message);
  }

  /** A connection ended between STARTTLS and the first command under TLS; `reason` is the error's code. */
  tlsEnded(client: string, reason: string | null): void {
    const message =
      'A client closed the connection during or right after the TLS handshake: it probably does not trust the certificate.';
    this.#lines.write('tls-ended', 'info', { client, reason }, message);
  }

  /** A client has left, or says nothing more, in the middle of a mail. */
  mailLost(client: string): void {
    const message = 'A client disconnected or went silent in the middle of a mail, which was dropped.';
    this.#lines.write('mail-lost', 'info', { client }, message);
  }

  /** A client has greeted, was refused nothing, and has left without a mail: it may have missed an extension. */
  leftWithoutMail(client: string, { startTls, auth }: Offered): void {
    const message =
      'A client sent EHLO or HELO and disconnected without sending mail. If it requires STARTTLS or AUTH: ' +
      `STARTTLS is ${startTls}, and AUTH is ${auth} (docs/no-mail.md).`;
    this.#lines.write('no-mail', 'info', { client }, message);
  }

  /** A mail was refused because the store is away, for a reason that is not a client's. */
  storeAway(reason: string): void {
    this.#lines.write(
      rowName(smtpErrors.storeAway),
      'warn',
      { reason },
      'Mail is refused with 451: the store is not responding.',
    );
  }

  /** An unlisted address has sent a PROXY header, as a proxy does that is not configured. */
  unlistedProxy(client: string): void {
    const message = 'A PROXY protocol header arrived from an address that is not in --smtp-proxy.';
    this.#lines.write('unlisted-proxy', 'warn', { client }, message);
  }

  stop(): void {
    this.#lines.stop();
  }
}
