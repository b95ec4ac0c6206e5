import { randomText } from 'mayfly-protocol/made-name';
import { base32 } from 'mayfly-protocol/private-name';
import { MayflyOptionError } from './errors.js';

/** 26 characters of 5 bits are 130 random bits. The name has 130 bits of the hash. */
const SECRET_LENGTH = 26;

let sha256: ((text: string) => Uint8Array) | undefined;

/** Sets a synchronous SHA-256, which browsers lack, because `createInbox` must return immediately. */
export function useSha256(given: typeof sha256): void {
  sha256 = given;
}

/** Generates the secret and name of a private inbox. Throws in a browser unless `useSha256` was called. */
export function newPrivateName(): { readonly name: string; readonly secret: string } {
  const secret = randomText(SECRET_LENGTH);
  const node = globalThis.process?.getBuiltinModule?.('node:crypto');
  const digest = sha256?.(secret) ?? node?.createHash('sha256').update(secret).digest();
  if (digest) return { name: `p-${base32(digest)}`, secret };
  throw new MayflyOptionError('createInbox: private needs import "mayfly-client/private" in a browser.');
}
