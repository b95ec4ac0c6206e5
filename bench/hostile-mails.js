// Mails that are made to be costly: each is one short text again and again.
import { filled } from './sample-mails.js';

const HTML = 'Content-Type: text/html\r\n\r\n';
const TEXT = 'Content-Type: text/plain\r\n\r\n';

/** The beginning of each kind, and the text that it repeats. */
const KINDS = {
  'three-byte lines': [TEXT, 'a\r\n'],
  'empty parts': ['Content-Type: multipart/mixed; boundary=b\r\n\r\n', '--b\r\n\r\nx\r\n'],
  'deep nesting': [nesting, 'x\r\n'],
  'open tags': [HTML, '<b><i a="'],
  digits: [TEXT, `${'12345678 '.repeat(8)}\r\n`],
  links: [HTML, '<a href="http://a.test/verify?t=1">http://b.test/reset</a>\r\n'],
  headers: ['', 'X-Header: value\r\n'],
  'control characters': [TEXT, `${'\u0001'.repeat(64)}\r\n`],
  'encoded words': ['Subject:', ' =?utf-8?q?=41=41?=\r\n'],
  base64: ['Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n', `${'PGI+'.repeat(18)}\r\n`],
  'quoted-printable': [
    'Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n',
    '=3Cb=3E=\r\n',
  ],
  'messages in messages': ['', 'Content-Type: message/rfc822\r\n\r\n'],
  'short links': [HTML, '<a href="http://a/verify">a</a>'],
  'codes in tags': [HTML, '<b>1234</b> '],
  'codes in lines of HTML': [HTML, 'code<br>1234<br>'],
  'digits apart': [TEXT, '1 2 3 4 5 6  '],
  'characters of four bytes': ['Content-Type: text/html; charset=gb18030\r\n\r\n', '<b>\u0081\u00301234'],
};

/**
 * The dearest of them for each byte, found by reading all of them: of 64 KiB each costs ten to thirty times as much as
 * an ordinary mail of that size did when it was found.
 */
export const COSTLIEST = [
  'short links',
  'codes in tags',
  'codes in lines of HTML',
  'links',
  'characters of four bytes',
  'digits apart',
];

/** A mail of this kind and size; of the largest size when none is given. */
export function hostileMail(name, bytes) {
  const [head, unit] = KINDS[name];
  return filled(typeof head === 'function' ? head(bytes) : head, Buffer.from(unit, 'latin1'), bytes);
}

/** The names of all kinds. */
export const HOSTILE_KINDS = Object.keys(KINDS);

/** How many bytes of a mail each level of the deepest nesting takes, and how many levels the largest mail has. */
const LEVEL_BYTES = 70;
const MOST_LEVELS = 50_000;

function nesting(bytes = Number.POSITIVE_INFINITY) {
  const levels = Math.min(MOST_LEVELS, Math.floor(bytes / LEVEL_BYTES));
  const parts = Array.from(
    { length: levels },
    (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
  );
  return `Content-Type: multipart/mixed; boundary=b0\r\n\r\n${parts.join('')}`;
}
