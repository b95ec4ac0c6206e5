import type { EmailState, InboxState } from '../admission.js';
import { putNews, type WriterId } from './news.js';
import { emailKey, expiresAtIn, inboxKey, isClearedIn, messageKey, receivedAtOf, stateBytes, stateOf } from './rows.js';
import type { Tables, Tally } from './tables.js';

export class Arena {
  readonly #memory: Buffer;
  #used = 0;

  constructor(bytes: number) {
    // Memory takes no room until it is written to.
    this.#memory = Buffer.allocUnsafeSlow(bytes);
  }

  reset(): void {
    this.#used = 0;
  }

  /** Valid until the next `reset`. */
  joined(pieces: readonly Uint8Array[], bytes: number): Buffer {
    const start = this.#used;
    if (start + bytes > this.#memory.length) return Buffer.concat(pieces);
    for (const piece of pieces) {
      this.#memory.set(piece, this.#used);
      this.#used += piece.length;
    }
    return this.#memory.subarray(start, this.#used);
  }
}

const EMPTY: Tally = { bytes: 0, messages: 0 };

interface DraftedInbox {
  /** `newest` of the inbox in the store; -1 where it has none. */
  readonly newestBefore: number;
  state: InboxState | undefined;
  isChanged: boolean;
  readonly added: EmailState[];
}

interface Write {
  readonly table: { put(key: never, value: never): unknown; remove(key: never): unknown };
  readonly key: unknown;
  readonly value: unknown;
}

/**
 * What one transaction will write. Drafted against the store as it is and written at the end: many changes of a row
 * become one, and a change that throws first leaves nothing behind. States, shares and tally read as drafted. Fill and
 * write it in one turn of the event loop.
 */
export class Draft {
  readonly tables: Tables;
  readonly arena: Arena;
  readonly version: number;
  readonly #writer: WriterId;
  readonly #writes: Write[] = [];
  readonly #inboxes = new Map<string, DraftedInbox>();
  readonly #shares = new Map<number, number>();
  #bytes: number;
  #messages: number;

  constructor(tables: Tables, arena: Arena, writer: WriterId) {
    const { value, version = 0 } = tables.tally.getEntry('tally') ?? { value: EMPTY };
    arena.reset();
    this.tables = tables;
    this.arena = arena;
    this.version = version;
    this.#writer = writer;
    this.#bytes = value.bytes;
    this.#messages = value.messages;
  }

  get isEmpty(): boolean {
    return this.#writes.length === 0;
  }

  get bytes(): number {
    return this.#bytes;
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  get message(): number {
    return this.#messages;
  }

  takeMessage(): void {
    this.#messages += 1;
  }

  put(table: Write['table'], key: unknown, value: unknown): void {
    this.#writes.push({ table, key, value });
  }

  remove(table: Write['table'], key: unknown): void {
    this.#writes.push({ table, key, value: undefined });
  }

  inbox(name: string): InboxState | undefined {
    return this.#inbox(name).state;
  }

  setInbox(name: string, state: InboxState | undefined, added: readonly EmailState[] = []): void {
    const inbox = this.#inbox(name);
    inbox.state = state;
    inbox.isChanged = true;
    inbox.added.push(...added);
  }

  *emails(name: string, after: number): Generator<EmailState> {
    const { newestBefore, added } = this.#inbox(name);
    const range = { start: emailKey(name, Math.max(after, -1) + 1), end: emailKey(name, newestBefore + 1) };
    for (const { key, value } of newestBefore > after ? this.tables.emails.getRange(range) : []) {
      yield { receivedAt: receivedAtOf(key), expiresAt: expiresAtIn(value), isCleared: isClearedIn(value) };
    }
    for (const email of added) if (email.receivedAt > after) yield email;
  }

  /** How many emails of a message with several recipients are not deleted. */
  share(message: number): number {
    const row = this.#shares.get(message) ?? this.tables.shares.getBinaryFast(messageKey(message));
    return typeof row === 'number' ? row : (row?.readUInt32BE(0) ?? 0);
  }

  /** At 0 nothing is kept. */
  setShare(message: number, emails: number): void {
    this.#shares.set(message, emails);
  }

  /** Throws nothing if the keys are valid. */
  write(): void {
    for (const { table, key, value } of this.#writes) {
      if (value === undefined) table.remove(key as never);
      else table.put(key as never, value as never);
    }
    const { emails, shares, tally, news } = this.tables;
    const next = this.version + 1;
    for (const [name, { state, isChanged }] of this.#inboxes) {
      if (!isChanged) continue;
      if (state === undefined) emails.remove(inboxKey(name));
      else emails.put(inboxKey(name), stateBytes(state));
    }
    for (const [message, count] of this.#shares) {
      if (count === 0) shares.remove(messageKey(message));
      else shares.put(messageKey(message), uint32(count));
    }
    tally.put('tally', { bytes: this.#bytes, messages: this.#messages }, next);
    const withMail = [...this.#inboxes].filter(([, { added }]) => added.length > 0).map(([name]) => name);
    putNews(news, next, this.#writer, withMail);
  }

  #inbox(name: string): DraftedInbox {
    const known = this.#inboxes.get(name);
    if (known !== undefined) return known;
    const row = this.tables.emails.getBinaryFast(inboxKey(name));
    const state = row && stateOf(row);
    const inbox = { newestBefore: state?.newest ?? -1, state, isChanged: false, added: [] };
    this.#inboxes.set(name, inbox);
    return inbox;
  }
}

function uint32(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(number);
  return bytes;
}
