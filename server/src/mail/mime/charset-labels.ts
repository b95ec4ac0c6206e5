import { CHARSET_LABELS } from '../words/words.js';

/** A longer label means nothing. */
const MAX_LABEL_CHARS = 40;

/** The WHATWG Encoding Standard's name of the encoding that a label means; null for one that we cannot decode. US-ASCII is UTF-8. */
export function encodingOf(label: string | null): string | null {
  if (label === null || label.length > MAX_LABEL_CHARS) return null;
  const cleaned = label.toLowerCase().replace(/["'\s]/g, '');
  const bare = cleaned.replace(/^x-/, '').replace(/[^a-z0-9]/g, '');
  return standardName(CHARSET_LABELS.get(bare) ?? cleaned) ?? standardName(byNumber(bare));
}

/** Whether a label means UTF-7, which browsers refuse and no decoder of the platform knows. */
export function isUtf7(label: string | null): boolean {
  return label !== null && /^\s*["']?(?:x-)?(?:unicode-1-1-|csunicode11)?utf-?7["']?\s*$/i.test(label);
}

/** Reads `8859-1`, `iso8859_15`, `cp1252`, `win-1251`, `x-windows-949`, `ms932` and the like. */
function byNumber(bare: string): string | null {
  const iso = /^(?:iso)?8859(\d\d?)[ei]?$/.exec(bare);
  if (iso !== null) return `iso-8859-${iso[1]}`;
  const page = /^(?:cp|windows|win|ms|ibm)(\d+)$/.exec(bare)?.[1];
  return page === undefined ? null : (CHARSET_LABELS.get(`cp${page}`) ?? null);
}

function standardName(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
