import { docsUrl } from 'mayfly-protocol/docs';
import type { CountedLines, LineLog } from '../base/counted-lines.js';
import { rowName, type SmtpError, smtpErrors } from '../errors.js';
import type { Refused } from './replies.js';

/** The state of a connection. It changes over time, and observers may read it at any time. */
export interface SmtpSession {
  readonly client: string;
  /** Whether the client is a load balancer itself, as in a health check. */
  readonly isProxy: boolean;
  readonly tls: 'no' | 'asked' | 'failed' | 'yes';
  readonly auth: 'no' | 'accepted' | 'refused';
  readonly hello: string | null;
  /** The verb, or `unknown`. */
  readonly lastCommand: string | null;
  /** The ad-hoc workspace that the client signed in to, or null (D66). */
  readonly adHoc: string | null;
}

/** What a refusal ended. `consequence`: an earlier command was refused, and this one was pipelined after it. */
export type RefusedPart = 'command' | 'transaction' | 'recipient' | 'message' | 'consequence';

export interface Ended {
  /** Whether the server ended the connection. */
  readonly isDismissed: boolean;
  /** The code of the error that ended the connection. */
  readonly reason: string | null;
  /** The extensions offered to a client that sent only EHLO or HELO; null for others. */
  readonly offered: {
    readonly startTls: 'offered' | 'not offered' | 'in use';
    readonly auth: 'offered' | 'not offered';
  } | null;
}

/** Observes one connection. No method may throw or block. They are in the order of a session. */
export interface SmtpObserver {
  /** The connection was refused before any command was read. No other method is called. */
  turnedAway?(refused: Refused): void;
  connected?(): void;
  /** A PROXY header came from an address that is not a listed proxy. */
  unlistedProxy?(): void;
  /** MAIL, accepted or refused. `from` is null if the address is malformed. */
  mail?(from: string | null): void;
  /** RCPT. `refused` is null if the recipient was accepted. */
  recipient?(address: string, refused: Refused | null): void;
  refused?(refused: Refused, part: RefusedPart): void;
  reset?(): void;
  data?(): void;
  /** The content is complete, `ms` after the reply to DATA. */
  received?(ms: number): void;
  /** `receivedAt` has one time for each recipient. */
  stored?(message: { readonly bytes: number; readonly receivedAt: readonly number[] }): void;
  storeAway?(reason: string): void;
  /** The client left in the middle of a message. */
  lost?(): void;
  /** The client did not get the reply to its last message. */
  replyLost?(): void;
  ended?(how: Ended): void;
}

export type ObserveSmtp = (session: SmtpSession) => SmtpObserver;

type Events = Required<SmtpObserver>;

export type Emit = <E extends keyof Events>(event: E, ...args: Parameters<Events[E]>) => void;

export function emitTo(observe: readonly ObserveSmtp[], session: SmtpSession): Emit {
  const observers = observe.map((begin) => begin(session));
  return (event, ...values) => {
    for (const observer of observers) {
      (observer[event] as ((...all: typeof values) => void) | undefined)?.apply(observer, values);
    }
  };
}

/** Refusals logged at debug level: harmless (idle pooled connections, a stop), or already logged as an error. */
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

/** Logs why an email does not arrive, without email addresses, inbox names, credentials or content (D45). */
export function mailLog(log: LineLog, lines: CountedLines, session: SmtpSession): SmtpObserver {
  const { client } = session;
  const lost = () => {
    const message = 'A client disconnected or went silent in the middle of a message, which was dropped.';
    lines.write('mail-lost', 'info', { client }, message);
  };
  const refused = ({ error, name, code, enhanced, text }: Refused, part: RefusedPart) => {
    if (part !== 'consequence') {
      const facts = { client, reply: `${code} ${enhanced}` };
      const message = `Refused: ${text}.`;
      if (QUIET.has(error) || error.isRehearsed) log.debug({ kind: name, ...facts }, message);
      else lines.write(name, WRONG_SETTING.has(error) ? 'warn' : 'info', facts, message);
    }
    // Unlike plain idling, idling in the middle of a message is worth a line.
    if (part === 'message' && error === smtpErrors.idleTooLong) lost();
  };
  return {
    ...{ lost, refused },
    turnedAway: (error) => refused(error, 'command'),
    stored({ bytes, receivedAt }) {
      log.debug({ client, bytes, recipients: receivedAt.length }, 'A message was stored.');
    },
    storeAway(reason) {
      const message = 'Mail is refused with 451: the store is not responding.';
      lines.write(rowName(smtpErrors.storeAway), 'warn', { reason }, message);
    },
    unlistedProxy() {
      const message = 'A PROXY protocol header arrived from an address that is not in --smtp-proxy.';
      lines.write('unlisted-proxy', 'warn', { client }, message);
    },
    ended({ isDismissed, reason, offered }) {
      if (isDismissed) return;
      if (session.tls === 'failed') {
        const message =
          'A client closed the connection during or right after the TLS handshake: it probably does not trust the certificate.';
        lines.write('tls-ended', 'info', { client, reason }, message);
      } else if (offered !== null) {
        const message = `A client sent EHLO or HELO and disconnected without sending mail. Perhaps it requires STARTTLS or AUTH: STARTTLS is ${offered.startTls}, and AUTH is ${offered.auth} (${docsUrl('troubleshooting')}).`;
        lines.write('no-mail', 'info', { client }, message);
      }
    },
  };
}
