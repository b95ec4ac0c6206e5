import type { AddressInfo } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Clock } from '../base/clock.js';
import { Quota, type QuotaBounds, scarcity } from '../limits/quota.js';
import { secureContextOf, type TlsIdentity } from '../tls/certificate.js';
import { SmtpServer, type SmtpServerOptions } from './engine/smtp-server.js';
import { MailLog } from './mail-log.js';
import type { SmtpEvents } from './message.js';

export type { SmtpEvents };

/** The options of the server, except what is made of the others here. */
export interface SmtpOptions
  extends Omit<SmtpServerOptions, 'connections' | 'mailLog' | 'secureContext'>,
    Pick<Clock, 'after'> {
  readonly host: string;
  readonly port: number;
  /** For TLS from the first byte; null for none. Needs `tls`. */
  readonly tlsPort: number | null;
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  readonly tls: TlsIdentity | null;
}

export interface RunningSmtp {
  readonly host: string;
  readonly port: number;
  readonly tlsPort: number | null;
  isListening(): boolean;
  /** Serves new connections with another certificate; open ones keep theirs. Throws if unusable. */
  useCertificate(tls: TlsIdentity): void;
  /** As `SmtpServer.drain`. Resolves once all connections are closed. */
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
    secureContext: secureContext && (() => secureContext as SecureContext),
    connections: new Quota(connectionBounds(options)),
  });
  const { address, port } = await server.listen(options.port, options.host);
  const tls = options.tlsPort === null ? null : await listenTls(server, options.tlsPort, options.host);
  return {
    host: address,
    port,
    tlsPort: tls?.port ?? null,
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

/** Where it cannot listen, the first listener is closed again. */
async function listenTls(server: SmtpServer, port: number, host: string): Promise<AddressInfo> {
  try {
    return await server.listenTls(port, host);
  } catch (error) {
    await server.stop(0);
    throw error;
  }
}

/** Applications without a pool open a connection per mail; one client still leaves room for others (D13). */
export function connectionBounds({ maxConnections, maxConnectionsPerClient }: SmtpBounds): QuotaBounds {
  const bounds = { total: maxConnections, perClient: maxConnectionsPerClient };
  return { ...bounds, ...scarcity(bounds, Math.ceil(maxConnectionsPerClient * SCARCE_SHARE)) };
}
