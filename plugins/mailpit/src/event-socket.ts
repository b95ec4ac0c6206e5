import { type Clock, type OpenStream, type Request, takeConnection, type Upgrade } from 'mayfly-inbox/plugin';
import { type WebSocket, WebSocketServer } from 'ws';

/** Between two pings; their answers take less, and nothing else is read. */
const MAX_BYTES_IN = 4 * 1024;

const MAX_UNSENT_BYTES = 256 * 1024;

const END_MS = 1_000;

/** RFC 6455 section 7.4.1. */
const GOING_AWAY = 1001;
const NOTHING_IS_READ = 1003;

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_BYTES_IN,
});

/** Events go out, and only control frames come in. */
export class EventSocket implements OpenStream {
  readonly #clock: Clock;
  #connection: Upgrade['socket'] | null = null;
  #socket: WebSocket | null = null;
  #bytesIn = 0;
  /** Whether the last ping was answered. */
  #isAlive = true;
  #isEnding = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the connection over. The library answers a wrong handshake itself (RFC 6455 section 4.2). */
  open({ raw }: Request, { opened, closed }: { opened(): void; closed(): void }): void {
    const { socket, head } = takeConnection(raw);
    this.#connection = socket.once('close', closed);
    if (this.#isEnding) socket.destroy();
    if (socket.destroyed) return;
    // Before the library reads it.
    socket.on('data', (chunk: Buffer) => this.#count(chunk.length));
    server.handleUpgrade(raw, socket, head, (webSocket) => {
      this.#socket = webSocket;
      // A client's errors end its socket alone.
      webSocket.on('error', () => {});
      webSocket.on('pong', () => {
        this.#isAlive = true;
      });
      webSocket.on('message', () => webSocket.close(NOTHING_IS_READ, 'Nothing is read here.'));
      opened();
    });
  }

  get unsent(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  send(event: Buffer): void {
    if (this.unsent + event.length > MAX_UNSENT_BYTES) this.cut();
    else this.#socket?.send(event, { binary: false });
  }

  /** Pings, and cuts off a client that has not answered the last ping. */
  beat(): void {
    if (!this.#isAlive) this.cut();
    this.#isAlive = false;
    this.#bytesIn = 0;
    this.#socket?.ping();
  }

  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#socket?.close(GOING_AWAY, 'The service is stopping.');
    const cancel = this.#clock.after(END_MS, () => this.cut());
    this.#connection?.once('close', cancel);
  }

  cut(): void {
    this.#socket?.terminate();
    this.#connection?.destroy();
  }

  #count(bytes: number): void {
    this.#bytesIn += bytes;
    if (this.#bytesIn > MAX_BYTES_IN) this.cut();
  }
}
