import { BASE32 } from './made-name.js';

/** Matches the hash; faults after `--` (docs/failure-simulation.md) are not part of it. */
const PRIVATE_NAME = /^p-[a-z2-7]{26}(?:--|@|$)/;

/** Whether an inbox is private: its name, in lower case, is the hash of the secret that opens it (D65). */
export function isPrivateName(inbox: string): boolean {
  return PRIVATE_NAME.test(inbox);
}

/** The first 130 bits of a hash, in base32. */
export function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return bits.slice(0, 130).replace(/.{5}/g, (digits) => BASE32[Number(`0b${digits}`)] as string);
}
