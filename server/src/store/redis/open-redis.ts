import type { Opening, OpenMode, Store, StoreLimits } from '../store.js';
import { type Place, placeOf } from './address.js';
import { Cluster, type Master, type MasterListener } from './cluster.js';
import { Connection } from './connection.js';
import { OneServer } from './one-server.js';
import { RedisStore } from './redis-store.js';
import { Server } from './server.js';
import type { Servers } from './servers.js';
import { reasonOf, refusalOf } from './troubles.js';
import { Watches } from './watches.js';

/** Servers that are not connected to yet. */
interface Unopened {
  readonly servers: Servers;
  /** Rejects when a server cannot be reached or used. */
  open(): Promise<void>;
  /** Why no server can be reached, as far as that is known. */
  trouble(): unknown;
}

/**
 * Opens the store in a Redis server or cluster, by its url. Rejects with a sentence when a server lets nobody in or is none for a store.
 * One that cannot be reached is tried again without end, and `warn` is told: until then nothing can be stored or read. Where the store
 * must be there already, that rejects, too.
 */
export async function openRedisStore(
  url: string,
  limits: StoreLimits,
  mode: OpenMode,
  { warn, replicas }: Opening,
): Promise<Store> {
  const place = placeOf(url);
  const watches: Watches = new Watches({
    subscribe: (channel, tag) => servers.subscribe(channel, tag),
    unsubscribe: (channel) => servers.unsubscribe(channel),
  });
  let isOpening = true;
  const connected = (server: Server, node: string) => {
    if (isOpening) return;
    server.inspect().catch((error) => warn(`The store on Redis at ${node} cannot be used: ${error.message}`));
  };
  const make = (node: string, listener?: MasterListener): Master => {
    const heard = (channel: string) => watches.heard(channel);
    const connection: Connection = new Connection(
      { url: place.urlOf(node), replicas },
      { ...listener, heard, connected: () => connected(server, node) },
    );
    const name = place.isCluster ? `the master ${node}` : 'the server';
    const server = new Server(connection, { name, isMaster: place.isCluster, warn });
    return { connection, server };
  };
  const { servers, open, trouble } = unopened(place, make, warn);
  try {
    await open();
  } catch (error) {
    const refusal = refusalOf(error, trouble(), place);
    const sentence = `Redis at ${place.text} cannot be reached: ${reasonOf(trouble() ?? error, url)}.`;
    if (refusal === null && mode === 'create') {
      warn(`${sentence} It is tried again until it is there.`);
    } else {
      await servers.close();
      throw refusal ?? new Error(sentence, { cause: error });
    }
  }
  isOpening = false;
  return new RedisStore(servers, watches, limits);
}

function unopened(
  place: Place,
  make: (node: string, listener?: MasterListener) => Master,
  warn: Opening['warn'],
): Unopened {
  if (place.isCluster) {
    const cluster = new Cluster({ nodes: place.nodes, urlOf: place.urlOf, master: make, warn });
    return { servers: cluster, open: () => cluster.open(), trouble: () => cluster.trouble };
  }
  const { connection, server } = make(place.text);
  return {
    servers: new OneServer(connection, server),
    async open() {
      await connection.open();
      await server.inspect();
    },
    trouble: () => connection.trouble,
  };
}
