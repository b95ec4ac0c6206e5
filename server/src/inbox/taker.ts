/**
 * By which way a client takes mail: a stream, one of our page (`source=browser`), a fetch, an agent's wait, or the API
 * of another mail catcher.
 */
export type WayOut = 'stream' | 'page' | 'fetch' | 'mcp' | 'drop-in';

/** Whom mail is given to. */
export interface Taker {
  readonly way: WayOut;
  /** The client's key. */
  readonly client: string;
}
