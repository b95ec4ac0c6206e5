import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';

/** How long a connection may take to be made. */
export const CONNECT_MS = 5_000;

/** Pauses between attempts to connect: from the first to the longest, in milliseconds. */
const RETRY = { first: 50, longest: 1_000 };

/** Redis says that a command of ours is wrong, or cannot be done as things stand. */
export { ErrorReply as RefusedCommand };

/** Whether Redis refuses a command because it has as much as its `maxmemory` already, whatever our budget is. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof ErrorReply && /^(?:ERR )?OOM/.test(error.message);
}

/** A connection as its engine has it. */
export type Client = ReturnType<typeof newClient>;

/** A connection that is not made yet. Once it is lost, or cannot be made, it is tried again without end, unless it is not kept. */
export function newClient(url: string, { isKept = true } = {}) {
  return createClient({
    url,
    // Texts are bytes, and a subscribed connection is one of its own.
    RESP: 2,
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
    // What cannot be sent now is refused now: whoever sent the mail keeps it.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (retries) => isKept && Math.min(RETRY.first * 2 ** Math.min(retries, 10), RETRY.longest),
    },
  });
}
