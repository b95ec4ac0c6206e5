import type { Clock } from '../base/clock.js';
import { errorText, rowName, type SmtpError, smtpErrors } from '../errors.js';

/** Where SMTP reports what happens, such as pino. Facts hold no content, credentials or inbox names. */
export interface SmtpLog {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** How long further lines of a kind are only counted. */
const PERIOD_MS = 60_000;

export interface CountedLinesOptions extends Pick<Clock, 'after'> {
  readonly log: SmtpLog;
}

interface Counted {
  readonly level: 'info' | 'warn';
  message: string;
  others: number;
  cancel(): void;
}

/**
 * Log lines that clients can cause at will. The first of a kind is written at once. Those within a minute are debug
 * lines, and one line counts them when the minute ends or the service stops. Kinds cost a timer and a row each, so they
 * are rows of a table, never a client's text.
 */
class CountedLines {
  readonly #options: CountedLinesOptions;
  readonly #counted = new Map<string, Counted>();
  #isStopped = false;

  constructor(options: CountedLinesOptions) {
    this.#options = options;
  }

  write(kind: string, level: 'info' | 'warn', facts: object, message: string): void {
    const { log } = this.#options;
    const counted = this.#counted.get(kind);
    if (counted === undefined && !this.#isStopped) {
      log[level]({ kind, ...facts, count: 1 }, message);
      this.#await(kind, { level, message, others: 0, cancel: () => {} });
      return;
    }
    log.debug({ kind, ...facts }, message);
    if (counted === undefined) return;
    counted.message = message;
    counted.others += 1;
  }

  stop(): void {
    this.#isStopped = true;
    for (const [kind, counted] of this.#counted) {
      counted.cancel();
      this.#writeOthers(kind, counted);
    }
    this.#counted.clear();
  }

  #await(kind: string, counted: Counted): void {
    this.#counted.set(kind, counted);
    counted.cancel = this.#options.after(PERIOD_MS, () => {
      if (counted.others === 0) this.#counted.delete(kind);
      else {
        this.#writeOthers(kind, counted);
        this.#await(kind, counted);
      }
    });
  }

  #writeOthers(kind: string, counted: Counted): void {
    const { level, message, others } = counted;
    if (others > 0) this.#options.log[level]({ kind, count: others }, `${message} (${others} more within a minute)`);
    counted.others = 0;
  }
}

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
  readonly #log: SmtpLog;
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
    if (QUIET.has(error)) this.#log.debug({ kind: rowName(error), ...facts }, message);
    else this.#lines.write(rowName(error), WRONG_SETTING.has(error) ? 'warn' : 'info', facts, message);
  }

  /** The connection ended between STARTTLS and the first command under TLS; `reason` is the error's code. */
  tlsEnded(client: string, reason: string | null): void {
    const message =
      'A client closed the connection during or right after the TLS handshake: it probably does not trust the certificate.';
    this.#lines.write('tls-ended', 'info', { client, reason }, message);
  }

  /** A client left or fell silent within a mail. */
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

  /** Mail was refused because the store is away. */
  storeAway(reason: string): void {
    this.#lines.write(
      rowName(smtpErrors.storeAway),
      'warn',
      { reason },
      'Mail is refused with 451: the store is not responding.',
    );
  }

  /** An unlisted address sent a PROXY header: probably a proxy that is not configured. */
  unlistedProxy(client: string): void {
    const message = 'A PROXY protocol header arrived from an address that is not in --smtp-proxy.';
    this.#lines.write('unlisted-proxy', 'warn', { client }, message);
  }

  stop(): void {
    this.#lines.stop();
  }
}
