import { randomText } from 'mayfly-protocol/made-name';
import { base32 } from 'mayfly-protocol/private-name';
import { MayflyOptionError } from './errors.js';

/** 130 random bits, the same number as the name has bits of the hash. */
const SECRET_LENGTH = 26;

let sha256: ((text: string) => Uint8Array) | undefined;

/** SHA-256 for browsers, because theirs is asynchronous and `createInbox` is not. */
export function useSha256(given: typeof sha256): void {
  sha256 = given;
}

/** A new private inbox: 130 random bits, and their hash as its name. Throws in a browser that lacks SHA-256. */
export function newPrivateName(): { readonly name: string; readonly secret: string } {
  const secret = randomText(SECRET_LENGTH);
  const node = globalThis.process?.getBuiltinModule?.('node:crypto');
  const digest = sha256?.(secret) ?? node?.createHash('sha256').update(secret).digest();
  if (digest) return { name: `p-${base32(digest)}`, secret };
  throw new MayflyOptionError('createInbox: private needs import "mayfly-client/private" in a browser.');
}
