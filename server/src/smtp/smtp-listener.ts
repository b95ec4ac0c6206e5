import type { SecureContext } from 'node:tls';
import type { AttemptBook } from '../attempts/book.js';
import type { Clock } from '../base/clock.js';
import { Quota, type QuotaBounds, scarcity } from '../fairness/quota.js';
import { secureContextOf, type TlsIdentity } from '../tls/certificate.js';
import { SmtpServer, type SmtpServerOptions } from './engine/smtp-server.js';
import { MailLog } from './mail-log.js';
import type { SmtpEvents } from './message.js';

export type { SmtpEvents };

/** Longest list of domains in a refusal, of 253 bytes each: replies end at 512 (RFC 5321 section 4.5.3.1.5). */
const MAX_LIST_LENGTH = 300;

/** The options of the server, except what is made of the others here. */
export interface SmtpOptions
  extends Omit<SmtpServerOptions, 'connections' | 'domainList' | 'mailLog' | 'secureContext'>,
    Pick<Clock, 'after'> {
  readonly host: string;
  readonly port: number;
  readonly domains: readonly string[];
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  readonly tls: TlsIdentity | null;
  /** Where attempts to send mail are remembered. */
  readonly attempts: AttemptBook;
}

export interface RunningSmtp {
  readonly host: string;
  readonly port: number;
  isListening(): boolean;
  /** Serves new connections with another certificate; open ones keep theirs. Throws if unusable. */
  useCertificate(tls: TlsIdentity): void;
  /**
   * Takes no new mail. Running DATA ends and is answered within `graceMs`, or is told of the stop. New connections are
   * told, too, until `stop`, unless a balancer sends them. Resolves once all connections are closed.
   */
  drain(graceMs: number): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

type SmtpBounds = Pick<SmtpOptions, 'maxConnections' | 'maxConnectionsPerClient'>;

/** A client's share of its connections once half of all are taken. */
const SCARCE_SHARE = 1 / 8;

/** Starts SMTP. Rejects if it cannot listen, or the certificate cannot be used. */
export async function startSmtp(options: SmtpOptions): Promise<RunningSmtp> {
  let secureContext = options.tls && secureContextOf(options.tls);
  const mailLog = new MailLog(options);
  const server = new SmtpServer({
    ...options,
    mailLog,
    domainList: domainList(options.domains),
    secureContext: secureContext && (() => secureContext as SecureContext),
    connections: new Quota(connectionBounds(options)),
  });
  const { address, port } = await server.listen(options.port, options.host);
  return {
    host: address,
    port,
    isListening: () => server.isListening,
    useCertificate: (renewed) => {
      secureContext = secureContextOf(renewed);
    },
    drain: (graceMs) => server.drain(graceMs),
    stop: async (graceMs) => {
      await server.stop(graceMs);
      mailLog.stop();
    },
  };
}

/** Applications without a pool open a connection per mail; one client still leaves room for others (D13). */
export function connectionBounds({ maxConnections, maxConnectionsPerClient }: SmtpBounds): QuotaBounds {
  const bounds = { total: maxConnections, perClient: maxConnectionsPerClient };
  return { ...bounds, ...scarcity(bounds, Math.ceil(maxConnectionsPerClient * SCARCE_SHARE)) };
}

/** Lists domains while there is room, at least one: `a.test, b.test and 3 more`. */
export function domainList(domains: readonly string[]): string {
  let list = domains[0] ?? '';
  let listed = Math.min(1, domains.length);
  for (const domain of domains.slice(1)) {
    const longer = `${list}, ${domain}`;
    if (longer.length > MAX_LIST_LENGTH) break;
    list = longer;
    listed += 1;
  }
  return listed === domains.length ? list : `${list} and ${domains.length - listed} more`;
}
