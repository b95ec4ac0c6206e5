// The benchmarks' HTTP clients, each with its own loopback address.
import http from 'node:http';
import { connect } from 'node:net';

const PATIENCE_MS = 30_000;

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/** The message of a timeout's error. */
export const GAVE_UP = 'timeout';

/** Resolves to `{ status, body }`; `body` is null if it was cut off. Without an `agent`, opens a new connection. */
export async function request(service, path, options = {}) {
  const response = await open(service, path, options);
  const chunks = [];
  try {
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, body: Buffer.concat(chunks) };
  } catch {
    return { status: response.statusCode, body: null };
  }
}

/** Resolves to the response as soon as it begins. The caller reads or destroys the response. */
export function open(service, path, { body, timeoutMs = PATIENCE_MS, agent = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: service.host, port: service.httpPort, path, agent, ...options }, resolve);
    const tooLate = setTimeout(() => sent.destroy(new Error(GAVE_UP)), timeoutMs);
    sent.on('close', () => clearTimeout(tooLate));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A persistent connection for one request at a time, efficient enough for 40,000 fetches a second on one core. */
export class KeptConnection {
  #socket;
  #host;
  #chunks = [];
  #size = 0;
  #head = null;
  #resolve = null;
  #reject = null;

  constructor({ host, httpPort }, { localAddress } = {}) {
    this.#host = `${host}:${httpPort}`;
    this.#socket = connect({ host, port: httpPort, localAddress, noDelay: true });
    this.#socket.setTimeout(PATIENCE_MS, () => this.#socket.destroy(new Error('no answer in time')));
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#reject?.(error));
    this.#socket.on('close', () => this.#reject?.(new Error('the connection was closed')));
  }

  /** Resolves to `{ status, body }`. */
  get(path) {
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n\r\n`);
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  close() {
    this.#reject = null;
    this.#socket.destroy();
  }

  #take(chunk) {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#head ??= headOf(this.#chunks);
    if (this.#head === null || !this.#isWhole(chunk)) return;
    const answer = Buffer.concat(this.#chunks).subarray(this.#head.length);
    const { status, contentLength } = this.#head;
    this.#chunks = [];
    this.#size = 0;
    this.#head = null;
    this.#resolve({ status, body: contentLength === null ? unchunked(answer) : answer });
  }

  #isWhole(chunk) {
    const { length, contentLength } = this.#head;
    if (contentLength !== null) return this.#size >= length + contentLength;
    const end = chunk.length >= LAST_CHUNK.length ? chunk : Buffer.concat(this.#chunks);
    return end.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  }
}

function headOf(chunks) {
  const start = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  const end = start.indexOf(HEAD_END);
  if (end < 0) return null;
  const text = start.latin1Slice(0, end);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(text) ?? [];
  return {
    length: end + HEAD_END.length,
    status: Number(text.slice(9, 12)),
    contentLength: length === undefined ? null : Number(length),
  };
}

/** Decodes a chunked body (RFC 9112 section 7.1). */
function unchunked(bytes) {
  const pieces = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.latin1Slice(at, lineEnd), 16);
    if (!(length > 0)) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}

/** Fetches `nextPath()` for `durationMs` and resolves to the fetches a second. Rejects for any status but 200. */
export async function fetchRate(service, nextPath, { connections, durationMs }) {
  const startedAt = performance.now();
  let count = 0;
  await lanes(service, connections, async (connection) => {
    // Fetches at least once, because on a busy machine the time may already be over.
    do {
      const { status } = await connection.get(nextPath());
      if (status !== 200) throw new Error(`a fetch was answered with ${status}`);
      count += 1;
    } while (performance.now() - startedAt < durationMs);
  });
  return (count * 1000) / (performance.now() - startedAt);
}

/** Fetches each path once and resolves to the number of responses for which `isRight(body)` is true. */
export async function countRight(service, paths, isRight, { connections }) {
  const waiting = paths.values();
  let right = 0;
  await lanes(service, connections, async (connection) => {
    for (const path of waiting) {
      const { status, body } = await connection.get(path);
      if (status === 200 && isRight(body)) right += 1;
    }
  });
  return right;
}

async function lanes(service, connections, work) {
  const lane = async () => {
    const connection = new KeptConnection(service);
    try {
      await work(connection);
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
}
