import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import { type App, pathOf, RequestError } from 'mayfly-inbox/plugin';
import { CONFIG } from 'mayfly-plugins-shared/compat-api';
import { ERRORS } from './errors.js';
import { EventSocket, MAX_BYTES_IN, type WebSocket } from './event-socket.js';
import type { Events } from './events.js';
import type { Mailpit } from './mailpit.js';

const EVENTS_PATH = '/api/events';

/** `GET /api/events`: a web socket that announces changes. The socket counts as a stream in limits. */
export function addEventsRoute(api: App, shared: Mailpit, events: Events): void {
  const upgrades = new EventEmitter();
  api.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // A handshake that is pipelined after an unanswered request gets an ordinary response, without an upgrade.
    const isOurs = isForEvents(request, api.prefix) && api.connections.responseOn(socket) === null;
    if (isOurs) upgrades.emit('upgrade', request, socket, head);
    else answerWithoutUpgrade(api.server, request, socket, head);
  });
  api.register(async (scope) => {
    const server = upgrades as Server;
    await scope.register(websocket, {
      options: { server, clientTracking: false, perMessageDeflate: false, maxPayload: MAX_BYTES_IN },
      errorHandler: (_error, socket) => socket.terminate(),
      // Turns off the library's own stop, because a stop of the service already closes every open stream.
      preClose: (done) => done(),
    });
    // Closes the connection after a rejected handshake, because Node no longer monitors it.
    scope.addHook('onSend', async ({ headers }, reply) => {
      if (headers.upgrade !== undefined) reply.header('connection', 'close');
    });
    scope.addHook('onResponse', async ({ headers, raw }) => {
      if (headers.upgrade !== undefined) raw.socket.destroySoon();
    });
    addSocketRoute(scope, shared, events);
  });
}

function addSocketRoute(scope: App, { access, viewers, streams, clock, checkPage }: Mailpit, events: Events): void {
  const opening = new WeakMap<IncomingMessage, (webSocket: WebSocket) => void>();
  scope.route({
    ...{ method: 'GET', url: EVENTS_PATH, ...CONFIG },
    preHandler: async (request) => {
      if (!request.ws) throw new RequestError(ERRORS.webSocketOnly, {}, { upgrade: 'websocket' });
      // Browsers let any site's page open a web socket with the user's stored password (RFC 6455 section 10.2).
      checkPage(request);
      const [client, view] = [request.caller.client, access.viewOf(request)];
      const group = await events.groupOf(view, viewers.viewerOf(request));
      const connection = request.raw.socket;
      const socket = new EventSocket(clock, connection);
      const release = await streams.open(client, socket);
      const close = () => {
        events.leave(view, socket);
        release();
      };
      if (connection.closed) close();
      else connection.once('close', close);
      opening.set(request.raw, (webSocket) => {
        socket.open(webSocket);
        events.join(view, group, socket);
      });
    },
    handler: async () => {},
    // The library has already responded to an invalid handshake (RFC 6455 section 4.2).
    wsHandler: (webSocket, request) => {
      request.server.countAnswer(request, 101);
      opening.get(request.raw)?.(webSocket);
    },
  });
}

/** Whether a request is for the web socket. The library checks the handshake later. */
function isForEvents({ method, url = '', headers }: IncomingMessage, root: string): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && pathOf(url) === `${root}${EVENTS_PATH}`;
}

/** Responds as if no upgrade were offered (RFC 9110 section 7.8), for example to Java's clients, which offer HTTP/2. */
function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
