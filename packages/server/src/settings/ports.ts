import { createServer, type Server } from 'node:net';
import { type ListenSetting, listenError } from './system-errors.js';
import type { Settings } from './table.js';

export interface WantedPort {
  readonly setting: ListenSetting;
  readonly host: string;
  readonly port: number;
}

export function wantedPorts({ host, metrics, ...settings }: Settings): WantedPort[] {
  const wanted: WantedPort[] = [
    { setting: 'smtp-port', host, port: settings['smtp-port'] },
    { setting: 'http-port', host, port: settings['http-port'] },
  ];
  const smtps = settings['smtps-port'];
  if (smtps !== null) wanted.push({ setting: 'smtps-port', host, port: smtps });
  if (metrics !== null) wanted.push({ setting: 'metrics', ...metrics });
  return wanted;
}

/** Listens on every port for a moment and rejects as the start would: before that makes the store's folder. */
export async function checkPortsAreFree(settings: Settings): Promise<void> {
  const held: Server[] = [];
  try {
    for (const { setting, host, port } of wantedPorts(settings).reverse()) {
      held.push(
        await listening(host, port).catch((error) => {
          throw listenError(error, setting, settings);
        }),
      );
    }
  } finally {
    for (const server of held) server.close();
  }
}

/** A server that closes every connection. Rejects with the system's error. */
export function listening(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => resolve(server));
  });
}
