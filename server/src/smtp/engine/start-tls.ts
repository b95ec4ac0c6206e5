import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';

/**
 * Puts TLS on top of a socket that was read in clear so far. What of it was received and not looked at is thrown away:
 * somebody between client and server can add commands behind STARTTLS, which must not run as if they had come under TLS
 * (RFC 3207 section 4.2, CVE-2011-0411).
 */
export function startTls(socket: Socket, secureContext: SecureContext): TLSSocket {
  socket.pause();
  while (socket.read() !== null);
  const secure = new TLSSocket(socket, { isServer: true, secureContext });
  // A client could make the server do the costly part of a handshake again and again (CVE-2011-1473).
  secure.disableRenegotiation();
  // Node keeps errors of a socket that we made to this event of its own; without it they would end nothing.
  secure.on('_tlsError', destroyWith);
  return secure;
}

function destroyWith(this: TLSSocket, error: Error): void {
  this.destroy(error);
}
