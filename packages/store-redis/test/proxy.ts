import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What stands between a store and its server, and may do what a network does. */
export interface RedisProxy {
  readonly port: number;
  /** Where new connections lead to. */
  serverPort: number;
  /** What is made of the server's answers; they are cut where it throws. */
  answer: (bytes: Buffer) => Buffer;
  /** Holds back what the server answers over the connections that there are, for good. */
  silence(): void;
  /** Takes nothing more from the server until `release`: what it sends meanwhile is lost with it. */
  hold(): void;
  release(): void;
  /** For how long they are held up. */
  lateMs: number;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** Listens on a free port where none is given. */
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
