// Messages that are expensive to parse: each repeats a short text.
import { filled } from './sample-mails.js';

const HTML = 'Content-Type: text/html\r\n\r\n';
const TEXT = 'Content-Type: text/plain\r\n\r\n';

/** The head and the repeated text of each message. When found, each took 10 to 30 times the usual time per byte. */
const KINDS = [
  [HTML, '<a href="http://a/verify">a</a>'],
  [HTML, '<b>1234</b> '],
  [HTML, 'code<br>1234<br>'],
  [HTML, '<a href="http://a.test/verify?t=1">http://b.test/reset</a>\r\n'],
  ['Content-Type: text/html; charset=gb18030\r\n\r\n', '<b>\u0081\u00301234'],
  [TEXT, '1 2 3 4 5 6  '],
];

/** One message of each kind. */
export function hostileMails(bytes) {
  return KINDS.map(([head, unit]) => filled(head, Buffer.from(unit, 'latin1'), bytes));
}
