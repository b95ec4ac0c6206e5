/** What a command of Redis is made of. */
export type Argument = string | Buffer;

/** What Redis answers: bytes for texts, and nothing else that a store of ours asks for. */
export type Reply = null | number | string | Buffer | Reply[];
