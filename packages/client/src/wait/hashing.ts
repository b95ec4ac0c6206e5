// Synchronous SHA-256 (FIPS 180-4), because browsers only offer an asynchronous one.
const BLOCK_BYTES = 64;

/** The first 32 bits of the fractional part (FIPS 180-4 section 4.2.2). */
const fraction = (value: number) => ((value % 1) * 2 ** 32) | 0;

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** The round constants, from the cube roots of the first 64 primes (FIPS 180-4 section 4.2.2). */
const CONSTANTS = primes(BLOCK_BYTES).map((prime) => fraction(Math.cbrt(prime)));

/** The initial hash, from the square roots of the first 8 primes (FIPS 180-4 section 5.3.3). */
const INITIAL = primes(8).map((prime) => fraction(Math.sqrt(prime)));

const turned = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

export function sha256(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 1 + 8) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  let state = INITIAL;
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) state = afterBlock(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) digest.setInt32(4 * i, word);
  return new Uint8Array(digest.buffer);
}

/** Processes one block (FIPS 180-4 section 6.2.2). */
function afterBlock(before: readonly number[], view: DataView, at: number): number[] {
  const words: number[] = [];
  let state = before as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < BLOCK_BYTES; i += 1) {
    const word = i < 16 ? view.getInt32(at + 4 * i) : nextWord(words.slice(-16));
    words.push(word);
    const [a, b, c, d, e, f, g, h] = state;
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (CONSTANTS[i] ?? 0) + word;
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority;
    state = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  return state.map((word, i) => (word + (before[i] ?? 0)) | 0);
}

function nextWord(words: readonly number[]): number {
  const [first = 0, early = 0, middle = 0, late = 0] = [words[0], words[1], words[9], words[14]];
  const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
  const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
  return (first + one + middle + two) | 0;
}
