/** The longest charset label that is looked at. */
const MAX_LABEL_CHARS = 40;

/** Names of US-ASCII, without their punctuation. WHATWG takes ASCII for windows-1252; those who send it mean UTF-8 as often. */
const ASCII_LABELS: ReadonlySet<string> = new Set([
  '646',
  'ansix341968',
  'ansix341986',
  'ascii',
  'cp367',
  'csascii',
  'ibm367',
  'iso646irv1991',
  'iso646us',
  'isoir6',
  'us',
  'usascii',
]);

/** Labels in mail that the WHATWG Encoding Standard lacks, without their punctuation, and the encoding that is meant. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['big5hkscs', 'big5'],
  ['euccn', 'gbk'],
  ['eucjp', 'euc-jp'],
  ['eucjpms', 'euc-jp'],
  ['euckr', 'euc-kr'],
  ['gb18030', 'gb18030'],
  ['iso2022jp', 'iso-2022-jp'],
  ['iso2022jp1', 'iso-2022-jp'],
  ['iso2022jp2', 'iso-2022-jp'],
  ['iso2022jp3', 'iso-2022-jp'],
  ['iso2022jpms', 'iso-2022-jp'],
  ['isolatin1', 'windows-1252'],
  ['jis', 'iso-2022-jp'],
  ['latin9', 'iso-8859-15'],
  ['shiftjis', 'shift_jis'],
  ['uhc', 'euc-kr'],
  ['utf8', 'utf-8'],
  ['utf8mb4', 'utf-8'],
]);

/** Microsoft's code pages by number. */
const CODE_PAGES: ReadonlyMap<string, string> = new Map([
  ['874', 'windows-874'],
  ['932', 'shift_jis'],
  ['936', 'gbk'],
  ['949', 'euc-kr'],
  ['950', 'big5'],
  ['1250', 'windows-1250'],
  ['1251', 'windows-1251'],
  ['1252', 'windows-1252'],
  ['1253', 'windows-1253'],
  ['1254', 'windows-1254'],
  ['1255', 'windows-1255'],
  ['1256', 'windows-1256'],
  ['1257', 'windows-1257'],
  ['1258', 'windows-1258'],
  ['20866', 'koi8-r'],
  ['21866', 'koi8-u'],
  ['50220', 'iso-2022-jp'],
  ['50221', 'iso-2022-jp'],
  ['50222', 'iso-2022-jp'],
  ['51932', 'euc-jp'],
  ['54936', 'gb18030'],
  ['65001', 'utf-8'],
]);

/**
 * The encoding that a charset label of a mail means, under its name in the WHATWG Encoding Standard; null when there is
 * no label or none that we can decode. US-ASCII is a part of UTF-8 and given as that.
 */
export function encodingOf(label: string | null): string | null {
  if (label === null || label.length > MAX_LABEL_CHARS) return null;
  const cleaned = label.toLowerCase().replace(/["'\s]/g, '');
  const bare = cleaned.replace(/^x-/, '').replace(/[^a-z0-9]/g, '');
  if (ASCII_LABELS.has(bare)) return 'utf-8';
  return standardName(cleaned) ?? standardName(ALIASES.get(bare) ?? byNumber(bare));
}

/** Reads `8859-1`, `iso8859_15`, `cp1252`, `win-1251`, `x-windows-949`, `ms932` and the like. */
function byNumber(bare: string): string | null {
  const iso = /^(?:iso)?8859(\d\d?)[ei]?$/.exec(bare);
  if (iso !== null) return `iso-8859-${iso[1]}`;
  const page = /^(?:cp|windows|win|ms|ibm)(\d+)$/.exec(bare)?.[1];
  return (page !== undefined && CODE_PAGES.get(page)) || null;
}

function standardName(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
