import type { Socket } from 'node:net';
import type { Clock, OpenStream } from 'mayfly-inbox/plugin';
import type { WebSocket } from 'ws';

export type { WebSocket };

/** Maximum number of bytes read between two pings. Clients need less, because they send only pongs. */
export const MAX_BYTES_IN = 4 * 1024;
const MAX_UNSENT_BYTES = 256 * 1024;
const END_MS = 1_000;

/** Close codes of RFC 6455 section 7.4.1. */
const GOING_AWAY = 1001;
const NOTHING_IS_READ = 1003;

/** Sends events to one client, from which it accepts only control frames. */
export class EventSocket implements OpenStream {
  readonly #clock: Clock;
  readonly #connection: Socket;
  #socket: WebSocket | null = null;
  #bytesIn = 0;
  #isAlive = true;
  #isEnding = false;

  constructor(clock: Clock, connection: Socket) {
    this.#clock = clock;
    this.#connection = connection;
  }

  open(webSocket: WebSocket): void {
    this.#socket = webSocket;
    if (this.#isEnding) this.cut();
    this.#connection.on('data', (chunk: Buffer) => this.#count(chunk.length));
    webSocket.on('pong', () => {
      this.#isAlive = true;
    });
    webSocket.on('message', () => webSocket.close(NOTHING_IS_READ, 'This socket is send-only.'));
  }

  get unsent(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  send(event: Buffer): void {
    if (this.unsent + event.length > MAX_UNSENT_BYTES) this.cut();
    else this.#socket?.send(event, { binary: false });
  }

  /** Pings the client, or disconnects it if it has not answered the last ping. */
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
    this.#connection.once('close', cancel);
  }

  cut(): void {
    this.#socket?.terminate();
    this.#connection.destroy();
  }

  #count(bytes: number): void {
    this.#bytesIn += bytes;
    if (this.#bytesIn > MAX_BYTES_IN) this.cut();
  }
}
