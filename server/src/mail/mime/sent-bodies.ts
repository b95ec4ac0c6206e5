import { sentTexts } from './body-text.js';
import { messageBytes } from './line-ends.js';
import { isBodyText, type WalkedPart, walk } from './walk.js';

export interface SentBodies {
  readonly texts: readonly string[] | null;
  readonly htmls: readonly string[] | null;
}

/** Reads the bodies of a message with the line ends that they were sent with. Bounded and linear as `parseMessage`; never throws. */
export function readSentBodies(raw: Uint8Array): SentBodies {
  const bytes = messageBytes(raw);
  const parts: Pick<WalkedPart, 'header' | 'content'>[] = [];
  walk(bytes, (part) => {
    if (isBodyText(part.header)) parts.push({ header: part.header, content: withLastLineEnd(part, bytes) });
  });
  return { texts: sentTexts(parts, 'text/plain'), htmls: sentTexts(parts, 'text/html') };
}

/** The content of a part. The line end before a delimiter belongs to that (RFC 2046 section 5.1.1); of a message of one part it is text. */
function withLastLineEnd({ content, container }: WalkedPart, bytes: Buffer): Buffer {
  return container === undefined ? bytes.subarray(content.byteOffset - bytes.byteOffset) : content;
}
