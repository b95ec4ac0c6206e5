import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';

/**
 * Adds TLS to a socket read in cleartext so far. Received, unread bytes are dropped: a man in the middle can append
 * commands to STARTTLS, which must not run under TLS (RFC 3207 section 4.2, CVE-2011-0411).
 */
export function startTls(socket: Socket, secureContext: SecureContext): TLSSocket {
  socket.pause();
  while (socket.read() !== null);
  const secure = new TLSSocket(socket, { isServer: true, secureContext });
  // Renegotiation would repeat the costly part of a handshake (CVE-2011-1473).
  secure.disableRenegotiation();
  // Node reports errors of a wrapped socket only here; without this they would end nothing.
  secure.on('_tlsError', destroyWith);
  return secure;
}

function destroyWith(this: TLSSocket, error: Error): void {
  this.destroy(error);
}
