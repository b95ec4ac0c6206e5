/** The door for what extensions do in the reading threads: nothing here loads HTTP code. */

export { readPage } from 'mayfly-mail/internal/html/read-page';
export { readMessageHead } from 'mayfly-mail/internal/message-head';
export { type ByteString, bytesOf, trimBlanks } from 'mayfly-mail/internal/mime/byte-string';
export { decodeWords } from 'mayfly-mail/internal/mime/encoded-words';
export { fieldNamed, listFields } from 'mayfly-mail/internal/mime/header-list';
export { readSentBodies } from 'mayfly-mail/internal/mime/parse';
export { listParts, type MimePart } from 'mayfly-mail/internal/mime/part-list';
export { listMailboxes, type NamedAddress } from 'mayfly-mail/internal/mime/sender';
export { parameter, parseStructuredField, percentDecoded } from 'mayfly-mail/internal/mime/structured-field';
export {
  type Attachment,
  BadLetterError,
  bytesOfBase64,
  composeLetter,
  isAddress,
  isFieldName,
  type Letter,
  oneLine,
  type Person,
} from './compose-letter.js';
