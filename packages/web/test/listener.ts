import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';

/** A stranger's server. */
export interface Outsider {
  readonly url: string;
  /** The number of connections, with or without a request. */
  connections(): number;
  readonly requests: readonly { readonly path: string; readonly referer: string | undefined }[];
  close(): Promise<void>;
}

export async function startOutsider(): Promise<Outsider> {
  const requests: { path: string; referer: string | undefined }[] = [];
  let connections = 0;
  const server = createServer(({ url = '', headers }, response) => {
    requests.push({ path: url, referer: headers.referer });
    response.end('outside');
  });
  server.on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    requests,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** A proxy that forwards to one service and later to another, as if a service restarted on the same port. */
export interface Gate {
  readonly url: string;
  /** Forwards to a port; null closes every connection and refuses new ones. */
  lead(port: number | null): Promise<void>;
  close(): Promise<void>;
}

export async function startGate(): Promise<Gate> {
  const open = new Set<Socket>();
  let target: number | null = null;
  const server = createTcpServer((socket) => {
    const onward = connect(target ?? 0, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one);
      one.on('error', () => one.destroy());
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const shut = async () => {
    const closed = once(server.close(), 'close');
    for (const socket of open) socket.destroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    async lead(next) {
      target = next;
      if (next === null) await shut();
      else if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    close: async () => {
      if (server.listening) await shut();
    },
  };
}
