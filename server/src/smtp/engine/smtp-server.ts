import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type AttemptBook, toldBy } from '../../attempts/book.js';
import { BACKLOG } from '../../base/listen-address.js';
import { type SmtpError, smtpErrors } from '../../errors.js';
import { Rounds } from '../../fairness/event-loop.js';
import type { Quota, Refusal } from '../../fairness/quota.js';
import { Extensions } from '../reply.js';
import type { SessionContext } from '../session.js';
import { AwaitedHeaders } from './awaited-headers.js';
import { Connection, type ConnectionContext, type Opening, STOPPING_MS } from './connection.js';
import type { DataTimeLimits } from './data-time.js';
import type { DialogueContext } from './dialogue.js';
import { type Peer, Peers, type PeersOptions } from './peer.js';
import { REFUSAL_MS, Refusals } from './refusals.js';

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
  readonly #context: ConnectionContext & { isStopping: boolean };
  readonly #connections = new Set<Connection>();
  readonly #refusals = new Refusals();
  readonly #awaited: AwaitedHeaders;
  readonly #server: Server;
  #drained: Promise<void> | null = null;
  #whenEmpty = () => {};

  constructor(options: SmtpServerOptions) {
    this.#quota = options.connections;
    this.#peers = new Peers(options);
    this.#awaited = new AwaitedHeaders({
      ...options,
      refuse: (socket, error, proxy) => this.#refuse(socket, error, proxy),
    });
    this.#context = {
      ...options,
      extensions: new Extensions(options.hostname, options.maxMessageBytes),
      rounds: new Rounds(),
      isStopping: false,
    };
    // A client may close its side after its last mail and still read the answer: half-open is fine. Replies are small
    // and wait for nothing, so there is no delay.
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
      this.#server.listen({ port, host, backlog: BACKLOG }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => this.#context.log.error({ err: error }, 'The SMTP listener failed.'));
    return this.#server.address() as AddressInfo;
  }

  /** Serves a socket, which was not read from yet, for the client at an address, or for whom the proxy there names. */
  accept(socket: Socket, address: string): void {
    this.#orRefuse(socket, address, () => {
      const peer = this.#peers.at(address);
      if (this.#context.isStopping) this.#refuse(socket, smtpErrors.stopping, peer.client);
      else if (peer.header === null) this.#admit(socket, peer, null);
      else {
        this.#awaited.add(socket, peer, ({ source }, opening) => {
          this.#orRefuse(socket, address, () => this.#admit(socket, this.#peers.behind(address, source), opening));
        });
      }
    });
  }

  /** Begins to serve a socket. Whatever goes wrong then ends this connection and no other. */
  #orRefuse(socket: Socket, address: string, begin: () => void): void {
    try {
      begin();
    } catch (error) {
      this.#context.log.error({ err: error }, 'An SMTP connection could not be served.');
      this.#refuse(socket, smtpErrors.broken, address);
    }
  }

  #admit(socket: Socket, peer: Peer, opening: Opening | null): void {
    const release = this.#quota.take(peer.client);
    if (typeof release === 'string') {
      this.#refuse(socket, NO_ROOM[release], peer.client);
      return;
    }
    let connection: Connection | null = null;
    socket.once('close', () => {
      if (connection !== null) {
        this.#connections.delete(connection);
        this.#context.events?.disconnected();
        if (this.#connections.size === 0) this.#whenEmpty();
      }
      // Who closes before the answer, again and again, would have any number of mails wait to be read and stored.
      void Promise.resolve(connection?.stored).then(release);
    });
    connection = new Connection(this.#context, socket, peer, opening);
    this.#connections.add(connection);
    this.#context.events?.connected();
  }

  #refuse(socket: Socket, error: SmtpError, client: string): void {
    const { events, mailLog, attempts } = this.#context;
    events?.connectionRefused(error);
    attempts.turnedAway(client, toldBy(error));
    mailLog.refused(error, client);
    this.#refusals.refuse(socket, error);
  }

  /**
   * Takes no new mail, lets running DATA end, for so long at most, and closes all connections: one whose DATA is cut is
   * told. Senders that connect are told, too, until `stop`. Behind balancers nothing listens any more: they give a
   * connection that is refused to another node, and would hand a 421 on to the sender. Called again, it waits for the
   * same.
   */
  drain(graceMs: number): Promise<void> {
    this.#drained ??= this.#drain(graceMs);
    return this.#drained;
  }

  async #drain(graceMs: number): Promise<void> {
    this.#context.isStopping = true;
    if (this.#peers.hasProxies) this.#server.close();
    this.#awaited.stop();
    for (const connection of this.#connections) connection.stop();
    await this.#emptyWithin(graceMs);
    for (const connection of this.#connections) connection.cut();
    await this.#emptyWithin(STOPPING_MS);
    for (const connection of this.#connections) connection.destroy();
  }

  /** The same, and then listens no more. Those that were refused last have a moment to read why. */
  async stop(graceMs: number): Promise<void> {
    await this.drain(graceMs);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await Promise.race([closed, delay(REFUSAL_MS, undefined, { ref: false })]);
    this.#refusals.destroy();
    await closed;
  }

  /** Resolves when no connection is left, or when so much time is over. */
  async #emptyWithin(ms: number): Promise<void> {
    if (this.#connections.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    await Promise.race([empty, delay(ms, undefined, { ref: false })]);
  }
}
