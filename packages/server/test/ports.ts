import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A port for a program that is given its port. Another process may take it first. */
export async function freePort(): Promise<number> {
  const { server, port } = await listening();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A port that refuses every connection while this process runs: the local port of an open connection, which no other
 * process can take. On a free port, a service of another test may answer.
 */
export async function refusingPort(): Promise<number> {
  const { server, port } = await listening();
  const socket = connect(port, '127.0.0.1').unref();
  const [[peer]] = await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
  peer.unref();
  server.close();
  return socket.localPort as number;
}

async function listening() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}
