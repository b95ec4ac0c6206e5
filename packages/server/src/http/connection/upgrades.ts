import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.js';

/** A connection and what came behind its request (RFC 6455 section 4). */
export interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
}

interface Asked extends Upgrade {
  readonly response: ServerResponse;
  release(): void;
}

const asked = new WeakMap<IncomingMessage, Asked>();

/** Whether a request asks for a web socket. The handshake judges the rest. */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Hands requests for a web socket to the routes, which may answer them or take their connection. Once for a server. */
export function acceptWebSockets({ server, connections }: { server: Server; connections: Connections }): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node no longer hears of it; unheard, it would end the process.
    socket.on('error', () => socket.destroy());
    if (!asksForWebSocket(request)) {
      // As Java's clients ask for HTTP/2: answered as if they had not (RFC 9110 section 7.8). A newer Node does not
      // come here: see `shouldUpgradeCallback`.
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
      server.emit('connection', socket);
      return;
    }
    const response = new ServerResponse(request);
    // Behind an unanswered request the connection has a response already, and `Connections` drops this one.
    if (!connections.isAnswering(socket)) {
      response.setHeader('connection', 'close');
      response.assignSocket(socket);
      response.on('finish', () => socket.destroySoon());
      asked.set(request, { socket, head, response, release: () => connections.release(socket) });
    }
    server.emit('request', request, response);
  });
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** Takes the connection of a request for a web socket from the server. Its reply is hijacked. */
export function takeConnection(request: IncomingMessage): Upgrade {
  const { socket, head, response, release } = asked.get(request) as Asked;
  response.detachSocket(socket);
  release();
  return { socket, head };
}
