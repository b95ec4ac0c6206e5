import { StoreAwayError } from '../store.js';

/** What a command of Redis is made of. */
export type Argument = string | Buffer;

/** What Redis answers: bytes for texts, and nothing else that a store of ours asks for. */
export type Reply = null | number | string | Buffer | Reply[];

/** The texts of an answer that is a list of them. */
export function textsOf(reply: Reply): string[] {
  return (reply as Buffer[]).map(String);
}

/** The connection was lost before the answer came, or is not there. It is being made again. */
export class ConnectionLost extends StoreAwayError {}

/** There was no connection in time: what was asked was not sent. */
export class NotSent extends StoreAwayError {}

/** A server says that it cannot do that now, and has not done it: it is loading its data, say, or a slot is on its way to another. */
export class NotNow extends StoreAwayError {}
