// Many open streams, by a client that costs little: one socket each, and the times at which their events came.
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How many are being opened at once. */
const OPENING = 50;

/** Streams come from so many addresses: each has a range of ports of its own. */
const ADDRESSES = 50;

/** How long until a stream must be open, and how long its event may take. */
const PATIENCE_MS = 25_000;
const LOOK_MS = 1;

const OPENED = ': connected';
const EVENT = 'data: {';

export class WaitingStreams {
  #sockets = [];
  /** When the event of each came, by its number. */
  eventAt = [];

  /** Opens so many, the n-th at `pathOf(n)`, and resolves when all of them say that they are open. */
  async open({ host, httpPort }, count, pathOf) {
    let next = 0;
    const lane = async () => {
      while (next < count) {
        const number = next;
        next += 1;
        await this.#openOne({ host, port: httpPort, localAddress: addressOf(number) }, number, pathOf(number));
      }
    };
    await Promise.all(Array.from({ length: OPENING }, lane));
  }

  #openOne({ host, port, localAddress }, number, path) {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, localAddress, noDelay: true });
      this.#sockets.push(socket);
      socket.setEncoding('latin1');
      const tooLate = setTimeout(() => socket.destroy(new Error('a stream did not open in time')), PATIENCE_MS);
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('a stream was closed')));
      socket.on('data', (text) => {
        if (text.includes(EVENT)) this.eventAt[number] ??= performance.now();
        if (!text.includes(OPENED)) return;
        clearTimeout(tooLate);
        resolve();
      });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nAccept: text/event-stream\r\n\r\n`);
    });
  }

  /** Resolves to when the last of these streams had its event. Rejects when one has none in time. */
  async lastEvent(numbers) {
    const endsAt = performance.now() + PATIENCE_MS;
    while (!numbers.every((number) => this.eventAt[number] !== undefined)) {
      if (performance.now() > endsAt) throw new Error('a stream was not woken in time');
      await delay(LOOK_MS);
    }
    return Math.max(...numbers.map((number) => this.eventAt[number]));
  }

  close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets = [];
  }
}

function addressOf(number) {
  return `127.0.3.${1 + (number % ADDRESSES)}`;
}
