import { DiskRoom } from './lmdb/disk-room.js';
import type { Range, Table, Tables } from './lmdb/layout.js';
import { TableStore } from './lmdb/table-store.js';
import type { Store, StoreLimits } from './store.js';

/** Maximum rows of a block. A block with more is halved. Inserting a row moves at most this many rows. */
const MAX_BLOCK = 512;

/** Bytes up to this size are kept as a string, because Node allocates and frees each buffer separately. */
const MAX_TEXT_BYTES = 1024;

interface Row<V, K> {
  readonly id: string;
  /** Null if the key is bytes, because `id` already contains them. */
  readonly key: K | null;
  value: V | string;
  version: number;
}

/** Opens a store that ends with the process, for tests and throw-away runs: LMDB's tables in memory. */
export function openMemoryStore(limits: StoreLimits): Store {
  const tables: Tables = {
    tally: new MemoryTable(),
    emails: new MemoryTable(),
    deadlines: new MemoryTable(),
    messages: new MemoryTable(),
    shares: new MemoryTable(),
    news: null,
    clearings: new MemoryTable(),
    waitlist: new MemoryTable(),
    waitlistAddresses: new MemoryTable(),
  };
  return new TableStore({
    tables,
    limits,
    room: new DiskRoom(
      'memory',
      () => {},
      async () => {},
    ),
    transaction: async (changes) => changes(),
    refresh: () => {},
    keep: (row) => row,
    close: async () => {},
  });
}

class MemoryTable<V, K> implements Table<V, K> {
  readonly #blocks: Row<V, K>[][] = [[]];
  readonly #byId = new Map<string, Row<V, K>>();

  getEntry(key: K) {
    const row = this.#byId.get(idOf(key));
    return row && shown(row);
  }

  getBinaryFast(key: K): Buffer | undefined {
    const row = this.#byId.get(idOf(key));
    return row && (valueIn(row) as Buffer);
  }

  *getKeys(range: Range<K>): Generator<K> {
    for (const { key } of this.getRange(range)) yield key;
  }

  *getRange({ start, end, reverse = false, limit = Number.POSITIVE_INFINITY }: Range<K>) {
    const step = reverse ? -1 : 1;
    const endId = end === undefined ? undefined : idOf(end);
    let { block, at } = this.#firstOf(start, reverse);
    for (let left = limit; left > 0; left -= 1) {
      while (this.#blocks[block]?.[at] === undefined) {
        block += step;
        const rows = this.#blocks[block];
        if (rows === undefined) return;
        at = reverse ? rows.length - 1 : 0;
      }
      const row = this.#blocks[block]?.[at] as Row<V, K>;
      if (endId !== undefined && (reverse ? row.id <= endId : row.id >= endId)) return;
      yield shown(row);
      at += step;
    }
  }

  getStats(): { readonly entryCount: number } {
    return { entryCount: this.#byId.size };
  }

  putSync(key: K, value: V, version = 0): void {
    const id = idOf(key);
    const known = this.#byId.get(id);
    if (known !== undefined) {
      known.value = kept(value);
      known.version = version;
      return;
    }
    const row = { id, key: Buffer.isBuffer(key) ? null : key, value: kept(value), version };
    const place = this.#find(id);
    const block = this.#blocks[place.block] as Row<V, K>[];
    block.splice(place.at, 0, row);
    this.#byId.set(id, row);
    if (block.length > MAX_BLOCK) this.#blocks.splice(place.block + 1, 0, block.splice(MAX_BLOCK / 2));
  }

  removeSync(key: K): void {
    const id = idOf(key);
    if (!this.#byId.delete(id)) return;
    const place = this.#find(id);
    const block = this.#blocks[place.block] as Row<V, K>[];
    block.splice(place.at, 1);
    if (block.length === 0 && this.#blocks.length > 1) this.#blocks.splice(place.block, 1);
  }

  #find(id: string): { readonly block: number; readonly at: number } {
    const last = this.#blocks.length - 1;
    const rows = this.#blocks[last] as Row<V, K>[];
    // The rows of most tables are added in order.
    if (id > (rows.at(-1)?.id ?? '')) return { block: last, at: rows.length };
    const after = firstWhere(this.#blocks, (rows) => (rows[0]?.id ?? '') > id);
    const block = Math.max(after - 1, 0);
    return { block, at: firstWhere(this.#blocks[block] ?? [], (row) => row.id >= id) };
  }

  #firstOf(start: K | undefined, reverse: boolean) {
    if (start === undefined) return { block: reverse ? this.#blocks.length : 0, at: 0 };
    const id = idOf(start);
    const place = this.#find(id);
    return reverse && !this.#byId.has(id) ? { block: place.block, at: place.at - 1 } : place;
  }
}

/** The first position in a sorted list from which `holds` is true. */
function firstWhere<T>(sorted: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function idOf(key: unknown): string {
  if (Buffer.isBuffer(key)) return key.toString('latin1');
  if (Array.isArray(key)) return key.map(idOf).join('\0');
  return typeof key === 'number' ? String(key).padStart(16, '0') : String(key);
}

/** Copies bytes, because a slice of Node's pool would keep the whole pool in memory. */
function kept<V>(value: V): V | string {
  if (!(value instanceof Uint8Array)) return value;
  if (value.length <= MAX_TEXT_BYTES && Buffer.isBuffer(value)) return value.toString('latin1');
  const copy = Buffer.allocUnsafeSlow(value.length);
  copy.set(value);
  return copy as unknown as V;
}

function valueIn<V>({ value }: Row<V, unknown>): V {
  return typeof value === 'string' ? (Buffer.from(value, 'latin1') as unknown as V) : value;
}

function shown<V, K>(row: Row<V, K>) {
  const { id, key, version } = row;
  return { key: key ?? (Buffer.from(id, 'latin1') as unknown as K), value: valueIn(row), version };
}
