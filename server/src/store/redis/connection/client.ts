import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import { StoreAwayError } from '../../store.js';

export const CONNECT_MS = 5_000;

/** Pauses between attempts to connect: from the first to the longest, in milliseconds. */
const RETRY = { first: 50, longest: 1_000 };

/** Redis says that a command of ours is wrong, or cannot be done as things stand. */
export { ErrorReply as RefusedCommand };

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof ErrorReply && /^(?:ERR )?OOM/.test(error.message);
}

export type Client = ReturnType<typeof newClient>;

/** Ends a client for good, even while it connects: the library's `destroy` forgets such a connection and goes on making it (6.3.1). */
export function endClient(client: Client): void {
  client.on('connect', () => client.destroy());
  client.destroy();
}

/** A connection that is not made yet. Once it is lost, or cannot be made, it is tried again without end, unless it is not kept. */
export function newClient(url: string, { isKept = true, connectMs = CONNECT_MS } = {}) {
  return createClient({
    url,
    // Texts are bytes, and a subscribed connection is one of its own.
    RESP: 2,
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
    // What cannot be sent now is refused now: whoever sent the mail keeps it.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectMs,
      reconnectStrategy: (retries) => isKept && Math.min(RETRY.first * 2 ** Math.min(retries, 10), RETRY.longest),
    },
  });
}

export type Argument = string | Buffer;

/** What Redis answers: bytes for texts, and nothing else that a store of ours asks for. */
export type Reply = null | number | string | Buffer | Reply[];

export function textsOf(reply: Reply): string[] {
  return (reply as Buffer[]).map(String);
}

/** The connection was lost before the answer came, or is not there. It is being made again. */
export class ConnectionLost extends StoreAwayError {}

/** There was no connection in time: what was asked was not sent. */
export class NotSent extends StoreAwayError {}

/** A server says that it cannot do that now, and has not done it: it is loading its data, say, or a slot is on its way to another. */
export class NotNow extends StoreAwayError {}
