import {
  type CountedWindow,
  FullDiskLines,
  Jobs,
  NoRoomError,
  type Opening,
  type OpenMode,
  type SharedCounts,
  type Store,
  StoreAwayError,
  type StoreLimits,
} from '../../server/dist/store/seam.js';
import { isOutOfMemory, RefusedCommand, type Reply } from './connection/client.js';
import { Cluster, type Master, type MasterListener } from './connection/cluster.js';
import { Connection } from './connection/connection.js';
import { Server } from './connection/server.js';
import { type Servers, Standalone } from './connection/servers.js';
import { Watches } from './connection/subscriptions.js';
import { type Place, placeOf, reasonOf, refusalOf } from './connection/troubles.js';
import type { ScriptName } from './lua.js';
import { RedisStore } from './mail/redis-store.js';
import { TimeFloor } from './mail/shard.js';

interface Unopened {
  readonly servers: Servers;
  open(): Promise<void>;
  trouble(): unknown;
}

/**
 * Opens the store in a Redis server or cluster by its URL. Rejects with a sentence when a server refuses the login or
 * is unfit for a store. A server that cannot be reached is retried without end, and `warn` is told: nothing can be
 * stored or read until it answers. If the store must exist already, that rejects, too.
 */
export async function openRedisStore(
  url: string,
  limits: StoreLimits,
  mode: OpenMode,
  { warn, replicas, onDisk = false }: Opening,
): Promise<{ store: Store; sharedCounts: SharedCounts }> {
  const place = placeOf(url);
  const watches: Watches = new Watches({
    subscribe: (channel, tag) => servers.subscribe(channel, tag),
    unsubscribe: (channel) => servers.unsubscribe(channel),
  });
  const floor = new TimeFloor();
  let isOpening = true;
  const connected = (server: Server, node: string) => {
    floor.connectedAnew();
    if (isOpening) return;
    server.inspect().catch((error) => warn(`The store on Redis at ${node} cannot be used: ${error.message}`));
  };
  const make = (node: string, listener?: MasterListener): Master => {
    const received = (channel: string) => watches.received(channel);
    const connection: Connection = new Connection(
      { url: place.urlOf(node), replicas, onDisk },
      { ...listener, received, connected: () => connected(server, node) },
    );
    const name = place.isCluster ? `the master ${node}` : 'the server';
    const server = new Server(connection, { name, isMaster: place.isCluster, onDisk, warn });
    return { connection, server };
  };
  const { servers, open, trouble } = unopened(place, make, warn);
  try {
    await open();
  } catch (error) {
    const refusal = refusalOf(error, trouble(), place);
    const sentence = `Redis at ${place.text} cannot be reached: ${reasonOf(trouble() ?? error, url)}.`;
    if (refusal === null && mode === 'create') {
      warn(`${sentence} Retrying until it answers.`);
    } else {
      await servers.close();
      throw refusal ?? new Error(sentence, { cause: error });
    }
  }
  isOpening = false;
  const fullDisk = new FullDiskLines(`on Redis at ${place.text}`, warn);
  const jobs = new Jobs();
  return {
    store: new RedisStore(servers, watches, limits, { floor, isReplicated: replicas > 0, fullDisk, jobs }),
    sharedCounts: new RedisCounts((tag, ...script) => jobs.run(() => servers.route(tag).script(...script))),
  };
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
    servers: new Standalone(connection, server),
    async open() {
      await connection.open();
      await server.inspect();
    },
    trouble: () => connection.trouble,
  };
}

type Run = (tag: string, name: ScriptName, keys: readonly string[], args: readonly string[]) => Promise<Reply>;

/** Counts in Redis. Each is one key with its own hash tag, so that a cluster spreads them; Redis deletes it in time. */
class RedisCounts implements SharedCounts {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  use(count: string, { count: most, windowMs, batchSize }: CountedWindow): Promise<number> {
    return this.#answer('limit-use', count, [most, windowMs, batchSize]);
  }

  wait(count: string, { count: most, windowMs }: CountedWindow): Promise<number> {
    return this.#answer('limit-wait', count, [most, windowMs]);
  }

  useName(count: string, name: string, { count: most, windowMs }: CountedWindow): Promise<number> {
    return this.#answer('limit-use-name', count, [name, most, windowMs]);
  }

  async giveBackName(count: string, name: string): Promise<void> {
    await this.#answer('limit-release', count, [name]);
  }

  async hold(count: string, holder: string, most: number, leaseMs: number): Promise<boolean> {
    return (await this.#answer('limit-hold', count, [holder, most, leaseMs])) === 1;
  }

  async renew(count: string, holders: readonly string[], leaseMs: number): Promise<void> {
    await this.#answer('limit-renew', count, [leaseMs, ...holders]);
  }

  async free(count: string, holder: string): Promise<void> {
    await this.#answer('limit-release', count, [holder]);
  }

  async #answer(name: ScriptName, count: string, args: readonly (string | number)[]): Promise<number> {
    try {
      // A tag ends at the first brace.
      const [tag = ''] = `limit:${count}`.split('}', 1);
      return (await this.#run(tag, name, [`mayfly:{limit:${count}}`], args.map(String))) as number;
    } catch (error) {
      if (isOutOfMemory(error)) throw new NoRoomError('Redis has no memory left.', { cause: error });
      throw error instanceof RefusedCommand ? new StoreAwayError(error.message, { cause: error }) : error;
    }
  }
}
