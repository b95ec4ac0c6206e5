import { Cluster, Command, Redis, type RedisOptions } from 'ioredis';
import { StoreAwayError, StoreFullDiskError } from '../../server/dist/store/seam.js';
import { addressOf, isRefused, type Place, withoutStop } from './place.js';

export type { Redis };

export const CONNECT_MS = 5_000;

/** Timeout for a reply. If nothing arrives on a connection for half a second longer, the connection is replaced. */
export const REPLY_MS = 10_000;

const RETRY = { first: 50, longest: 1_000 };

/** Time between two refreshes of the whole slot map. In between, redirections update single slots. */
const SLOTS_REFRESH_MS = 2_000;

export type Argument = string | Buffer;

/** A reply to the commands used here. Strings arrive as buffers. */
export type Reply = null | number | string | Buffer | Reply[];

export function textsOf(reply: Reply): string[] {
  return (reply as Buffer[]).map(String);
}

function retryDelay(retries: number): number {
  return Math.min(RETRY.first * 2 ** Math.min(retries, 10), RETRY.longest);
}

/** Turns off the library's own retries, because only some commands may run twice. */
function optionsAt({ options }: Place): RedisOptions {
  return {
    ...options,
    lazyConnect: true,
    enableReadyCheck: false,
    // ioredis 5.11.1 never replaces a connection that is cut during CLIENT SETINFO.
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

/** A connection to a node (`HOST:PORT`). After `connect`, it reconnects until `disconnect`. */
export function newLink(place: Place, node: string): Redis {
  return new Redis({ ...optionsAt(place), ...addressOf(node) });
}

/** Connections to the current owners of a cluster's slots. */
export function newCluster(place: Place): Cluster {
  return new Cluster(place.nodes.map(addressOf), {
    lazyConnect: true,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    slotsRefreshTimeout: SLOTS_REFRESH_MS,
    clusterRetryStrategy: retryDelay,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: optionsAt(place),
    ...unknownHosts(place),
  });
}

/** Placeholder for the host of a node that a reply lists without a host. */
const UNKNOWN_HOST = '?';

/**
 * With `cluster-preferred-endpoint-type unknown-endpoint`, a node reports other nodes without a host, so clients use
 * the host of the connection. ioredis 5.11.1 drops such nodes, so they get a placeholder, which `natMap` replaces.
 */
Command.setReplyTransformer('cluster', (reply: unknown) => {
  const named = (node: unknown) => {
    return Array.isArray(node) && !node[0] && typeof node[1] === 'number' ? [UNKNOWN_HOST, ...node.slice(1)] : node;
  };
  return Array.isArray(reply) ? reply.map((row) => (Array.isArray(row) ? row.map(named) : row)) : reply;
});

function unknownHosts({ nodes: [first = ''] }: Place) {
  const { host } = addressOf(first);
  // The placeholder is only in replies to CLUSTER. A redirection (MOVED, ASK) without a host names just `:PORT`.
  return { natMap: (node: string) => (/^\??:\d+$/.test(node) ? { ...addressOf(node), host } : null) };
}

export function isOutOfMemory(error: unknown): boolean {
  return isRefused(error) && /^(?:ERR )?OOM/.test(error.message);
}

/** Temporary errors: Redis is loading, busy, short of replicas, itself a replica, or moving the slot. */
const NOT_NOW = /^(?:LOADING|BUSY|UNBLOCKED|NOREPLICAS|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|CROSSSLOT)\b/;

/** The reply to every write and PING while Redis cannot write its files, usually because the disk is full. */
const UNWRITTEN_FILES = /^MISCONF /;

/** The library's error messages for a command that it did not send, and for a command without a reply. */
const UNSENT = /enableOfflineQueue/;
const TIMED_OUT = 'Command timed out';

/** No reply arrived, so the command may have run. */
export class ConnectionLost extends StoreAwayError {}

/** There was no connection, so the command did not run. */
export class NotSent extends StoreAwayError {}

/** Redis refused the command with a temporary error, so it did not run. */
export class NotNow extends StoreAwayError {}

/** The store's error for a failed command. `trouble` is the last connection error. */
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
