import { Cluster, Command, Redis, type RedisOptions } from 'ioredis';
import { StoreAwayError, StoreFullDiskError } from '../../server/dist/store/seam.js';
import { addressOf, isRefused, type Place, withoutStop } from './place.js';

export type { Redis };

export const CONNECT_MS = 5_000;

/** A command without a reply is given up after this; a connection over which nothing comes is made anew. */
export const REPLY_MS = 10_000;

const RETRY = { first: 50, longest: 1_000 };

/** How often a node is asked where the slots are, beside what its redirections say. */
const LOOK_MS = 2_000;

export type Argument = string | Buffer;

/** What Redis answers to the commands used here; texts are bytes. */
export type Reply = null | number | string | Buffer | Reply[];

export function textsOf(reply: Reply): string[] {
  return (reply as Buffer[]).map(String);
}

function retryDelay(retries: number): number {
  return Math.min(RETRY.first * 2 ** Math.min(retries, 10), RETRY.longest);
}

/** The library repeats nothing by itself over a new connection: the store knows what may be repeated. */
function optionsAt({ options }: Place): RedisOptions {
  return {
    ...options,
    lazyConnect: true,
    enableReadyCheck: false,
    // The library takes a connection that is cut during its CLIENT SETINFO for ready, and never makes it again (5.11.1).
    disableClientInfo: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS,
    commandTimeout: REPLY_MS,
    socketTimeout: REPLY_MS + 500,
    retryStrategy: retryDelay,
  };
}

/** One connection to a node (`HOST:PORT`), made by `connect` and remade until `disconnect`. */
export function newLink(place: Place, node: string): Redis {
  return new Redis({ ...optionsAt(place), ...addressOf(node) });
}

/** The connections to the masters of a cluster, which follow where its slots go. */
export function newCluster(place: Place): Cluster {
  return new Cluster(place.nodes.map(addressOf), {
    lazyConnect: true,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    slotsRefreshInterval: LOOK_MS,
    slotsRefreshTimeout: LOOK_MS,
    clusterRetryStrategy: retryDelay,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: optionsAt(place),
    ...unknownHosts(place),
  });
}

/** Stands for the host of a node that does not know its own. */
const UNKNOWN_HOST = '?';

/**
 * With `cluster-preferred-endpoint-type unknown-endpoint`, a node names the others by their ports alone: they have the
 * host at which it was asked. The library leaves out such nodes (ioredis 5.11.1). They get a name here that the map of
 * addresses replaces.
 */
Command.setReplyTransformer('cluster', (reply: unknown) => {
  const named = (node: unknown) => {
    return Array.isArray(node) && !node[0] && typeof node[1] === 'number' ? [UNKNOWN_HOST, ...node.slice(1)] : node;
  };
  return Array.isArray(reply) ? reply.map((row) => (Array.isArray(row) ? row.map(named) : row)) : reply;
});

function unknownHosts({ nodes: [first = ''] }: Place) {
  const { host } = addressOf(first);
  // A redirection has an empty host.
  return { natMap: (node: string) => (/^\??:\d+$/.test(node) ? { ...addressOf(node), host } : null) };
}

export function isOutOfMemory(error: unknown): boolean {
  return isRefused(error) && /^(?:ERR )?OOM/.test(error.message);
}

/** Redis refuses for now: it loads files, runs a script, lacks replicas or is one, or a slot is moving. */
const NOT_NOW = /^(?:LOADING|BUSY|UNBLOCKED|NOREPLICAS|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|CROSSSLOT)\b/;

/** The answer to every write and PING while Redis cannot write its files: as a rule, its disk is full. */
const UNWRITTEN_FILES = /^MISCONF /;

/** What the library says of a command that it did not send, and of one without an answer. */
const UNSENT = /enableOfflineQueue/;
const TIMED_OUT = 'Command timed out';

/** The command was not sent, or its answer did not come: it may have been carried out. */
export class ConnectionLost extends StoreAwayError {}

/** There was no connection: nothing was sent. */
export class NotSent extends StoreAwayError {}

/** Redis cannot do that now, and has not. */
export class NotNow extends StoreAwayError {}

/** What the store says of a failed command; `trouble` is what a connection failed for last. */
export function explained(error: unknown, trouble: unknown): unknown {
  if (error instanceof StoreAwayError || isOutOfMemory(error)) return error;
  const { message } = error as Error;
  if (!isRefused(error)) {
    const why = message === TIMED_OUT ? `no reply for ${REPLY_MS / 1_000} seconds` : String(trouble ?? error);
    return new (UNSENT.test(message) ? NotSent : ConnectionLost)(withoutStop(why), { cause: error });
  }
  if (UNWRITTEN_FILES.test(message)) {
    return new StoreFullDiskError(`Redis cannot write its files: ${message}`, { cause: error, owner: 'Redis' });
  }
  if (NOT_NOW.test(message)) return new NotNow(withoutStop(message), { cause: error });
  return error;
}
