import { UnusableStoreError } from '../store.js';
import { askOnce } from './ask-once.js';
import { RefusedCommand } from './client.js';
import type { Reply } from './replies.js';

/** How many nodes are asked at the same time at most. */
const MAX_ASKED = 8;

/** Who has which slots, as a node of a cluster says. */
export interface Topology {
  readonly ranges: readonly { readonly from: number; readonly to: number; readonly master: string }[];
  /** All nodes that were named, masters before replicas, as `HOST:PORT`. */
  readonly nodes: readonly string[];
}

/**
 * Asks some nodes of a cluster, of which the first answer counts: one that stands still holds up nobody. Rejects when none answers, for
 * preference with what a node has said.
 */
export async function askForTopology(nodes: readonly string[], urlOf: (node: string) => string): Promise<Topology> {
  const asked = nodes.slice(0, MAX_ASKED).map(async (node) => {
    return topologyOf(await askOnce(urlOf(node), 'CLUSTER', 'SLOTS').catch((error) => throwSaid(node, error)), node);
  });
  return Promise.any(asked).catch((error: unknown) => {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
    throw errors.find((one) => one instanceof UnusableStoreError || one instanceof RefusedCommand) ?? errors[0];
  });
}

function throwSaid(node: string, error: unknown): never {
  if (!(error instanceof RefusedCommand) || !/cluster support disabled/i.test(error.message)) throw error;
  throw new UnusableStoreError(
    `--store: the server ${node} is none of a cluster. For a server of its own write redis://HOST:PORT.`,
    { cause: error },
  );
}

/** Reads the answer to CLUSTER SLOTS of a node. */
export function topologyOf(reply: Reply, asked: string): Topology {
  const nameOf = (node: Reply | undefined) => {
    const [name, port] = node as [Buffer | null, number];
    return nodeAt(String(name ?? ''), port, asked);
  };
  const rows = reply as [number, number, ...Reply[]][];
  const ranges = rows.map(([from, to, master]) => ({ from, to, master: nameOf(master) }));
  const replicas = rows.flatMap(([, , , ...others]) => others.map(nameOf));
  return { ranges, nodes: [...new Set([...ranges.map(({ master }) => master), ...replicas])] };
}

/** A node as `HOST:PORT`, by what another says of it. Where that does not know its host, it is the one by which that was `asked`. */
export function nodeAt(host: string, port: number | string, asked: string): string {
  const isUnknown = host === '' || host === '?';
  return `${isUnknown ? asked.slice(0, asked.lastIndexOf(':')) : bracketed(host)}:${port}`;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
