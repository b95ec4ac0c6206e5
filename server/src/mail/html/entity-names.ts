/**
 * Named character references (HTML standard, 13.5): those of HTML 4, which mail is written with, and those of HTML 5
 * that stand for ASCII punctuation. Rarer ones stay as they are written.
 */

/** Names of U+00A0 to U+00FF, in order. These also count without their semicolon. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc ' +
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc ' +
  'iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** Names of U+0391 to U+03A9 without the unassigned U+03A2; in lower case, of U+03B1 to U+03C9 without the final sigma. */
const GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega';

/** Names that also count without their semicolon, beside Latin 1. */
const OLD: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', AMP: '&', LT: '<', GT: '>', QUOT: '"' };

const OTHERS: Record<string, string> = {
  // ASCII
  Tab: '\t',
  NewLine: '\n',
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  equals: '=',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  Hat: '^',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  rcub: '}',
  rbrace: '}',
  // Spaces and marks without a width
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  hairsp: '\u200a',
  ZeroWidthSpace: '\u200b',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
  NoBreak: '\u2060',
  // Punctuation
  hyphen: '‐',
  dash: '‐',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  lsaquo: '‹',
  rsaquo: '›',
  dagger: '†',
  Dagger: '‡',
  bull: '•',
  hellip: '…',
  permil: '‰',
  prime: '′',
  Prime: '″',
  oline: '‾',
  frasl: '⁄',
  // Letters and symbols
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
  fnof: 'ƒ',
  circ: 'ˆ',
  tilde: '˜',
  sigmaf: 'ς',
  euro: '€',
  trade: '™',
  numero: '№',
  phone: '☎',
  star: '☆',
  starf: '★',
  check: '✓',
  cross: '✗',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  rArr: '⇒',
  minus: '−',
  infin: '∞',
  asymp: '≈',
  ne: '≠',
  le: '≤',
  ge: '≥',
  loz: '◊',
  spades: '♠',
  clubs: '♣',
  hearts: '♥',
  diams: '♦',
};

function latin1(): [string, string][] {
  return LATIN_1.split(' ').map((name, i) => [name, String.fromCharCode(0xa0 + i)]);
}

function greek(): [string, string][] {
  return GREEK.split(' ').flatMap((name, i) => {
    const offset = i < 17 ? i : i + 1;
    return [
      [name, String.fromCharCode(0x391 + offset)],
      [name.toLowerCase(), String.fromCharCode(0x3b1 + offset)],
    ] as [string, string][];
  });
}

/** Characters by name, for a reference with its semicolon. */
export const NAMED: ReadonlyMap<string, string> = new Map([
  ...latin1(),
  ...greek(),
  ...Object.entries(OLD),
  ...Object.entries(OTHERS),
]);

/** Those names that also count without a semicolon. */
export const UNTERMINATED: ReadonlyMap<string, string> = new Map([...latin1(), ...Object.entries(OLD)]);
