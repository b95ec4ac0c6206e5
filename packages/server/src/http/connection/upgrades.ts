import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Pipeline } from './pipeline.js';

/** A connection and what came behind its request (RFC 6455 section 4). */
export interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
}

/**
 * Whether a request asks for a web socket. The handshake judges the rest. Node releases no connection, because no one
 * listens for `upgrade`: requests that ask for anything else, as Java's clients do for HTTP/2, are answered as if they
 * had not (RFC 9110 section 7.8).
 */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Takes a request's connection from Node's HTTP server. For that, the request and its response have closed. */
export function takeConnection({ socket }: IncomingMessage): Upgrade {
  return (socket as unknown as Pipeline).release();
}
