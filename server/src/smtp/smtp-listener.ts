import type { MailSlot } from '../inbox/incoming.js';
import type { AddressRange } from '../limits/client-address.js';
import type { Limiter } from '../limits/limiter.js';
import { Slots } from '../limits/slots.js';
import type { TlsIdentity } from '../tls-identity.js';
import { checkIdentity } from './certificate.js';
import type { LeastSpeed } from './engine/data-time.js';
import type { PeersOptions } from './engine/peer.js';
import { SmtpServer } from './engine/smtp-server.js';
import { secureContextOf } from './engine/tls.js';
import { InFlight } from './in-flight.js';
import { OwnCertificate } from './own-certificate.js';
import type { SmtpEvents } from './smtp-events.js';
import type { SmtpLog } from './smtp-log.js';

export interface SmtpOptions {
  readonly host: string;
  /** 0 takes any port that is free. */
  readonly port: number;
  /** How the server names itself: the first accepted domain, or the name of the machine. */
  readonly hostname: string;
  readonly maxMessageBytes: number;
  readonly maxRecipients: number;
  /** Bytes of messages that may be in memory over all connections. */
  readonly maxInFlightBytes: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  /** How long a client may be silent. */
  readonly idleTimeoutMs: number;
  /** How long one message may take to arrive. */
  readonly dataTimeoutMs: number;
  /** How fast one message must arrive; null for any speed. */
  readonly leastSpeed: LeastSpeed | null;
  /** Counts the mails of each client. */
  readonly mailRate: Limiter;
  /** Addresses that may send credentials without TLS, besides loopback (D21). */
  readonly trusted: readonly AddressRange[];
  /** Addresses of proxies that tell whose connection it is (D29), by when they do. */
  readonly proxies: PeersOptions['proxies'];
  /** Null makes a self-signed certificate. */
  readonly tls: TlsIdentity | null;
  readonly inbox: MailSlot;
  readonly log: SmtpLog;
  /** Left out where nobody counts. */
  readonly events?: SmtpEvents | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface RunningSmtp {
  readonly host: string;
  readonly port: number;
  isListening(): boolean;
  /**
   * Serves connections from now on with another certificate; those that are open keep theirs. Throws where it cannot be used, or
   * where none was given at the start.
   */
  useCertificate(tls: TlsIdentity): void;
  /** Begins to make the certificate, where none was given: the first STARTTLS would otherwise wait for it. */
  warmUp(): void;
  /**
   * Takes no new connections and no new mail; a DATA that is running ends and is answered, within `graceMs`. Resolves
   * when all connections are closed.
   */
  stop(graceMs: number): Promise<void>;
}

/** Starts to receive mail. Rejects when the address cannot be listened on or the certificate cannot be used. */
export async function startSmtp(options: SmtpOptions): Promise<RunningSmtp> {
  const certificate = options.tls === null ? ownCertificate(options) : givenCertificate(options.tls);
  const server = new SmtpServer({
    ...options,
    secureContext: certificate.context,
    connections: new Slots({ total: options.maxConnections, perClient: options.maxConnectionsPerClient }),
    inFlight: new InFlight({
      maxBytes: options.maxInFlightBytes,
      maxMessageBytes: options.maxMessageBytes,
      maxMessages: options.maxConnections,
    }),
  });
  const { address, port } = await server.listen(options.port, options.host);
  return {
    host: address,
    port,
    isListening: () => server.isListening,
    useCertificate: certificate.use,
    warmUp: () => void certificate.context(),
    stop: async (graceMs) => {
      await Promise.all([server.stop(graceMs), certificate.close()]);
    },
  };
}

/** Where STARTTLS has its certificate from. */
interface Certificate extends Pick<OwnCertificate, 'context' | 'close'> {
  use(tls: TlsIdentity): void;
}

function givenCertificate(tls: TlsIdentity): Certificate {
  checkIdentity(tls);
  let context = secureContextOf(tls);
  const use = (renewed: TlsIdentity) => {
    checkIdentity(renewed);
    context = secureContextOf(renewed);
  };
  return { context: () => context, use, close: async () => {} };
}

function ownCertificate(options: SmtpOptions): Certificate {
  const { hostname, log } = options;
  log.info({ host: hostname }, 'No TLS certificate was given: STARTTLS is served with a self-signed one.');
  const own = new OwnCertificate(options);
  const use = () => {
    throw new Error('No certificate was given at the start, so there is none to renew.');
  };
  return { context: own.context, use, close: () => own.close() };
}
