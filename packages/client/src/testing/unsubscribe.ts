import { MAX_READ_HEADER_LENGTH } from '../wait/bounds.js';
import { shownText } from '../wait/matched-email.js';

const FIELD = 'List-Unsubscribe';
const POST_FIELD = 'List-Unsubscribe-Post';

/** An https address in angle brackets (RFC 2369 section 2). */
const HTTPS = /<\s*https:\/\/[^<>\s/][^<>]*>/i;

/** The only value of the second field (RFC 8058 section 3.1). */
const ONE_CLICK = /^list-unsubscribe=one-click$/i;

/**
 * What keeps a message from one-click unsubscription by RFC 8058, as the end of a sentence; null if nothing does. An
 * unsigned message passes: it is signed on its way out.
 */
export function oneClickFault(message: string): string | null {
  const end = message.search(/(?:^|\r?\n)\r?\n/);
  const header = end === -1 ? message : message.slice(0, end);
  if (header.length > MAX_READ_HEADER_LENGTH) return 'its header is too large to be read';
  const fields = fieldsOf(header);
  return fieldFault(fields, FIELD, addressFault) ?? fieldFault(fields, POST_FIELD, postFault) ?? signatureFault(fields);
}

type Field = readonly [name: string, value: string];

/** The fields of a header, unfolded (RFC 5322 section 2.2.3), with their names in lower case. */
function fieldsOf(header: string): Field[] {
  const lines = header.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/);
  return lines.map((line) => {
    const [name = ''] = line.split(':', 1);
    return [name.trim().toLowerCase(), line.slice(name.length + 1).trim()];
  });
}

function valuesOf(fields: readonly Field[], wanted: string): string[] {
  return fields.filter(([name]) => name === wanted.toLowerCase()).map(([, value]) => value);
}

function fieldFault(fields: readonly Field[], name: string, faultOf: (value: string) => string | null): string | null {
  const [value, ...others] = valuesOf(fields, name);
  if (value === undefined) return `it has no header ${name}`;
  // RFC 2369 section 2 allows each header once.
  if (others.length > 0) return `it has ${others.length + 1} headers ${name}`;
  return faultOf(value);
}

function addressFault(value: string): string | null {
  return HTTPS.test(value) ? null : `its ${FIELD} has no https address in angle brackets: "${shownText(value)}"`;
}

function postFault(value: string): string | null {
  return ONE_CLICK.test(value) ? null : `its ${POST_FIELD} is "${shownText(value)}", not "List-Unsubscribe=One-Click"`;
}

/** One signature has to cover both headers (RFC 8058 section 4). */
function signatureFault(fields: readonly Field[]): string | null {
  const signatures = valuesOf(fields, 'DKIM-Signature').map(uncovered);
  const [least] = signatures.toSorted((one, other) => one.length - other.length);
  if (least === undefined || least.length === 0) return null;
  const which = signatures.length === 1 ? 'its DKIM-Signature does not sign' : 'none of its DKIM-Signatures signs';
  return `${which} ${least.join(' and ')} (h=)`;
}

/** Which of the two a signature leaves out (RFC 6376 section 3.5). */
function uncovered(signature: string): string[] {
  const tag = signature.split(';').find((one) => /^\s*h\s*=/.test(one)) ?? '';
  const covered = tag.slice(tag.indexOf('=') + 1).split(':');
  const names = new Set(covered.map((name) => name.trim().toLowerCase()));
  return [FIELD, POST_FIELD].filter((name) => !names.has(name.toLowerCase()));
}
