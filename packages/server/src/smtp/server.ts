import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { CountedLines } from '../base/counted-lines.js';
import { BACKLOG } from '../base/listen-address.js';
import { type SmtpError, smtpErrors } from '../errors.js';
import { Quota, type QuotaBounds, type Refusal, scarcity } from '../limits/quota.js';
import { REFUSAL_MS, Refusals } from '../limits/refusals.js';
import type { TlsIdentity } from '../tls/certificate.js';
import { Connection, STOPPING_MS } from './connection.js';
import type { SmtpContext, SmtpOptions } from './context.js';
import { MailLog } from './mail-log.js';
import { emitTo } from './observer.js';
import { AwaitedHeaders, type Opening, type Peer, Peers } from './proxies.js';
import { refusal, replyLine } from './replies.js';
import { Handshakes } from './tls.js';

/** A client's share of its connections once half of all are taken. */
const SCARCE_SHARE = 1 / 8;

const NO_ROOM: Readonly<Record<Refusal, SmtpError>> = {
  'client-full': smtpErrors.tooManyConnections,
  'all-taken': smtpErrors.allConnectionsTaken,
};

export type { SmtpOptions };

/** Starts SMTP. Rejects if it cannot listen, or the certificate cannot be used. */
export async function startSmtp(options: SmtpOptions): Promise<SmtpServer> {
  const server = new SmtpServer(options);
  try {
    await server.listen();
    return server;
  } catch (error) {
    await server.stop(0);
    throw error;
  }
}

export class SmtpServer {
  readonly host: string;
  readonly #context: SmtpContext & { isStopping: boolean; ports: SmtpContext['ports'] };
  readonly #quota: Quota;
  readonly #peers: Peers;
  readonly #lines: CountedLines;
  readonly #connections = new Set<Connection>();
  readonly #refusals = new Refusals();
  readonly #awaited: AwaitedHeaders;
  readonly #server: Server;
  /** For TLS from the first byte. */
  readonly #tlsServer: Server;
  #drained: Promise<void> | null = null;
  #whenEmpty = () => {};

  constructor(options: SmtpOptions) {
    const { log } = options;
    this.host = options.host;
    this.#quota = new Quota(connectionBounds(options));
    this.#lines = new CountedLines(options);
    this.#awaited = new AwaitedHeaders(options, (socket, error, proxy) => this.#refuse(socket, error, proxy));
    this.#context = {
      ...options,
      observe: [(session) => new MailLog(log, this.#lines, session), ...options.observe],
      handshakes: options.tls && new Handshakes(options.tls),
      isStopping: false,
      ports: { plain: 0, tls: null },
    };
    this.#peers = new Peers(options, false);
    this.#server = this.#serverFor(this.#peers);
    this.#tlsServer = this.#serverFor(new Peers(options, true));
  }

  #serverFor(peers: Peers): Server {
    // Half-open: a client may close its side after its last mail and still read the answer. No delay: replies are small
    // and final.
    return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      // A socket that closed before accept has no address.
      if (socket.remoteAddress === undefined) socket.destroy();
      else this.accept(socket, socket.remoteAddress, peers);
    });
  }

  get port(): number {
    return this.#context.ports.plain;
  }

  get tlsPort(): number | null {
    return this.#context.ports.tls;
  }

  get isListening(): boolean {
    return this.#server.listening && (this.tlsPort === null || this.#tlsServer.listening);
  }

  /** Rejects if it cannot listen. Later failures are logged. */
  async listen(): Promise<void> {
    const { port, tlsPort } = this.#context;
    this.#context.ports = { plain: await this.#listen(this.#server, port), tls: null };
    if (tlsPort === null) return;
    this.#context.ports = { plain: this.port, tls: await this.#listen(this.#tlsServer, tlsPort) };
  }

  async #listen(server: Server, port: number): Promise<number> {
    server.listen({ port, host: this.host, backlog: BACKLOG });
    await once(server, 'listening');
    server.on('error', (error) => this.#context.log.error({ err: error }, 'The SMTP listener failed.'));
    return (server.address() as AddressInfo).port;
  }

  /** Serves new connections with another certificate; open ones keep theirs. Throws if it cannot be used. */
  useCertificate(tls: TlsIdentity): void {
    this.#context.handshakes?.use(tls);
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
    let connection: Connection | undefined;
    socket.once('close', () => {
      if (connection !== undefined) this.#connections.delete(connection);
      if (this.#connections.size === 0) this.#whenEmpty();
      // Otherwise a client that closes before each answer could queue any number of messages.
      void Promise.resolve(connection?.answered).then(release);
    });
    connection = new Connection(this.#context, socket, peer, opening);
    this.#connections.add(connection);
  }

  #refuse(socket: Socket, error: SmtpError, { client, header, beginsWithTls }: Peer): void {
    const facts = { tls: 'no', auth: 'no', hello: null, space: null, lastCommand: null } as const;
    const refused = refusal(error);
    emitTo(this.#context.observe, { client, isProxy: header !== null, ...facts })('turnedAway', refused);
    // Under TLS, nothing can be said before the handshake, which a refusal is not worth.
    this.#refusals.refuse(socket, beginsWithTls ? '' : replyLine(refused));
  }

  /**
   * Takes no new mail, lets running DATA end within `graceMs`, and closes all connections; one that is cut gets a reply.
   * So do new senders until `stop`. Behind balancers the listener closes: they send a refused connection to another
   * node, but would pass a 421 on. Repeated calls wait for the same.
   */
  drain(graceMs: number): Promise<void> {
    this.#drained ??= this.#drain(graceMs);
    return this.#drained;
  }

  async #drain(graceMs: number): Promise<void> {
    this.#context.isStopping = true;
    const { first, lazily } = this.#context.proxies;
    if (first.length + lazily.length > 0) this.#close();
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
    this.#lines.stop();
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

type SmtpBounds = Pick<SmtpOptions, 'maxConnections' | 'maxConnectionsPerClient'>;

/** Applications without a pool open a connection per mail; one client still leaves room for others (D13). */
function connectionBounds({ maxConnections, maxConnectionsPerClient }: SmtpBounds): QuotaBounds {
  const bounds = { total: maxConnections, perClient: maxConnectionsPerClient };
  return { ...bounds, ...scarcity(bounds, Math.ceil(maxConnectionsPerClient * SCARCE_SHARE)) };
}
