import type { SecureContext } from 'node:tls';
import type { AttemptBook } from '../attempts/book.js';
import type { Clock } from '../base/clock.js';
import type { InFlight } from '../fairness/client-memory.js';
import { Quota, type QuotaBounds, scarcity } from '../fairness/quota.js';
import type { MailSlot } from '../inbox/inboxes.js';
import type { AddressRange } from '../limits/client-address.js';
import type { Limiter } from '../limits/rate-limiter.js';
import { secureContextOf, type TlsIdentity } from '../tls/certificate.js';
import type { SmtpLog } from './counted-lines.js';
import type { LeastSpeed } from './engine/data-time.js';
import type { PeersOptions } from './engine/peer.js';
import { SmtpServer } from './engine/smtp-server.js';
import { MailLog } from './mail-log.js';
import type { SmtpEvents } from './smtp-events.js';

/** The bound of a list of domains, of up to 253 bytes each: replies end at 512 (RFC 5321 section 4.5.3.1.5). */
const MAX_LIST_LENGTH = 300;

export interface SmtpOptions extends Pick<Clock, 'now' | 'after'> {
  readonly host: string;
  readonly port: number;
  /** How the server names itself: the first accepted domain, or the name of the machine. */
  readonly hostname: string;
  /** The domains that mail is taken for, as a refusal lists them. */
  readonly domains: readonly string[];
  readonly maxMessageBytes: number;
  readonly maxRecipients: number;
  /** What counts the bytes of messages in memory over all connections. */
  readonly inFlight: InFlight;
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  readonly idleTimeoutMs: number;
  readonly dataTimeoutMs: number;
  readonly leastSpeed: LeastSpeed | null;
  readonly mailRate: Limiter;
  /** Addresses that may send credentials without TLS although there is a certificate, besides loopback (D21). */
  readonly trusted: readonly AddressRange[];
  /** Addresses of proxies that tell whose connection it is (D29), by when they do. */
  readonly proxies: PeersOptions['proxies'];
  readonly tls: TlsIdentity | null;
  /** Whether credentials are taken over TLS only, but from trusted addresses (D21). */
  readonly credentialsNeedTls: boolean;
  readonly inbox: MailSlot;
  /** Where attempts to send mail are remembered. */
  readonly attempts: AttemptBook;
  readonly log: SmtpLog;
  readonly events?: SmtpEvents | undefined;
}

export interface RunningSmtp {
  readonly host: string;
  readonly port: number;
  isListening(): boolean;
  /** Serves new connections with another certificate; open ones keep theirs. Throws if it cannot be used. */
  useCertificate(tls: TlsIdentity): void;
  /**
   * Takes no new mail; a DATA that is running ends and is answered, within `graceMs`, or is told that the service
   * stops. Resolves when all connections are closed. New connections are told the same until `stop`,
   * unless a balancer does.
   */
  drain(graceMs: number): Promise<void>;
  /** Does the same where it is not done, and then stops listening. */
  stop(graceMs: number): Promise<void>;
}

type SmtpBounds = Pick<SmtpOptions, 'maxConnections' | 'maxConnectionsPerClient'>;

/** Which part of its connections a client may have once half of all are taken. */
const SCARCE_SHARE = 1 / 8;

/** Starts to receive mail. Rejects when the address cannot be listened on or the certificate cannot be used. */
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

/** An application without a pool has a connection per mail; one client still leaves room for the others (D13). */
export function connectionBounds({ maxConnections, maxConnectionsPerClient }: SmtpBounds): QuotaBounds {
  const bounds = { total: maxConnections, perClient: maxConnectionsPerClient };
  return { ...bounds, ...scarcity(bounds, Math.ceil(maxConnectionsPerClient * SCARCE_SHARE)) };
}

/** Domains as a sentence lists them, as many as there is room for, and at least one: `a.test, b.test and 3 more`. */
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
