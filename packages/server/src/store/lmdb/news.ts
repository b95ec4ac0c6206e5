import type { Tables } from './layout.js';

/** Number of changes remembered, one per row. A later change overwrites the row of an earlier one. */
const REMEMBERED = 256;

/** Maximum number of inboxes that a row names. If a change has more, its row names none, which means every inbox. */
const MAX_NAMED = 400;

/** A check takes 1.2 µs. File system notifications include our own writes, and cost a hundred times as much. */
const LOOK_EVERY_MS = 10;

const VERSION_BYTES = 6;

/** Length of the writing process's random ID, by which a process recognizes and ignores its own rows. */
export const WRITER_BYTES = 6;

const NAMES_AT = VERSION_BYTES + WRITER_BYTES;
const HASH_BYTES = 4;

/** Records, for other processes, which inboxes get mail in the change that raises the store to this version. */
export function putNews({ news }: Tables, version: number, writer: Buffer, inboxes: readonly string[]): void {
  const named = inboxes.length <= MAX_NAMED ? inboxes : [];
  const row = Buffer.allocUnsafe(NAMES_AT + named.length * HASH_BYTES);
  row.writeUIntBE(version, 0, VERSION_BYTES);
  row.set(writer, VERSION_BYTES);
  for (const [i, inbox] of named.entries()) row.writeUInt32BE(hashOf(inbox), NAMES_AT + i * HASH_BYTES);
  news?.putSync(keyOf(version), row);
}

/** Wakes the watches of inboxes that get mail from other processes. `latest` returns the tables of the last commit. */
export function newsOf(latest: () => Tables, writer: Buffer) {
  /** Watches by the hash of their inbox, because rows contain hashes. Inboxes with the same hash are woken together. */
  const watches = new Map<number, Set<() => void>>();
  let known = 0;
  let timer: NodeJS.Timeout | undefined;
  const currentVersion = () => latest().tally.getEntry('tally')?.version ?? 0;

  /** Hashes of the inboxes that got mail after the known version; null if any inbox may have got mail. */
  function hashesUpTo(version: number): Set<number> | null {
    if (version - known > REMEMBERED) return null;
    const { news } = latest();
    const hashes = new Set<number>();
    for (let next = known + 1; next <= version; next += 1) {
      const row = news?.getBinaryFast(keyOf(next));
      // A change without mail, such as a deletion, writes no row, so the key may still hold the row of an older change.
      if (row === undefined || row.readUIntBE(0, VERSION_BYTES) !== next) continue;
      if (writer.equals(row.subarray(VERSION_BYTES, NAMES_AT))) continue;
      if (row.length === NAMES_AT) return null;
      for (let at = NAMES_AT; at < row.length; at += HASH_BYTES) hashes.add(row.readUInt32BE(at));
    }
    return hashes;
  }

  function look(): void {
    const version = watches.size === 0 ? known : currentVersion();
    if (version === known) return;
    const hashes = hashesUpTo(version) ?? watches.keys();
    known = version;
    // Copies the functions first, because a `wake` may end its own watch and others.
    const wakes = [...hashes].flatMap((hash) => [...(watches.get(hash) ?? [])]);
    for (const wake of wakes) wake();
  }

  function watch(inbox: string, wake: () => void): () => void {
    if (watches.size === 0) {
      known = currentVersion();
      timer = setInterval(look, LOOK_EVERY_MS).unref();
    }
    const hash = hashOf(inbox);
    // Wraps the function, so that two watches with the same function stay separate.
    const own = () => wake();
    const ofHash = watches.get(hash) ?? new Set();
    watches.set(hash, ofHash.add(own));
    return () => {
      if (!ofHash.delete(own) || ofHash.size > 0) return;
      watches.delete(hash);
      if (watches.size === 0) clearInterval(timer);
    };
  }

  function close(): void {
    watches.clear();
    clearInterval(timer);
  }

  return { look, watch, close };
}

function keyOf(version: number): Buffer {
  return Buffer.of(version % REMEMBERED);
}

function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
