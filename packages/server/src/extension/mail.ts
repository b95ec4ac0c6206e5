/** The door for what extensions do in the reading threads: nothing here loads HTTP code. */

export { readPage } from '../mail/html/read-page.js';
export { readMessageHead } from '../mail/message-head.js';
export { type ByteString, bytesOf, trimBlanks } from '../mail/mime/byte-string.js';
export { decodeWords } from '../mail/mime/encoded-words.js';
export { fieldNamed, listFields } from '../mail/mime/header-list.js';
export { readSentBodies } from '../mail/mime/parse.js';
export { listParts, type MimePart } from '../mail/mime/part-list.js';
export { listMailboxes, type NamedAddress } from '../mail/mime/sender.js';
export { parameter, parseStructuredField, percentDecoded } from '../mail/mime/structured-field.js';
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
