import { BASE32 } from './made-name.js';

/** 26 characters of 5 bits: 130 bits, too many to try all. */
const LENGTH = 26;

/** What a name asks for behind `--` (docs/failure-simulation.md) does not belong to the hash. */
const PRIVATE_NAME = /^p-[a-z2-7]{26}(?:--|@|$)/;

/** Whether an inbox, in lower case, is private: only the secret whose hash its name is opens it (D65). */
export function isPrivateName(inbox: string): boolean {
  return PRIVATE_NAME.test(inbox);
}

/** The first 130 bits of a hash, in base32. */
export function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return bits.slice(0, 5 * LENGTH).replace(/.{5}/g, (digits) => BASE32[Number(`0b${digits}`)] as string);
}
