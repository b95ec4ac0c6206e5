import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';

/** Time limit for a reply line, on a machine that is busy with other tests. */
const PATIENCE_MS = 120_000;

/** A context that checks no certificate. Created once, because its creation takes longer than a handshake. */
const anyServer = createSecureContext({ ca: [] });

/** A client that sends exactly the given bytes and reads replies line by line. */
export class RawClient {
  readonly #tcp: Socket;
  #socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#tcp = socket;
    this.#socket = socket;
    this.#listen();
  }

  static async open(port: number, localAddress = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    const client = new RawClient(socket);
    await once(socket, 'connect');
    return client;
  }

  /** Connects, and resolves after the reply to EHLO. */
  static async greeted(port: number, localAddress?: string): Promise<RawClient> {
    const client = await RawClient.open(port, localAddress);
    await client.reply();
    await client.ask('EHLO app.test');
    return client;
  }

  static async secure(port: number, localAddress?: string): Promise<RawClient> {
    const client = await RawClient.open(port, localAddress);
    await client.startTls();
    await client.reply();
    await client.ask('EHLO app.test');
    return client;
  }

  /** Sends bytes, and resolves once the server has had time to read them, separately from later bytes. */
  async send(bytes: string | Uint8Array): Promise<void> {
    if (this.#socket.writable) await new Promise((resolve) => this.#socket.write(bytes, resolve));
    for (let turns = 0; turns < 3; turns += 1) await turn();
  }

  /** Reads the next line without its CRLF; null if the server closed the connection. */
  async line(): Promise<string | null> {
    let deadline: AbortSignal | null = null;
    for (;;) {
      const end = this.#received.indexOf('\r\n');
      if (end >= 0) {
        const line = this.#received.toString('utf8', 0, end);
        this.#received = this.#received.subarray(end + 2);
        return line;
      }
      if (this.#ended) return null;
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        deadline ??= AbortSignal.timeout(PATIENCE_MS);
        deadline.onabort = () => reject(new Error(`The server said nothing. Unread: "${this.unread}"`));
      });
    }
  }

  /** Reads the next reply. Joins its lines with line feeds. */
  async reply(): Promise<string> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.line();
      if (line === null) throw new Error(`The connection was closed after "${lines.join('\n')}"`);
      lines.push(line);
      if (line[3] !== '-') return lines.join('\n');
    }
  }

  /** Sends a command and returns its reply. */
  async ask(command: string): Promise<string> {
    await this.send(`${command}\r\n`);
    return await this.reply();
  }

  /** Sends commands up to DATA, and expects the 354. */
  async begin(recipient = 'demo@inbox.example.com'): Promise<void> {
    await this.ask('MAIL FROM:<a@app.test>');
    await this.ask(`RCPT TO:<${recipient}>`);
    await this.ask('DATA');
  }

  /** Sends a whole message and returns the final reply. */
  async mail(content: string, recipient?: string): Promise<string> {
    await this.begin(recipient);
    return await this.ask(`${content}\r\n.`);
  }

  async startTls(options: ConnectionOptions = { secureContext: anyServer }): Promise<TLSSocket> {
    this.#socket.removeAllListeners('data');
    const socket = connectTls({ socket: this.#socket, rejectUnauthorized: false, ...options });
    this.#socket = socket;
    await once(socket, 'secureConnect');
    this.#listen();
    return socket;
  }

  /** Received bytes that have not been read yet. */
  get unread(): string {
    return this.#received.toString();
  }

  /** Whether either side has closed the connection. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Sends these bytes in one packet with the next ones. */
  cork(bytes: string): void {
    this.#tcp.cork();
    this.#tcp.write(bytes);
    setImmediate(() => this.#tcp.uncork());
  }

  /** Closes only the sending direction, and resolves once the server has had time to notice. */
  async half(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.end(resolve));
    for (let turns = 0; turns < 3; turns += 1) await turn();
  }

  /** Keeps this side open when the server closes its side. */
  keepOpen(): void {
    this.#tcp.allowHalfOpen = true;
  }

  /** Stops reading from the server. */
  deafen(): void {
    this.#socket.pause();
  }

  /** Sends without waiting, and returns how many bytes are still buffered here. */
  flood(bytes: Uint8Array): number {
    this.#socket.write(bytes);
    return this.#socket.writableLength;
  }

  /** Resets the connection, as a crashing client does. */
  reset(): void {
    this.#tcp.resetAndDestroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #listen(): void {
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    this.#socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake();
    });
    this.#socket.on('error', end);
    this.#socket.on('close', end);
  }
}
