import {
  type Appended,
  CHUNK_BYTES,
  EmailGoneError,
  type ListQuery,
  StoreAwayError,
  type StoreLimits,
  type Usage,
} from '../../../server/dist/store/seam.js';
import { type Argument, ConnectionLost, isOutOfMemory, type Reply, textsOf } from '../connection/client.js';
import type { Route } from '../connection/servers.js';
import type { ScriptName } from '../lua.js';
import { clearingMember, nextExpired, purging } from './expiry-index.js';
import { appending, GRACE_MS, newName, type Part, rollingBack, showing, unpacked } from './part.js';
import { emailOf, Keys, type RedisEmail } from './rows.js';

const LIST_PAGE = 1_000;

/** How often a command whose answer was lost is repeated. */
const REPEATS = 4;

export type StoredPart = readonly number[] | (Appended & { readonly stored: false })['reason'];

export interface ShardOptions {
  readonly floor: TimeFloor;
  readonly isReplicated: boolean;
}

/** Inboxes whose keys share a hash tag, so that one script may use them together. */
export class Shard {
  readonly tag: string;
  readonly keys: Keys;
  readonly #route: Route;
  readonly #floor: TimeFloor;
  readonly #isReplicated: boolean;

  constructor(
    tag: string,
    route: Route,
    { floor = new TimeFloor(), isReplicated = false }: Partial<ShardOptions> = {},
  ) {
    this.tag = tag;
    this.keys = new Keys(tag);
    this.#route = route;
    this.#floor = floor;
    this.#isReplicated = isReplicated;
  }

  read(...args: readonly Argument[]): Promise<Reply> {
    return repeated(() => this.#route.command(...args), 1);
  }

  script(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    return this.#route.script(name, keys, args);
  }

  lasting(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    return repeated(() => this.#route.lastingScript(name, keys, args), REPEATS);
  }

  /** Stores a part or refuses it; safe to repeat, as it has a name. With replicas it is hidden until `show`. */
  async append(part: Part, now: number, limits: StoreLimits): Promise<StoredPart> {
    const append = () => {
      const receivedAt = this.#floor.atLeast(part.delivery.receivedAt);
      const storing = { ...limits, receivedAt, isHeldBack: this.#isReplicated };
      const { keys, args } = appending(this.keys, part, now, storing);
      return this.#route.lastingScript('append', keys, args);
    };
    try {
      const answer = String(await repeated(append, REPEATS));
      if (answer === 'rolled-back') throw new StoreAwayError('the mail arrived after it was rolled back');
      if (answer === 'inbox-full' || answer === 'store-full') return answer;
      const times = answer.split(' ').map(Number);
      for (const time of times) this.#floor.saw(time);
      return times;
    } catch (error) {
      if (isOutOfMemory(error)) return 'store-full';
      throw error;
    }
  }

  /** Resolves once enough replicas know that the part is shown, so that the next master shows it, too. */
  async show(part: Part, times: readonly number[], now: number, retentionMs: number): Promise<void> {
    const show = this.#isReplicated ? showing(this.keys, part, times, now - retentionMs) : null;
    if (show !== null) await this.lasting('show', show.keys, show.args);
  }

  /** A job that rolls back what `append` has stored of a part, or may still store. It keeps no byte of the mail. */
  rollback(part: Part, now: number, retentionMs: number, hasCome: boolean): () => Promise<void> {
    const { keys, args } = rollingBack(this.keys, part, now, retentionMs, hasCome);
    return async () => {
      await this.lasting('rollback', keys, args);
    };
  }

  async newest(inbox: string, query: ListQuery, now: number): Promise<RedisEmail[]> {
    const { after, limit = Number.POSITIVE_INFINITY } = query;
    const emails: RedisEmail[] = [];
    let { before } = query;
    while (emails.length < limit) {
      const most = Math.min(limit - emails.length, LIST_PAGE);
      const [from, to] = [before === undefined ? '+inf' : `(${before}`, after === undefined ? '-inf' : `(${after}`];
      const found = await this.#shown(inbox, from, to, most);
      for (const email of found) {
        before = email.receivedAt;
        if (now < email.expiresAt) emails.push(email);
      }
      if (found.length < most) break;
    }
    const [newest] = emails;
    if (newest !== undefined) this.#floor.saw(newest.receivedAt);
    return emails;
  }

  async at(inbox: string, receivedAt: number): Promise<RedisEmail | null> {
    const [email = null] = await this.#shown(inbox, `${receivedAt}`, `${receivedAt}`, 1);
    return email;
  }

  /** Emails between two scores, newest first. Without replicas nothing is hidden, so one command does. */
  async #shown(inbox: string, from: string, to: string, most: number): Promise<RedisEmail[]> {
    const emails = this.keys.emails(inbox);
    const rows = textsOf(
      this.#isReplicated
        ? await repeated(() => this.script('list', [emails, this.keys.shown(inbox)], [from, to, `${most}`]), 1)
        : await this.read('ZRANGE', emails, from, to, 'BYSCORE', 'REV', 'LIMIT', '0', `${most}`, 'WITHSCORES'),
    );
    return rows.flatMap((row, i) => (i % 2 === 0 ? [emailOf(inbox, row, Number(rows[i + 1]))] : []));
  }

  /** A field of an email's message; null once the email is deleted, even if others share the message. */
  async field({ message, ordinal }: RedisEmail, field: string): Promise<Buffer | null> {
    const fields = await this.read('HMGET', this.keys.message(message), `e${ordinal}`, field);
    const [isThere, bytes] = fields as [Buffer | null, Buffer | null];
    return isThere === null ? null : bytes;
  }

  async index(email: RedisEmail): Promise<Buffer | null> {
    const bytes = await this.field(email, 'i');
    return bytes && unpacked(bytes, email.indexBytes);
  }

  async chunk(email: RedisEmail, chunk: number): Promise<Uint8Array> {
    const bytes = await this.field(email, email.chunks === 0 ? 's' : `${chunk}`);
    if (bytes === null) throw new EmailGoneError();
    return email.chunks === 0 ? bytes.subarray(0, 0) : unpacked(bytes, CHUNK_BYTES);
  }

  async clear(inbox: string, now: number): Promise<void> {
    const { keys, member } = this.#clearing(inbox);
    await this.script('clear', keys, [`${now}`, member]);
  }

  async clearOne(inbox: string, receivedAt: number, now: number): Promise<boolean> {
    const { keys, member } = this.#clearing(inbox);
    return (
      (await this.script('clear-one', [...keys, this.keys.shown(inbox)], [`${now}`, `${receivedAt}`, member])) === 1
    );
  }

  #clearing(inbox: string) {
    const clearing = newName();
    const keys = [this.keys.expiryIndex, this.keys.emails(inbox), this.keys.cleared(clearing)];
    return { keys, member: clearingMember(inbox, clearing) };
  }

  async firstExpiry(): Promise<number> {
    const [, score] = textsOf(await this.read('ZRANGE', this.keys.expiryIndex, '0', '0', 'WITHSCORES'));
    return score === undefined ? Number.POSITIVE_INFINITY : Number(score);
  }

  async purge(now: number): Promise<'nothing' | 'done' | 'more'> {
    const next = await nextExpired((...args) => this.read(...args), this.keys, now);
    if (next === null) return 'nothing';
    const { keys, args } = purging(this.keys, next, now, GRACE_MS);
    return (await this.script('purge', keys, args)) === 1 ? 'more' : 'done';
  }

  async tally(): Promise<Usage> {
    const tally = (await this.read('HMGET', this.keys.tally, 'bytes', 'emails')) as (Buffer | null)[];
    const [bytes = 0, emails = 0] = tally.map(Number);
    return { bytes, emails };
  }
}

/** Repeats a job whose connection was lost before the answer came. */
async function repeated(job: () => Promise<Reply>, repeats: number): Promise<Reply> {
  for (let times = 0; ; times += 1) {
    try {
      return await job();
    } catch (error) {
      if (!(error instanceof ConnectionLost) || times === repeats) throw error;
    }
  }
}

/** The results of jobs that succeed, as shards of a cluster may be away for a while. Rejects if all fail. */
export async function settledWhereSome<T>(jobs: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(jobs);
  const done = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first] = settled;
  if (done.length === 0 && first?.status === 'rejected') throw first.reason;
  return done;
}

/** How far ahead of the time an observed `receivedAt` still counts: a wrong clock must not carry others along. */
const MOST_AHEAD_MS = 5_000;

/**
 * The least `receivedAt` that a node gives. A server that comes back, or its replacement, may lack what was shown last,
 * and mail on its way came before that. So mail stored over a remade connection comes later than all that this node has
 * seen, and than that moment.
 */
export class TimeFloor {
  readonly #monotonic: () => number;
  #now = Number.NEGATIVE_INFINITY;
  #toldAt = 0;
  #latest = Number.NEGATIVE_INFINITY;
  #floor = Number.NEGATIVE_INFINITY;

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  told(now: number): void {
    [this.#now, this.#toldAt] = [now, this.#monotonic()];
  }

  saw(receivedAt: number): void {
    if (receivedAt > this.#latest) this.#latest = receivedAt;
  }

  connectedAnew(): void {
    const now = Math.ceil(this.#now + this.#monotonic() - this.#toldAt);
    this.#floor = Math.max(this.#floor, now, Math.min(this.#latest + 1, now + MOST_AHEAD_MS));
  }

  /** The `receivedAt` of mail that came at `receivedAt` and is stored now, unless its inbox has a later one. */
  atLeast(receivedAt: number): number {
    return Math.max(receivedAt, this.#floor);
  }
}
