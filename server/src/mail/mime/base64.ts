/** What `SEXTETS` says of `=` and of a character that does not belong into base64. */
const PADDING = 64;
const JUNK = 65;

/** The six bits that each base64 character stands for (RFC 4648 section 4). */
const SEXTETS = new Uint8Array(256).fill(JUNK);
for (const [sextet, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='].entries()) {
  SEXTETS[char.charCodeAt(0)] = sextet;
}

/**
 * Undoes base64, up to `maxBytes` bytes of result. Characters that do not belong are passed over; padding may be missing, and
 * it may stand within, where a sender has put several encoded blocks in a row.
 */
export function decodeBase64(content: Buffer, maxBytes: number): Buffer {
  const decoded = Buffer.allocUnsafe(Math.min(maxBytes, Math.ceil((content.length * 3) / 4)));
  let length = 0;
  let bits = 0;
  let bitCount = 0;
  for (let index = 0; index < content.length && length < decoded.length; index++) {
    const sextet = SEXTETS[content[index] as number] as number;
    if (sextet === JUNK) continue;
    if (sextet === PADDING) {
      bitCount = 0;
      continue;
    }
    bits = ((bits << 6) | sextet) & 0xffffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      decoded[length++] = bits >> bitCount;
    }
  }
  return decoded.subarray(0, length);
}
