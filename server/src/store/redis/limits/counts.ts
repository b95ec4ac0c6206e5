import { type CountedWindow, NoRoomError, type SharedCounts } from '../../../limits/shared-counts.js';
import { StoreAwayError } from '../../store.js';
import type { Reply } from '../connection/client.js';
import { isOutOfMemory, RefusedCommand } from '../connection/client.js';
import type { ScriptName } from '../lua.js';

type Run = (tag: string, name: ScriptName, keys: readonly string[], args: readonly string[]) => Promise<Reply>;

/** Counts in Redis. Each is one key with its own hash tag, so that a cluster spreads them; Redis deletes it in time. */
export class RedisCounts implements SharedCounts {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  use(count: string, { count: most, windowMs, batchSize }: CountedWindow): Promise<number> {
    return this.#answer('limit-use', count, [most, windowMs, batchSize]);
  }

  wait(count: string, { count: most, windowMs }: CountedWindow): Promise<number> {
    return this.#answer('limit-wait', count, [most, windowMs]);
  }

  useName(count: string, name: string, { count: most, windowMs }: CountedWindow): Promise<number> {
    return this.#answer('limit-use-name', count, [name, most, windowMs]);
  }

  async giveBackName(count: string, name: string): Promise<void> {
    await this.#answer('limit-release', count, [name]);
  }

  async hold(count: string, holder: string, most: number, leaseMs: number): Promise<boolean> {
    return (await this.#answer('limit-hold', count, [holder, most, leaseMs])) === 1;
  }

  async renew(count: string, holders: readonly string[], leaseMs: number): Promise<void> {
    await this.#answer('limit-renew', count, [leaseMs, ...holders]);
  }

  async free(count: string, holder: string): Promise<void> {
    await this.#answer('limit-release', count, [holder]);
  }

  async #answer(name: ScriptName, count: string, args: readonly (string | number)[]): Promise<number> {
    try {
      // A tag ends at the first brace.
      const [tag = ''] = `limit:${count}`.split('}', 1);
      return (await this.#run(tag, name, [`mayfly:{limit:${count}}`], args.map(String))) as number;
    } catch (error) {
      if (isOutOfMemory(error)) throw new NoRoomError('Redis has no memory left.', { cause: error });
      throw error instanceof RefusedCommand ? new StoreAwayError(error.message, { cause: error }) : error;
    }
  }
}
