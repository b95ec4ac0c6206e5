import { BASE32 } from './made-name.js';

/** Matches `p-` and a hash in Base32, even if faults (docs/failure-simulation.md) or a domain follow. */
const PRIVATE_NAME = /^p-[a-z2-7]{26}(?:--|@|$)/;

/** Whether an inbox, in lower case, is private: its name is then the hash of the secret that opens the inbox (D65). */
export function isPrivateName(inbox: string): boolean {
  return PRIVATE_NAME.test(inbox);
}

/** Encodes the first 130 bits of a hash in Base32. */
export function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return bits.slice(0, 130).replace(/.{5}/g, (digits) => BASE32[Number(`0b${digits}`)] as string);
}
