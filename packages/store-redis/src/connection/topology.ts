import { StoreAwayError, UnusableStoreError } from '../../../server/dist/store/seam.js';
import { endClient, newClient, RefusedCommand, type Reply } from './client.js';
import { within } from './timers.js';

/** A key is in the slot of its hash tag (cluster specification, "Key distribution model"). */

const SLOTS = 16_384;

/** Shards of a cluster's inboxes. Fixed while there is mail, which could no longer be found. */
export const CLUSTER_SHARDS = 256;

/** The generator of CRC-16/XMODEM, which determines slots. */
const CRC_POLYNOMIAL = 0x1021;

const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ CRC_POLYNOMIAL : crc << 1;
  return crc;
});

function crc16(text: string): number {
  let crc = 0;
  for (const byte of Buffer.from(text)) crc = ((crc << 8) ^ (CRC_TABLE[(crc >> 8) ^ byte] as number)) & 0xffff;
  return crc;
}

export function slotOf(tag: string): number {
  return crc16(tag) % SLOTS;
}

/** One hash tag per shard, each in its own share of the slots, so that masters have about as many shards each. */
export function shardTags(): string[] {
  const tags = new Map<number, string>();
  for (let number = 0; tags.size < CLUSTER_SHARDS; number += 1) {
    const share = Math.floor(slotOf(`${number}`) / (SLOTS / CLUSTER_SHARDS));
    if (!tags.has(share)) tags.set(share, `${number}`);
  }
  return Array.from({ length: CLUSTER_SHARDS }, (_, share) => tags.get(share) as string);
}

export function shardNumber(inbox: string, shards: number): number {
  return crc16(inbox) % shards;
}

/** Where a cluster's slots are, and where its masters redirect commands (cluster specification, "Redirection"). */

const MAX_ASKED = 8;

const ASK_ONCE_MS = 2_000;

export interface Topology {
  readonly ranges: readonly { readonly from: number; readonly to: number; readonly master: string }[];
  readonly nodes: readonly string[];
}

/** Asks some nodes at once; the first answer counts. If none answers, rejects preferably with what a node said. */
export async function askForTopology(nodes: readonly string[], urlOf: (node: string) => string): Promise<Topology> {
  const asked = nodes.slice(0, MAX_ASKED).map(async (node) => {
    return topologyOf(await askOnce(urlOf(node), 'CLUSTER', 'SLOTS').catch((error) => throwSaid(node, error)), node);
  });
  return Promise.any(asked).catch((error: unknown) => {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
    throw errors.find((one) => one instanceof UnusableStoreError || one instanceof RefusedCommand) ?? errors[0];
  });
}

/** Asks a server one thing over a connection of its own. Rejects if it is away, refuses, or does not answer in time. */
export async function askOnce(url: string, ...args: readonly string[]): Promise<Reply> {
  const client = newClient(url, { isKept: false, connectMs: ASK_ONCE_MS });
  const error = new Promise<never>((_resolve, reject) => {
    client.on('error', reject);
  });
  try {
    const answer = client.connect().then(() => client.sendCommand<Reply>(args));
    return await within(
      ASK_ONCE_MS,
      Promise.race([answer, error]),
      () => new StoreAwayError(`no reply for ${ASK_ONCE_MS / 1_000} seconds`),
    );
  } finally {
    endClient(client);
  }
}

function throwSaid(node: string, error: unknown): never {
  if (!(error instanceof RefusedCommand) || !/cluster support disabled/i.test(error.message)) throw error;
  throw new UnusableStoreError(
    `--store: ${node} is not a cluster node. For a standalone server, use redis://HOST:PORT.`,
    { cause: error },
  );
}

function topologyOf(reply: Reply, asked: string): Topology {
  const nameOf = (node: Reply | undefined) => {
    const [name, port] = node as [Buffer | null, number];
    return nodeAt(String(name ?? ''), port, asked);
  };
  const rows = reply as [number, number, ...Reply[]][];
  const ranges = rows.map(([from, to, master]) => ({ from, to, master: nameOf(master) }));
  const replicas = rows.flatMap(([, , , ...others]) => others.map(nameOf));
  return { ranges, nodes: [...new Set([...ranges.map(({ master }) => master), ...replicas])] };
}

/** A node as `HOST:PORT`, by another's words. If that does not know its host, it is the one at which it was `asked`. */
function nodeAt(host: string, port: number | string, asked: string): string {
  const isUnknown = host === '' || host === '?';
  return `${isUnknown ? asked.slice(0, asked.lastIndexOf(':')) : bracketed(host)}:${port}`;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

export function redirection(kind: 'MOVED' | 'ASK', error: unknown, asked: string): string | undefined {
  if (!isRedirection(error)) return undefined;
  const [said, , node = ''] = error.message.split(' ');
  const colon = node.lastIndexOf(':');
  return said === kind ? nodeAt(node.slice(0, colon), node.slice(colon + 1), asked) : undefined;
}

export function isRedirection(error: unknown): error is RefusedCommand {
  return error instanceof RefusedCommand && /^(?:MOVED|ASK) /.test(error.message);
}

export function outOfPatience(error: unknown): unknown {
  return isRedirection(error)
    ? new StoreAwayError('the slot is being moved to another master', { cause: error })
    : error;
}
