import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pathOf } from '../access/host.js';
import type { UnderWay } from './pipeline.js';

/** A connection and what came behind its request (RFC 6455 section 4). */
export interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
}

export interface UpgradeOptions {
  readonly paths: readonly string[];
  readonly underWay: UnderWay;
  serve(socket: Socket): void;
}

const UPGRADES = new WeakMap<IncomingMessage, Upgrade>();

/** Undefined unless a request asks for a served web socket. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return UPGRADES.get(request);
}

/**
 * Routes web socket requests like any other; the route takes the connection or refuses. With a listener, Node releases
 * every connection that asks for an upgrade, as Java's clients do for HTTP/2: they are served as if they had not (RFC
 * 9110 section 7.8).
 */
export function takeUpgrades(server: Server, { paths, underWay, serve }: UpgradeOptions): void {
  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const socket = duplex as Socket;
    // Earlier requests are unanswered; no real client does this.
    if (underWay.of(socket).length > 0) socket.destroy();
    else if (isWebSocketAt(paths, request)) answer(server, request, { socket, head });
    else giveBack(request, { socket, head }, serve);
  });
}

/** The handshake judges the rest. */
function isWebSocketAt(paths: readonly string[], { method, url = '', headers }: IncomingMessage): boolean {
  return method === 'GET' && paths.includes(pathOf(url)) && headers.upgrade?.toLowerCase() === 'websocket';
}

function answer(server: Server, request: IncomingMessage, upgrade: Upgrade): void {
  const { socket } = upgrade;
  UPGRADES.set(request, upgrade);
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  response.shouldKeepAlive = false;
  response.on('finish', () => {
    response.detachSocket(socket);
    socket.destroySoon();
  });
  server.emit('request', request, response);
}

function giveBack(request: IncomingMessage, { socket, head }: Upgrade, serve: (socket: Socket) => void): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    const kept = keptValue(name.toLowerCase(), value);
    if (kept !== null) lines.push(`${name}: ${kept}`);
  }
  // Node adds one whenever it serves a connection.
  socket.removeAllListeners('timeout');
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  socket.on('error', () => {});
  // An earlier answer may hold the connection for this moment, and would block the next for good.
  setImmediate(() => {
    if (!socket.destroyed) serve(socket);
  });
}

function keptValue(name: string, value: string): string | null {
  if (name === 'upgrade') return null;
  if (name !== 'connection') return value;
  const options = value.split(',').map((option) => option.trim());
  const kept = options.filter((option) => option.toLowerCase() !== 'upgrade');
  return kept.length > 0 ? kept.join(', ') : null;
}
