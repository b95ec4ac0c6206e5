import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';
import type { Clock } from '../base/clock.js';
import type { LineLog } from '../base/counted-lines.js';
import type { MailSlot } from '../inbox/inboxes.js';
import type { InFlight } from '../limits/client-memory.js';
import type { Limiter } from '../limits/rate-limiter.js';
import type { Settings } from '../settings/table.js';
import { loadTls, type TlsIdentity, withCertificate } from '../tls/certificate.js';
import type { ObserveSmtp } from './observer.js';

export interface SmtpOptions extends Pick<Clock, 'now' | 'monotonic' | 'after'> {
  readonly settings: Settings;
  readonly tls: TlsIdentity | null;
  /** Whether credentials need TLS, except from trusted peers (D21). */
  readonly credentialsNeedTls: boolean;
  readonly domainList: string;
  readonly mailRate: Limiter;
  readonly adHocRate: Limiter | null;
  readonly inbox: MailSlot;
  readonly observe: readonly ObserveSmtp[];
  readonly log: LineLog;
}

export interface SmtpContext extends SmtpOptions {
  /** The name in the greeting, and the domain of `<postmaster>` (RFC 5321 section 4.1.1.3). */
  readonly hostname: string;
  readonly inFlight: InFlight;
  /** Null if STARTTLS is not offered. */
  readonly handshakes: Handshakes | null;
  /** `tls` is the port for implicit TLS. */
  ports: { readonly plain: number; readonly tls: number | null };
  isStopping: boolean;
}

interface Handshake {
  secured(socket: TLSSocket): void;
  failed(error: Error): void;
}

/** Upgrades cleartext sockets to TLS, through a TLS server, because only a TLS server reports handshake errors. */
export class Handshakes {
  readonly #server: Server;
  /** Keyed by the connection's addresses, because Node does not say which socket a secured socket wraps. */
  readonly #pending = new Map<string, Handshake>();

  constructor(identity: TlsIdentity) {
    this.#server = withCertificate(identity, loadTls().createServer)
      .on('secureConnection', (socket) => this.#secured(socket))
      .on('tlsClientError', (error, socket) => this.#pending.get(connectionOf(socket))?.failed(error));
  }

  use(identity: TlsIdentity): void {
    withCertificate(identity, (options) => this.#server.setSecureContext(options));
  }

  /**
   * After STARTTLS, drops bytes that were received but not read: a man in the middle can append commands, and they must
   * not run under TLS (RFC 3207 section 4.2, CVE-2011-0411). With implicit TLS, puts back the bytes in `hello`.
   */
  begin(socket: Socket, hello: Buffer | null, handshake: Handshake): void {
    socket.pause();
    if (hello === null) while (socket.read() !== null);
    else socket.unshift(hello);
    const connection = connectionOf(socket);
    socket.once('close', () => this.#pending.delete(connection));
    this.#pending.set(connection, handshake);
    // Otherwise the socket would stay open if the client left during the handshake.
    socket.allowHalfOpen = false;
    this.#server.emit('connection', socket);
  }

  #secured(socket: TLSSocket): void {
    // Renegotiation would repeat the costly part of a handshake (CVE-2011-1473).
    socket.disableRenegotiation();
    socket.allowHalfOpen = true;
    const handshake = this.#pending.get(connectionOf(socket));
    // Not found if the client has left, because its socket then has no addresses.
    if (handshake === undefined) socket.destroy();
    else handshake.secured(socket);
  }
}

function connectionOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
