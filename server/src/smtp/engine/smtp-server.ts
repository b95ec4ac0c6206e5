import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type SmtpError, smtpErrors } from '../../errors.js';
import type { NoSlot, Slots } from '../../limits/slots.js';
import type { SessionContext } from '../session.js';
import { AwaitedHeaders } from './awaited-headers.js';
import { Connection, type ConnectionContext, type Opening } from './connection.js';
import type { DataTimeLimits } from './data-time.js';
import type { DialogueContext } from './dialogue.js';
import { Extensions } from './extensions.js';
import { type Peer, Peers, type PeersOptions } from './peer.js';
import { RareWarning } from './rare-warning.js';
import { Refusals } from './refusals.js';
import { Turns } from './turns.js';

/** How a client is told why there is no slot for its connection. */
const NO_SLOT: Readonly<Record<NoSlot, SmtpError>> = {
  'client-full': smtpErrors.tooManyConnections,
  'all-taken': smtpErrors.allConnectionsTaken,
};

export interface SmtpServerOptions
  extends SessionContext,
    DataTimeLimits,
    PeersOptions,
    Pick<DialogueContext, 'secureContext'> {
  readonly idleTimeoutMs: number;
  readonly connections: Slots;
}

/** Listens for SMTP, and makes a connection of each socket or refuses it. */
export class SmtpServer {
  readonly #slots: Slots;
  readonly #peers: Peers;
  readonly #context: ConnectionContext & { isStopping: boolean };
  readonly #connections = new Set<Connection>();
  readonly #refusals = new Refusals();
  readonly #awaited: AwaitedHeaders;
  readonly #server: Server;

  constructor(options: SmtpServerOptions) {
    this.#slots = options.connections;
    this.#peers = new Peers(options);
    this.#awaited = new AwaitedHeaders({ ...options, refuse: (socket, error) => this.#refuse(socket, error) });
    this.#context = {
      ...options,
      extensions: new Extensions(options.hostname, options.maxMessageBytes),
      turns: new Turns(),
      unlistedProxy: new RareWarning({
        ...options,
        message: 'A PROXY protocol header came from an address that is not in --smtp-proxy.',
      }),
      isStopping: false,
    };
    // A client may close its side after its last mail and still read the answer: half-open is fine. Replies are small and
    // wait for nothing, so there is no delay.
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      // A socket that was closed before it was accepted has no address any more.
      if (socket.remoteAddress === undefined) socket.destroy();
      else this.accept(socket, socket.remoteAddress);
    });
  }

  get isListening(): boolean {
    return this.#server.listening;
  }

  /** Rejects when the address cannot be listened on. Later failures go into the log. */
  async listen(port: number, host: string): Promise<AddressInfo> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => this.#context.log.error({ err: error }, 'The SMTP listener failed.'));
    return this.#server.address() as AddressInfo;
  }

  /** Serves a socket, which was not read from yet, for the client at an address, or for whom the proxy there names. */
  accept(socket: Socket, address: string): void {
    this.#orRefuse(socket, () => {
      const peer = this.#peers.at(address);
      if (this.#context.isStopping) this.#refuse(socket, smtpErrors.stopping);
      else if (peer.header === null) this.#admit(socket, peer, null);
      else {
        this.#awaited.add(socket, peer, ({ source }, opening) => {
          this.#orRefuse(socket, () => this.#admit(socket, this.#peers.behind(address, source), opening));
        });
      }
    });
  }

  /** Begins to serve a socket. Whatever goes wrong then ends this connection and no other. */
  #orRefuse(socket: Socket, begin: () => void): void {
    try {
      begin();
    } catch (error) {
      this.#context.log.error({ err: error }, 'An SMTP connection could not be served.');
      this.#refuse(socket, smtpErrors.broken);
    }
  }

  #admit(socket: Socket, peer: Peer, opening: Opening | null): void {
    const slot = this.#slots.take(peer.client);
    if (typeof slot === 'string') {
      this.#refuse(socket, NO_SLOT[slot]);
      return;
    }
    let connection: Connection | null = null;
    socket.once('close', () => {
      if (connection !== null) {
        this.#connections.delete(connection);
        this.#context.events?.disconnected();
      }
      // Who closes before the answer, again and again, would have any number of mails wait to be read and stored.
      void Promise.resolve(connection?.stored).then(slot);
    });
    connection = new Connection(this.#context, socket, peer, opening);
    this.#connections.add(connection);
    this.#context.events?.connected();
  }

  #refuse(socket: Socket, error: SmtpError): void {
    this.#context.events?.connectionRefused(error);
    this.#refusals.refuse(socket, error);
  }

  /** Takes no new connections or mail, lets running DATA end, for so long at most, and closes all connections. */
  async stop(graceMs: number): Promise<void> {
    this.#context.isStopping = true;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#awaited.stop();
    for (const connection of this.#connections) connection.stop();
    await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
    for (const connection of this.#connections) connection.destroy();
    this.#refusals.destroy();
    await closed;
  }
}
