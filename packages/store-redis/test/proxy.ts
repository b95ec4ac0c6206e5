import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a store and its server that simulates network faults. */
export interface RedisProxy {
  readonly port: number;
  /** The target of new connections. */
  serverPort: number;
  /** Rewrites the server's replies. If this function throws, the proxy cuts the connection. */
  answer: (bytes: Buffer) => Buffer;
  /** Drops all further replies over the current connections. */
  silence(): void;
  /** Reads nothing from the server until `release`. If the server dies meanwhile, its unread output is lost. */
  hold(): void;
  release(): void;
  /** Delay of each reply in milliseconds. */
  lateMs: number;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** Listens on a free port by default. */
export async function startProxy(serverPort: number, port = 0): Promise<RedisProxy> {
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  const servers = new Set<Socket>();
  let isHeld = false;
  const listener = createServer((client) => {
    const server = connect(proxy.serverPort, '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    servers.add(server);
    server.on('close', () => servers.delete(server));
    client.on('data', (bytes) => server.write(bytes));
    const answer = (bytes: Buffer) => {
      if (silenced.has(server)) return;
      try {
        client.write(proxy.answer(bytes));
      } catch {
        client.destroy();
      }
    };
    server.on('data', (bytes) => {
      if (proxy.lateMs === 0) answer(bytes);
      else setTimeout(answer, proxy.lateMs, bytes);
    });
    if (isHeld) server.pause();
  }).listen(port, '127.0.0.1');
  await once(listener, 'listening');
  const proxy: RedisProxy = {
    port: (listener.address() as AddressInfo).port,
    serverPort,
    answer: (bytes) => bytes,
    silence() {
      for (const socket of sockets) silenced.add(socket);
    },
    hold() {
      isHeld = true;
      for (const server of servers) server.pause();
    },
    release() {
      isHeld = false;
      for (const server of servers) server.resume();
    },
    lateMs: 0,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      proxy.cut();
      listener.close();
      await once(listener, 'close');
    },
  };
  return proxy;
}
