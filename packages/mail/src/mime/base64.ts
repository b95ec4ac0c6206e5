/** In `SEXTETS`, the value of `=`, and the value of characters that are not base64. */
const PADDING = 64;
const JUNK = 65;

/** The six bits of each base64 character (RFC 4648 section 4). */
const SEXTETS = new Uint8Array(256).fill(JUNK);
for (const [sextet, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='].entries()) {
  SEXTETS[char.charCodeAt(0)] = sextet;
}

/** Decodes until `decoded` is full; returns the number of bytes written. Padding may be missing or in the middle. */
export function decodeBase64(content: Uint8Array, decoded: Uint8Array): number {
  return new Base64Decoder().decode(content, decoded);
}

/** Decodes content that arrives in portions, which may be split anywhere. */
export class Base64Decoder {
  #bits = 0;
  #bitCount = 0;

  /** `decoded` must have room for the decoded portion. Returns the number of bytes. */
  decode(content: Uint8Array, decoded: Uint8Array): number {
    let length = 0;
    let bits = this.#bits;
    let bitCount = this.#bitCount;
    for (let index = 0; index < content.length && length < decoded.length; index++) {
      const sextet = SEXTETS[content[index] as number] as number;
      if (sextet < PADDING) {
        bits = ((bits << 6) | sextet) & 0xffffff;
        bitCount += 6;
        if (bitCount >= 8) {
          bitCount -= 8;
          decoded[length++] = bits >> bitCount;
        }
      } else if (sextet === PADDING) {
        bitCount = 0;
      }
    }
    this.#bits = bits;
    this.#bitCount = bitCount;
    return length;
  }
}
