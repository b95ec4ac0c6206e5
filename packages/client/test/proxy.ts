import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** How the proxy alters the server's data on one connection. */
export interface Shape {
  /** Cuts the connection after this many bytes, possibly in the middle of a chunk. */
  readonly cutAfterBytes?: number;
  /** Passes on a stream only after the server has ended it, as a buffering proxy does. */
  readonly holdBack?: boolean;
}

export interface TestProxy {
  readonly url: string;
  cuts(): number;
  stop(): Promise<void>;
}

/** A TCP proxy that disturbs each connection to a local port as configured. */
export async function startProxy(port: number, shapeOf: () => Shape): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    const { cutAfterBytes = Number.POSITIVE_INFINITY, holdBack = false } = shapeOf();
    const held: Buffer[] = [];
    let left = cutAfterBytes;
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroySoon();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (holdBack && (held.length > 0 || chunk.includes('text/event-stream'))) {
        held.push(chunk);
        return;
      }
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      cuts += 1;
      upstream.destroy();
    });
    upstream.on('end', () => client.end(Buffer.concat(held)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
