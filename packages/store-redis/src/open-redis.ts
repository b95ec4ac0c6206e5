import {
  FullDiskLines,
  Jobs,
  type Opening,
  type OpenMode,
  type SharedCounts,
  type Store,
  type StoreLimits,
  UnusableStoreError,
} from '../../server/dist/store/seam.js';
import { Health } from './health.js';
import { placeOf, reasonOf, refusalOf } from './place.js';
import { RedisStore } from './redis-store.js';
import { Servers } from './servers.js';
import { RedisCounts } from './shared-counts.js';
import { Subscriptions } from './subscriptions.js';
import { TimeFloor } from './time-floor.js';
import { repeat } from './timers.js';

/** How often the servers are looked at: clocks drift, policies change. */
const LOOK_MS = 10_000;

/** Until 0.1 mail stood in shards with these hash tags: one on a server, and the first so many in a cluster. */
const OLD_TAGS = { server: 1, cluster: 478 };

/** For how many retentions an old node may still need its lists. */
const OLD_KEPT = 2;

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
  const floor = new TimeFloor();
  let isOpen = false;
  const changed = (isMade: boolean) => {
    floor.raise();
    if (!isMade || !isOpen) return;
    health.inspect().catch((error) => {
      if (error instanceof UnusableStoreError)
        warn(`The store on Redis at ${place.text} cannot be used: ${error.message}`);
    });
  };
  const servers = new Servers(place, { replicas, onDisk, changed });
  const health = new Health(servers, onDisk, warn);
  try {
    await servers.open();
    await health.inspect();
    health.tellOfUnbounded();
    if (mode === 'create') await tellOfOldMail(servers, limits.retentionMs, warn);
  } catch (error) {
    const refusal = refusalOf(error, servers.trouble, place);
    const sentence = `Redis at ${place.text} cannot be reached: ${reasonOf(servers.trouble ?? error, url)}.`;
    if (refusal !== null || mode !== 'create') {
      servers.close();
      throw refusal ?? new Error(sentence, { cause: error });
    }
    warn(`${sentence} Retrying until it answers.`);
  }
  isOpen = true;
  const subscriptions = new Subscriptions(servers);
  const jobs = new Jobs();
  const stopLooking = repeat(LOOK_MS, () => health.check().catch(() => {}));
  const letGo = () => {
    stopLooking();
    subscriptions.close();
    servers.close();
  };
  const fullDisk = new FullDiskLines(`on Redis at ${place.text}`, warn);
  const options = { limits, subscriptions, health, floor, isReplicated: replicas > 0, fullDisk, jobs, letGo };
  return { store: new RedisStore(servers, options), sharedCounts: new RedisCounts(servers, jobs) };
}

/** Mail of an earlier version is not shown. Its lists never expired by themselves: now they do. */
async function tellOfOldMail(servers: Servers, retentionMs: number, warn: Opening['warn']): Promise<void> {
  const count = servers.place.isCluster ? OLD_TAGS.cluster : OLD_TAGS.server;
  const tags = Array.from({ length: count }, (_, i) => `${i}`);
  const expire = (tag: string, list: string) => {
    return servers.command(tag, 'PEXPIRE', `mayfly:{${tag}}:${list}`, `${OLD_KEPT * retentionMs}`);
  };
  const found = await Promise.all(tags.flatMap((tag) => ['due', 'tally'].map((list) => expire(tag, list))));
  if (!found.includes(1)) return;
  warn(
    `Redis at ${servers.place.text} holds mail of an earlier version of Mayfly, which this version does not show. ` +
      `It expires within ${Math.ceil(retentionMs / 60_000)} minutes after it came. To keep it readable until then, ` +
      'let nodes of the earlier version run, and send them no new mail.',
  );
}
