import { type CountedWindow, type Jobs, NoRoomError, type SharedCounts } from '../../server/dist/store/seam.js';
import { isOutOfMemory } from './client.js';
import type { ScriptName } from './lua.js';
import type { Servers } from './servers.js';

/** Counts in Redis. Each count is one key with its own expiry and its own hash tag, so a cluster spreads the counts. */
export class RedisCounts implements SharedCounts {
  readonly #servers: Servers;
  readonly #jobs: Jobs;

  constructor(servers: Servers, jobs: Jobs) {
    this.#servers = servers;
    this.#jobs = jobs;
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

  giveBackName(count: string, name: string): Promise<void> {
    return this.free(count, name);
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
    // Cuts the tag as Redis does, at the first closing brace, because the count's name may contain one.
    const [tag = ''] = `limit:${count}`.split('}', 1);
    const keys = [`mayfly:{limit:${count}}`];
    try {
      // Must not run twice, because the use would then count twice.
      const run = () => this.#servers.script(tag, name, keys, args.map(String), { isRepeatable: false });
      return (await this.#jobs.run(run)) as number;
    } catch (error) {
      if (isOutOfMemory(error)) throw new NoRoomError('Redis has no memory left.', { cause: error });
      throw error;
    }
  }
}
