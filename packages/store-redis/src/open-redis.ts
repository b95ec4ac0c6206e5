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

/** Time between two health checks, which are needed because clocks drift and policies change. */
const CHECK_INTERVAL_MS = 10_000;

/** Versions before 0.1 used the hash tags {0}, {1}, … for shards: one shard on a single server, 478 in a cluster. */
const OLD_TAGS = { server: 1, cluster: 478 };

/** An earlier version's lists stay for this multiple of the retention, because nodes may still run that version. */
const OLD_LISTS_RETENTIONS = 2;

/**
 * Opens the store on the Redis server or cluster at a URL. Rejects with a message for operators if a server refuses
 * the login or is unfit for a store. If no server is reachable, mode `create` warns and keeps retrying, and all reads
 * and writes fail until a server answers. Mode `existing` rejects instead.
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
    health.warnIfUnbounded();
    if (mode === 'create') await warnOfOldMail(servers, limits.retentionMs, warn);
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
  const stopChecking = repeat(CHECK_INTERVAL_MS, () => health.check().catch(() => {}));
  const letGo = () => {
    stopChecking();
    subscriptions.close();
    servers.close();
  };
  const fullDisk = new FullDiskLines(`on Redis at ${place.text}`, warn);
  const options = { limits, subscriptions, health, floor, isReplicated: replicas > 0, fullDisk, jobs, letGo };
  return { store: new RedisStore(servers, options), sharedCounts: new RedisCounts(servers, jobs) };
}

/** Makes the lists of earlier versions expire, because nothing else purges them. Warns that their mail is not shown. */
async function warnOfOldMail(servers: Servers, retentionMs: number, warn: Opening['warn']): Promise<void> {
  const count = servers.place.isCluster ? OLD_TAGS.cluster : OLD_TAGS.server;
  const tags = Array.from({ length: count }, (_, i) => `${i}`);
  const expire = (tag: string, list: string) => {
    return servers.command(tag, 'PEXPIRE', `mayfly:{${tag}}:${list}`, `${OLD_LISTS_RETENTIONS * retentionMs}`);
  };
  const found = await Promise.all(tags.flatMap((tag) => ['due', 'tally'].map((list) => expire(tag, list))));
  if (!found.includes(1)) return;
  warn(
    `Redis at ${servers.place.text} holds mail of an earlier version of Mayfly, which this version does not show. ` +
      `It expires within ${Math.ceil(retentionMs / 60_000)} minutes after it was stored. To read it until then, ` +
      'keep nodes of the earlier version running, but send new mail only to this version.',
  );
}
