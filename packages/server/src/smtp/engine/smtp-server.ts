import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type AttemptBook, toldBy } from '../../attempts/book.js';
import { BACKLOG } from '../../base/listen-address.js';
import { type SmtpError, smtpErrors } from '../../errors.js';
import { Rounds, shortenRound } from '../../limits/event-loop.js';
import type { Quota, Refusal } from '../../limits/quota.js';
import { Extensions, replyLine } from '../reply.js';
import type { SessionContext } from '../session.js';
import { offeredMechanisms } from './auth.js';
import { AwaitedHeaders } from './awaited-headers.js';
import { MAX_DROPPED_BYTES } from './channel.js';
import { Connection, type ConnectionContext, type Opening, STOPPING_MS } from './connection.js';
import type { DataTimeLimits } from './data-time.js';
import type { DialogueContext } from './dialogue.js';
import { type Peer, Peers, type PeersOptions } from './peer.js';

const MAX_REFUSALS = 100;

/** Time for a client to read why it is refused. */
const REFUSAL_MS = 200;

const NO_ROOM: Readonly<Record<Refusal, SmtpError>> = {
  'client-full': smtpErrors.tooManyConnections,
  'all-taken': smtpErrors.allConnectionsTaken,
};

export interface SmtpServerOptions
  extends SessionContext,
    DataTimeLimits,
    PeersOptions,
    Pick<DialogueContext, 'secureContext' | 'credentialsNeedTls'> {
  readonly idleTimeoutMs: number;
  readonly connections: Quota;
  readonly attempts: AttemptBook;
}

export class SmtpServer {
  readonly #quota: Quota;
  readonly #peers: Peers;
  readonly #tlsPeers: Peers;
  readonly #context: ConnectionContext & { isStopping: boolean; ports: ConnectionContext['ports'] };
  readonly #connections = new Set<Connection>();
  readonly #refusals = new Refusals();
  readonly #awaited: AwaitedHeaders;
  readonly #server: Server;
  /** For TLS from the first byte. */
  readonly #tlsServer: Server;
  #drained: Promise<void> | null = null;
  #whenEmpty = () => {};

  constructor(options: SmtpServerOptions) {
    this.#quota = options.connections;
    this.#peers = new Peers(options, false);
    this.#tlsPeers = new Peers(options, true);
    this.#awaited = new AwaitedHeaders({
      ...options,
      refuse: (socket, error, proxy) => this.#refuse(socket, error, proxy),
    });
    this.#context = {
      ...options,
      extensions: new Extensions(
        options.hostname,
        options.maxMessageBytes,
        offeredMechanisms(options.spaceRate !== null),
      ),
      rounds: new Rounds(),
      isStopping: false,
      ports: { plain: 0, tls: null },
    };
    this.#server = this.#serverFor(this.#peers);
    this.#tlsServer = this.#serverFor(this.#tlsPeers);
  }

  #serverFor(peers: Peers): Server {
    // Half-open: a client may close its side after its last mail and still read the answer. No delay: replies are small
    // and final.
    return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      shortenRound();
      // A socket that closed before accept has no address.
      if (socket.remoteAddress === undefined) socket.destroy();
      else this.accept(socket, socket.remoteAddress, peers);
    });
  }

  get isListening(): boolean {
    const isOpen = this.#context.ports.tls === null || this.#tlsServer.listening;
    return this.#server.listening && isOpen;
  }

  /** Rejects if it cannot listen. Later failures are logged. */
  async listen(port: number, host: string): Promise<AddressInfo> {
    const address = await this.#listen(this.#server, port, host);
    this.#context.ports = { ...this.#context.ports, plain: address.port };
    return address;
  }

  /** The same for TLS from the first byte. */
  async listenTls(port: number, host: string): Promise<AddressInfo> {
    const address = await this.#listen(this.#tlsServer, port, host);
    this.#context.ports = { ...this.#context.ports, tls: address.port };
    return address;
  }

  async #listen(server: Server, port: number, host: string): Promise<AddressInfo> {
    server.listen({ port, host, backlog: BACKLOG });
    await once(server, 'listening');
    server.on('error', (error) => this.#context.log.error({ err: error }, 'The SMTP listener failed.'));
    return server.address() as AddressInfo;
  }

  /** Serves an unread socket for the client at an address, or the one that the proxy there names. */
  accept(socket: Socket, address: string, peers = this.#peers): void {
    const peer = peers.at(address);
    this.#orRefuse(socket, peer, () => {
      if (this.#context.isStopping) this.#refuse(socket, smtpErrors.stopping, peer);
      else if (peer.header === null) this.#admit(socket, peer, null);
      else {
        this.#awaited.add(socket, peer, ({ source }, opening) => {
          this.#orRefuse(socket, peer, () => this.#admit(socket, peers.behind(address, source), opening));
        });
      }
    });
  }

  /** A failure ends this connection and no other. */
  #orRefuse(socket: Socket, peer: Peer, begin: () => void): void {
    try {
      begin();
    } catch (error) {
      this.#context.log.error({ err: error }, 'An SMTP connection could not be served.');
      this.#refuse(socket, smtpErrors.broken, peer);
    }
  }

  #admit(socket: Socket, peer: Peer, opening: Opening | null): void {
    const release = this.#quota.take(peer.client);
    if (typeof release === 'string') {
      this.#refuse(socket, NO_ROOM[release], peer);
      return;
    }
    let connection: Connection | null = null;
    socket.once('close', () => {
      if (connection !== null) {
        this.#connections.delete(connection);
        this.#context.events?.disconnected();
        if (this.#connections.size === 0) this.#whenEmpty();
      }
      // Otherwise a client that closes before each answer could queue any number of mails.
      void Promise.resolve(connection?.stored).then(release);
    });
    connection = new Connection(this.#context, socket, peer, opening);
    this.#connections.add(connection);
    this.#context.events?.connected();
  }

  #refuse(socket: Socket, error: SmtpError, { client, beginsWithTls }: Peer): void {
    const { events, mailLog, attempts } = this.#context;
    events?.connectionRefused(error);
    attempts.turnedAway(client, toldBy(error));
    mailLog.refused(error, client);
    this.#refusals.refuse(socket, beginsWithTls ? '' : replyLine(error));
  }

  /**
   * Takes no new mail, lets running DATA end within `graceMs`, and closes all connections; one that is cut is told.
   * Until `stop`, new senders are told, too. Behind balancers the listener closes: they send a refused connection to
   * another node, but would pass a 421 on. Repeated calls wait for the same.
   */
  drain(graceMs: number): Promise<void> {
    this.#drained ??= this.#drain(graceMs);
    return this.#drained;
  }

  async #drain(graceMs: number): Promise<void> {
    this.#context.isStopping = true;
    if (this.#peers.hasProxies) this.#close();
    this.#awaited.stop();
    for (const connection of this.#connections) connection.stop();
    await this.#emptyWithin(graceMs);
    for (const connection of this.#connections) connection.cut();
    await this.#emptyWithin(STOPPING_MS);
    for (const connection of this.#connections) connection.destroy();
  }

  /** Drains, then stops listening. Clients refused last have a moment to read why. */
  async stop(graceMs: number): Promise<void> {
    await this.drain(graceMs);
    const closed = this.#close();
    await Promise.race([closed, delay(REFUSAL_MS, undefined, { ref: false })]);
    this.#refusals.destroy();
    await closed;
  }

  async #close(): Promise<void> {
    const closed = [this.#server, this.#tlsServer].map((server) => new Promise((resolve) => server.close(resolve)));
    await Promise.all(closed);
  }

  async #emptyWithin(ms: number): Promise<void> {
    if (this.#connections.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    await Promise.race([empty, delay(ms, undefined, { ref: false })]);
  }
}

/**
 * Sockets refused before they become connections: told why, and closed soon. They count toward no limit, so that a
 * client that opens many takes no place from others.
 */
class Refusals {
  readonly #sockets = new Set<Socket>();

  get count(): number {
    return this.#sockets.size;
  }

  /** Under TLS, nothing can be said before the handshake, which a refusal is not worth: `reply` is empty. */
  refuse(socket: Socket, reply: string): void {
    socket.on('error', ignore);
    if (this.#sockets.size >= MAX_REFUSALS) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // Input is read and dropped: closing with unread bytes resets the connection and loses the reply.
    socket.on('data', drop).resume();
    socket.end(reply);
    setTimeout(destroy, REFUSAL_MS, socket).unref();
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function ignore(): void {
  // How a refused client leaves does not matter.
}

function drop(this: Socket): void {
  if (this.bytesRead > MAX_DROPPED_BYTES) this.destroy();
}

function destroy(socket: Socket): void {
  socket.destroy();
}
