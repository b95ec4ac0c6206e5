import type { InboxResponse } from 'mayfly-client';
import { type RunningMayfly, serve } from '../service/process.js';

/** No limits, because these tests are about the store. */
const UNLIMITED = [
  ...[
    '--fetch-limit',
    'off',
    '--smtp-limit',
    'off',
    '--stream-limit',
    'off',
    '--read-limit',
    'off',
    '--name-limit',
    'off',
  ],
  ...['--max-emails', '100000', '--smtp-connections', '1000'],
];

/** Two nodes that share a store. At least one is always running. */
export class Nodes {
  readonly #settings: readonly string[];
  readonly #running: RunningMayfly[];
  #turns = 0;

  private constructor(settings: readonly string[], running: RunningMayfly[]) {
    this.#settings = settings;
    this.#running = running;
  }

  /** Starts both nodes with these settings. */
  static async start(settings: readonly string[]): Promise<Nodes> {
    const all = [...settings, ...UNLIMITED];
    return new Nodes(all, [await serve(all), await serve(all)]);
  }

  /** Returns a running node; repeated calls return all of them in turn. */
  any(): RunningMayfly {
    this.#turns += 1;
    return this.#running[this.#turns % this.#running.length] as RunningMayfly;
  }

  /** The running nodes. */
  get all(): readonly RunningMayfly[] {
    return this.#running;
  }

  /** Stops the node that has run longest, and starts another in its place. */
  async replaceOne(signal: NodeJS.Signals): Promise<void> {
    const ended = this.#running.shift();
    await ended?.end(signal);
    this.#running.push(await serve(this.#settings));
  }
}

/** Faults of nodes. */
export const NODE_FAULTS = {
  'node killed': (nodes: Nodes) => nodes.replaceOne('SIGKILL'),
  'node restarted': (nodes: Nodes) => nodes.replaceOne('SIGTERM'),
};

/** Maximum length of a log's end in an error message. */
const LOG_CHARS = 4_000;

/** Fetches the emails of an inbox received later than `after`, newest first. Rejects if the node does not answer. */
export async function fetchAfter(
  { url, log }: RunningMayfly,
  inbox: string,
  after: string | null,
  signal?: AbortSignal,
) {
  const query = after === null ? '' : `?after=${after}`;
  const answer = await fetch(`${url}/api/inbox/${inbox}${query}`, signal ? { signal } : {});
  // Adds the end of the log, because only the log has the cause.
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}\n${log().slice(-LOG_CHARS)}`);
  return ((await answer.json()) as InboxResponse).emails;
}
