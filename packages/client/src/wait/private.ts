import { sha256 } from './hashing.js';
import { useSha256 } from './secrets.js';

/** Lets `createInbox({ private: true })` work in a browser. Node needs no import. */
useSha256(sha256);
