import { CHUNK_BYTES } from '../chunks.js';
import {
  type Appended,
  EmailGoneError,
  type ListQuery,
  StoreAwayError,
  type StoreLimits,
  type Usage,
} from '../store.js';
import { isOutOfMemory } from './client.js';
import { appending, GRACE_MS, newName, type Part, takingBack } from './delivering.js';
import { forgetting, nextDue } from './forgetting.js';
import type { ScriptName } from './lua.js';
import { unpacked } from './packing.js';
import { type Argument, ConnectionLost, type Reply, textsOf } from './replies.js';
import { clearingMember, emailOf, Keys, type RedisEmail } from './rows.js';
import type { Route } from './servers.js';

/** How many emails are listed at once where no limit is given. */
const LIST_PAGE = 1_000;

/** How often what got lost on its way is repeated. */
const REPEATS = 4;

/** What is said of a part of a delivery: the `receivedAt` of each recipient, or why it is refused. */
export type StoredPart = readonly number[] | (Appended & { readonly stored: false })['reason'];

/** Inboxes whose keys share a hash tag. One script may use all of them together. */
export class Bucket {
  readonly tag: string;
  readonly keys: Keys;
  readonly #route: Route;

  constructor(tag: string, route: Route) {
    this.tag = tag;
    this.keys = new Keys(tag);
    this.#route = route;
  }

  /** Reads; again, where the answer got lost. */
  read(...args: readonly Argument[]): Promise<Reply> {
    return repeated(() => this.#route.command(...args), 1);
  }

  script(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    return this.#route.script(name, keys, args);
  }

  lasting(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    return this.#route.lastingScript(name, keys, args);
  }

  /** Stores a part, or refuses it; again, where the answer got lost: its name tells whether it was stored. */
  async append(part: Part, now: number, limits: StoreLimits): Promise<StoredPart> {
    const { keys, args } = appending(this.keys, part, now, limits);
    try {
      const answer = String(await repeated(() => this.lasting('append', keys, args), REPEATS));
      if (answer === 'taken-back') throw new StoreAwayError('the mail came after it was taken back');
      return answer === 'inbox-full' || answer === 'store-full' ? answer : answer.split(' ').map(Number);
    } catch (error) {
      if (isOutOfMemory(error)) return 'store-full';
      throw error;
    }
  }

  /** What takes back what `append` has stored of a part, or might still store. It keeps no byte of the mail. */
  takingBack(part: Part, now: number, retentionMs: number, hasCome: boolean): () => Promise<void> {
    const { keys, args } = takingBack(this.keys, part, now, retentionMs, hasCome);
    return async () => {
      await repeated(() => this.lasting('take-back', keys, args), REPEATS);
    };
  }

  /** What an inbox shows, newest first. */
  async newest(inbox: string, query: ListQuery, now: number): Promise<RedisEmail[]> {
    const { after, limit = Number.POSITIVE_INFINITY } = query;
    const emails: RedisEmail[] = [];
    let { before } = query;
    while (emails.length < limit) {
      const most = Math.min(limit - emails.length, LIST_PAGE);
      const [from, to] = [before === undefined ? '+inf' : `(${before}`, after === undefined ? '-inf' : `(${after}`];
      const range = [from, to, 'BYSCORE', 'REV', 'LIMIT', '0', `${most}`, 'WITHSCORES'];
      const found = textsOf(await this.read('ZRANGE', this.keys.emails(inbox), ...range));
      for (let i = 0; i < found.length; i += 2) {
        const email = emailOf(inbox, found[i] ?? '', Number(found[i + 1]));
        before = email.receivedAt;
        if (now < email.expiresAt) emails.push(email);
      }
      if (found.length < 2 * most) break;
    }
    return emails;
  }

  /** A field of an email's message; null once the email is deleted, whoever else has the message. */
  async field({ message, ordinal }: RedisEmail, field: string): Promise<Buffer | null> {
    const fields = await this.read('HMGET', this.keys.message(message), `e${ordinal}`, field);
    const [isThere, bytes] = fields as [Buffer | null, Buffer | null];
    return isThere === null ? null : bytes;
  }

  /** An email's index; null once it is deleted. */
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
    return (await this.script('clear-one', keys, [`${now}`, `${receivedAt}`, member])) === 1;
  }

  #clearing(inbox: string) {
    const clearing = newName();
    const keys = [this.keys.due, this.keys.emails(inbox), this.keys.cleared(clearing)];
    return { keys, member: clearingMember(inbox, clearing) };
  }

  /** When the first of what is due at `now` was; null where nothing is. */
  async firstDue(now: number): Promise<number | null> {
    const range = ['-inf', `${now}`, 'BYSCORE', 'LIMIT', '0', '1', 'WITHSCORES'];
    const [, score] = textsOf(await this.read('ZRANGE', this.keys.due, ...range));
    return score === undefined ? null : Number(score);
  }

  /** Forgets some of what was cleared or had expired at `now`. */
  async forget(now: number): Promise<'nothing' | 'done' | 'more'> {
    const next = await nextDue((...args) => this.read(...args), this.keys, now);
    if (next === null) return 'nothing';
    const { keys, args } = forgetting(this.keys, next, now, GRACE_MS);
    return (await this.script('forget', keys, args)) === 1 ? 'more' : 'done';
  }

  /** How much it holds. */
  async tally(): Promise<Usage> {
    const tally = (await this.read('HMGET', this.keys.tally, 'bytes', 'emails')) as (Buffer | null)[];
    const [bytes = 0, emails = 0] = tally.map(Number);
    return { bytes, emails };
  }
}

/** Does something again where the connection was lost before the answer came. */
async function repeated(job: () => Promise<Reply>, repeats: number): Promise<Reply> {
  for (let times = 0; ; times += 1) {
    try {
      return await job();
    } catch (error) {
      if (!(error instanceof ConnectionLost) || times === repeats) throw error;
    }
  }
}

/** What becomes of those that can be done, as buckets of a cluster may be away for a while. Rejects where none can. */
export async function settledWhereSome<T>(jobs: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(jobs);
  const done = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first] = settled;
  if (done.length === 0 && first?.status === 'rejected') throw first.reason;
  return done;
}
