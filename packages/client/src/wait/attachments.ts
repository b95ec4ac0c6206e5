import type { MimePart } from 'mayfly-protocol/wire';
import type { EmailAttachment } from './email.js';

type Fetched = (path: string) => Promise<readonly Uint8Array[]>;

/** The attached files among the parts of a message. `Mayfly` loads this with the first call for attachments. */
export function attachmentsOf(parts: readonly MimePart[], fetched: Fetched): EmailAttachment[] {
  return parts.filter(({ attachment }) => attachment).map((part) => attachmentOf(part, () => fetched(part.path)));
}

function attachmentOf(part: MimePart, fetched: () => Promise<readonly Uint8Array[]>): EmailAttachment {
  const { path, filename, type, size, charset } = part;
  const bytes = async () => joined(await fetched());
  const text = async () => {
    const content = await bytes();
    try {
      return new TextDecoder(charset ?? 'utf-8').decode(content);
    } catch {
      // Its sender has named an unknown charset.
      return new TextDecoder().decode(content);
    }
  };
  return { name: filename ?? `part-${path}`, type, size: size ?? 0, bytes, text };
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}
