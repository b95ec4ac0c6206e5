import { sha256 } from './hashing.js';
import { useSha256 } from './secrets.js';

/** Enables `createInbox({ private: true })` in a browser. Node does not need this import. */
useSha256(sha256);
