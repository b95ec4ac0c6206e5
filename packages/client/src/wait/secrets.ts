import { base32 } from 'mayfly-protocol/private-name';
import { MayflyOptionError } from './errors.js';

/** The SHA-256 of an ASCII text. */
type Sha256 = (text: string) => Uint8Array;

interface NodeProcess {
  getBuiltinModule?(name: 'node:crypto'): {
    createHash(name: 'sha256'): { update(text: string): { digest(): Uint8Array } };
  };
}

/** More than the 130 bits that its text and the name show. */
const SECRET_BYTES = 17;

let sha256: Sha256 | undefined;

/** Gives browsers a SHA-256: theirs is asynchronous, and `createInbox` is not. */
export function useSha256(given: Sha256): void {
  sha256 = given;
}

/** A new secret of 130 random bits. */
function newSecret(): string {
  return base32(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** The name and the secret of a new private inbox. Throws as `privateNameOf` does. */
export function newPrivateName(): { readonly name: string; readonly secret: string } {
  const secret = newSecret();
  return { name: privateNameOf(secret), secret };
}

/** The name of the private inbox that a secret opens. Throws `MayflyOptionError` in a browser that lacks SHA-256. */
function privateNameOf(secret: string): string {
  const node = (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.('node:crypto');
  const digest = sha256?.(secret) ?? node?.createHash('sha256').update(secret).digest();
  if (digest) return `p-${base32(digest)}`;
  throw new MayflyOptionError('createInbox: private needs import "mayfly-client/private" in a browser.');
}
