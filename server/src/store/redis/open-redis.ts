import { type Opening, type OpenMode, type Store, type StoreLimits, UnusableStoreError } from '../store.js';
import { Connection, RefusedCommand } from './connection.js';
import { RedisStore } from './redis-store.js';
import { Keys } from './rows.js';
import { Server } from './server.js';
import { Watches } from './watches.js';

/** All keys of one server have the same tag: it has one slot. */
const TAG = '0';

/** What Redis answers to a name or a password that is wrong, or that lacks a right. */
const NOT_LET_IN = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:invalid password|AUTH))/;

/**
 * Opens the store in a Redis server, by its url. Rejects with a sentence when the server lets nobody in or is none for a store. One
 * that cannot be reached is tried again without end, and `warn` is told: until then nothing can be stored or read. Where the store
 * must be there already, that rejects, too.
 */
export async function openRedisStore(
  url: string,
  limits: StoreLimits,
  mode: OpenMode,
  { warn, replicas }: Opening,
): Promise<Store> {
  const place = placeOf(url);
  const watches = new Watches({
    subscribe: (channel) => connection.subscribe(channel),
    unsubscribe: (channel) => connection.unsubscribe(channel),
  });
  let isOpening = true;
  const connection: Connection = new Connection(
    { url, replicas },
    {
      connected() {
        if (isOpening) return;
        server.inspect().catch((error) => warn(`The store on Redis at ${place} cannot be used: ${error.message}`));
      },
      heard: (channel) => watches.heard(channel),
    },
  );
  const server = new Server(connection, warn);
  try {
    await connection.open();
    await server.inspect();
  } catch (error) {
    const refusal = refusalOf(error, connection.trouble, place);
    const sentence = `Redis at ${place} cannot be reached: ${reasonOf(connection.trouble ?? error)}.`;
    if (refusal === null && mode === 'create') {
      warn(`${sentence} It is tried again until it is there.`);
    } else {
      await connection.close();
      throw refusal ?? new Error(sentence, { cause: error });
    }
  }
  isOpening = false;
  return new RedisStore({ connection, keys: new Keys(TAG), watches, server }, limits);
}

/** What an operator has to change before the server can be used; null where trying again may help. */
function refusalOf(error: unknown, trouble: unknown, place: string): UnusableStoreError | null {
  if (error instanceof UnusableStoreError) return error;
  const refused = [error, trouble].find((one) => one instanceof RefusedCommand && NOT_LET_IN.test(one.message));
  if (!(refused instanceof Error)) return null;
  return new UnusableStoreError(
    `--store: Redis at ${place} lets nobody in: ${refused.message}. Write the name and the password into the url: redis://NAME:PASSWORD@HOST.`,
    { cause: refused },
  );
}

function reasonOf(reason: unknown): string {
  return reason instanceof Error ? reason.message || String((reason as NodeJS.ErrnoException).code) : String(reason);
}

/** Where a server is, for people: the url has its password in it. Throws a sentence when there is no such place. */
function placeOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || parsed.hostname === '' || !/^\/?\d*$/.test(parsed.pathname)) {
    throw new UnusableStoreError(
      '--store: that is no address of a Redis server. Write redis://HOST:PORT or redis://HOST:PORT/DATABASE.',
    );
  }
  return parsed.host;
}
