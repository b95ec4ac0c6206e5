/** What reads a charset (WHATWG Encoding section 4.2); UTF-8 where none is named, or one that nobody knows. */
export function decoderOf(charset: string | null): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset ?? undefined);
  } catch {
    return new TextDecoder();
  }
}
