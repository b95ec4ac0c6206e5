import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type CountedLines, countedLines } from '../base/counted-lines.js';
import { BACKLOG } from '../base/listen-address.js';
import { type SmtpError, smtpErrors } from '../errors.js';
import { inFlight } from '../limits/client-memory.js';
import { Quota, type Refusal, withScarcity } from '../limits/quota.js';
import type { ListenAddress } from '../settings/kinds.js';
import { listenError } from '../settings/resources.js';
import { smtpHostname } from '../settings/table.js';
import type { TlsIdentity } from '../tls/certificate.js';
import { Connection, MAX_DROPPED_BYTES, STOPPING_MS } from './connection.js';
import { Handshakes, type SmtpContext, type SmtpOptions } from './context.js';
import { emitTo, mailLog } from './observer.js';
import { awaitHeaders, type Opening, type Peer, peerAt } from './proxies.js';
import { refusal, refusalReply } from './replies.js';

/** A client's share of `--smtp-connections` once half of all connections are taken. */
const SCARCE_SHARE = 1 / 8;

const NO_ROOM: Readonly<Record<Refusal, SmtpError>> = {
  'client-full': smtpErrors.tooManyConnections,
  'all-taken': smtpErrors.allConnectionsTaken,
};

const MAX_REFUSALS = 100;

const REFUSAL_MS = 200;

/** Starts SMTP. Rejects with an error for the operator if it cannot listen, or cannot use the certificate. */
export async function startSmtp(options: SmtpOptions): Promise<SmtpServer> {
  const server = new SmtpServer(options);
  try {
    await server.listen();
    return server;
  } catch (error) {
    await server.stop(0);
    const isTlsPort = (error as { port?: number }).port === options.settings['smtps-port'];
    throw listenError(error, isTlsPort ? 'smtps-port' : 'smtp-port', options.settings);
  }
}

export class SmtpServer {
  readonly #context: SmtpContext;
  readonly #quota: Quota;
  readonly #lines: CountedLines;
  readonly #connections = new Set<Connection>();
  readonly #refusals = new Refusals();
  readonly #awaited: ReturnType<typeof awaitHeaders>;
  readonly #server = this.#listener(false);
  readonly #tlsServer = this.#listener(true);
  #drained: Promise<void> | null = null;

  constructor(options: SmtpOptions) {
    const { settings, log } = options;
    const hostname = smtpHostname(settings.domain);
    // An application without a pool opens a connection per message, so one client may have many, but not all (D13).
    const bounds = { total: settings['smtp-connections-total'], perClient: settings['smtp-connections'] };
    this.#quota = new Quota(withScarcity(bounds, Math.ceil(bounds.perClient * SCARCE_SHARE)));
    this.#lines = countedLines(options);
    this.#awaited = awaitHeaders(settings, hostname, (socket, error, proxy) => this.#refuse(socket, error, proxy));
    this.#context = {
      ...options,
      observe: [(session) => mailLog(log, this.#lines, session), ...options.observe],
      hostname,
      inFlight: inFlight({
        maxBytes: settings['max-in-flight'],
        maxMessageBytes: settings['max-message'],
        maxMessages: settings['smtp-connections-total'],
      }),
      handshakes: options.tls && new Handshakes(options.tls),
      isStopping: false,
      ports: { plain: 0, tls: null },
    };
  }

  #listener(beginsWithTls: boolean): Server {
    // `allowHalfOpen`: a client may close its side after its last message and still read the reply. `noDelay`: replies
    // are small, and no more data follows them.
    return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      // A socket that closed before accept has no address.
      if (socket.remoteAddress === undefined) socket.destroy();
      else this.accept(socket, socket.remoteAddress, beginsWithTls);
    });
  }

  get addresses(): { readonly smtp: ListenAddress; readonly smtps: ListenAddress | null } {
    const { host } = this.#context.settings;
    const { plain, tls } = this.#context.ports;
    return { smtp: { host, port: plain }, smtps: tls === null ? null : { host, port: tls } };
  }

  get isListening(): boolean {
    return this.#server.listening && (this.#context.ports.tls === null || this.#tlsServer.listening);
  }

  /** Rejects if the server cannot listen. Later failures are logged. */
  async listen(): Promise<void> {
    const { 'smtp-port': port, 'smtps-port': tlsPort } = this.#context.settings;
    const plain = await this.#listen(this.#server, port);
    this.#context.ports = { plain, tls: null };
    if (tlsPort !== null) this.#context.ports = { plain, tls: await this.#listen(this.#tlsServer, tlsPort) };
  }

  async #listen(server: Server, port: number): Promise<number> {
    server.listen({ port, host: this.#context.settings.host, backlog: BACKLOG });
    await once(server, 'listening');
    server.on('error', (error) => this.#context.log.error({ err: error }, 'The SMTP listener failed.'));
    return (server.address() as AddressInfo).port;
  }

  /** Serves new connections with another certificate; open ones keep theirs. Throws if the certificate is unusable. */
  useCertificate(tls: TlsIdentity): void {
    this.#context.handshakes?.use(tls);
  }

  /** Serves an unread socket. `address` is the client's, or that of a proxy whose header names the client. */
  accept(socket: Socket, address: string, beginsWithTls = false): void {
    const { settings, isStopping } = this.#context;
    const peer = peerAt(address, beginsWithTls, settings);
    this.#orRefuse(socket, peer, () => {
      if (isStopping) this.#refuse(socket, smtpErrors.stopping, peer);
      else if (peer.header === null) this.#admit(socket, peer, null);
      else {
        this.#awaited.add(socket, peer, (source, opening) => {
          const client = source === null ? peer : peerAt(source, beginsWithTls, settings, address);
          this.#orRefuse(socket, peer, () => this.#admit(socket, client, opening));
        });
      }
    });
  }

  #orRefuse(socket: Socket, peer: Peer, begin: () => void): void {
    try {
      begin();
    } catch (error) {
      this.#context.log.error({ err: error }, 'An SMTP connection could not be served.');
      this.#refuse(socket, smtpErrors.broken, peer);
    }
  }

  #admit(socket: Socket, peer: Peer, opening: Opening | null): void {
    const refused = this.#quota.acquire(peer.client);
    if (refused !== null) {
      this.#refuse(socket, NO_ROOM[refused], peer);
      return;
    }
    let connection: Connection | undefined;
    // A connection counts until its last message is handled. Otherwise a client could queue messages by closing early.
    socket.once('close', async () => {
      await connection?.closed;
      if (connection !== undefined) this.#connections.delete(connection);
      this.#quota.release(peer.client);
    });
    connection = new Connection(this.#context, socket, peer, opening);
    this.#connections.add(connection);
  }

  #refuse(socket: Socket, error: SmtpError, { client, header, beginsWithTls }: Peer): void {
    const facts = { tls: 'no', auth: 'no', hello: null, adHoc: null, lastCommand: null } as const;
    const refused = refusal(error);
    emitTo(this.#context.observe, { client, isProxy: header !== null, ...facts })('turnedAway', refused);
    // With implicit TLS, no reply is possible before a handshake, which would cost more than the refusal is worth.
    this.#refusals.refuse(socket, beginsWithTls ? '' : `${refusalReply(refused)}\r\n`);
  }

  /**
   * Accepts no new mail, lets a running DATA finish within `graceMs`, and closes all connections. Until `stop`, new
   * clients and those that are cut off get a 421. With a balancer, the listeners close immediately: it passes a 421 on
   * to its client, but sends a refused connection to another node. Repeated calls return the same promise.
   */
  drain(graceMs: number): Promise<void> {
    this.#drained ??= this.#drain(graceMs);
    return this.#drained;
  }

  async #drain(graceMs: number): Promise<void> {
    this.#context.isStopping = true;
    const { 'smtp-proxy': proxies, 'smtp-proxy-lazy': lazyProxies } = this.#context.settings;
    if (proxies.length + lazyProxies.length > 0) this.#close();
    this.#awaited.stop();
    for (const connection of this.#connections) connection.stop();
    await this.#emptyWithin(graceMs);
    for (const connection of this.#connections) connection.cut();
    await this.#emptyWithin(STOPPING_MS);
    for (const connection of this.#connections) connection.destroy();
  }

  /** Drains, then stops listening. Clients that were just refused get `REFUSAL_MS` to read why. */
  async stop(graceMs: number): Promise<void> {
    await this.drain(graceMs);
    const closed = this.#close();
    await Promise.race([closed, delay(REFUSAL_MS, undefined, { ref: false })]);
    this.#refusals.destroy();
    await closed;
    this.#lines.stop();
  }

  #close(): Promise<unknown> {
    return Promise.all([this.#server, this.#tlsServer].map((server) => new Promise((closed) => server.close(closed))));
  }

  async #emptyWithin(ms: number): Promise<void> {
    const closed = [...this.#connections].map((connection) => connection.closed);
    if (closed.length > 0) await Promise.race([Promise.all(closed), delay(ms, undefined, { ref: false })]);
  }
}

/** Replies to refused sockets and closes them soon. They count toward no limit. Beyond a hundred, sends no reply. */
class Refusals {
  readonly #sockets = new Set<Socket>();

  /** Takes over a socket that is unread or paused. The reply may be empty. */
  refuse(socket: Socket, reply: string): void {
    socket.on('error', () => {});
    if (this.#sockets.size >= MAX_REFUSALS) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // Input is read and dropped, because closing with unread bytes resets the connection and loses the reply.
    socket.on('data', () => {
      if (socket.bytesRead > MAX_DROPPED_BYTES) socket.destroy();
    });
    socket.resume().end(reply);
    setTimeout(() => socket.destroy(), REFUSAL_MS).unref();
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
