import { type ByteString, octetOf, trimBlanks } from './byte-string.js';
import { FieldScanner } from './field-scanner.js';
import type { HeaderFields } from './header-fields.js';

/** A field such as `text/plain; charset=utf-8`: a token and parameters (RFC 2045 section 5.1). */
export interface StructuredField {
  /** The leading token in lower case; `""` if missing. */
  readonly token: string;
  /** Raw parameters by name in lower case; the name includes suffixes of RFC 2231. Read them with `parameter`. */
  readonly parameters: ReadonlyMap<string, ByteString>;
}

const ABSENT: StructuredField = { token: '', parameters: new Map() };

/** Tolerates comments, unclosed quotes, any case, and missing or doubled semicolons. */
export function parseStructuredField(value: ByteString): StructuredField {
  if (value === '') return ABSENT;
  const scanner = new FieldScanner(value);
  scanner.skipBlanks();
  const token = readValue(scanner, ';(').toLowerCase();
  const parameters = new Map<string, ByteString>();
  while (skipSeparators(scanner)) {
    const name = scanner.token('=;').toLowerCase();
    scanner.skipBlanks();
    if (scanner.next !== '=') continue;
    scanner.position++;
    scanner.skipBlanks();
    const text = readValue(scanner, ';');
    // If a parameter is repeated, the first one counts, as with header fields.
    if (!parameters.has(name)) parameters.set(name, text);
  }
  return { token, parameters };
}

/**
 * A parameter's value with its sections joined and percent-encoding decoded (RFC 2231 sections 3 and 4), or null.
 * Ignores a charset, because the parameters that are read with this function are ASCII.
 */
export function parameter(field: StructuredField, name: string): ByteString | null {
  const plain = field.parameters.get(name);
  if (plain !== undefined || field.parameters.size === 0) return plain ?? null;
  const extended = field.parameters.get(`${name}*`);
  if (extended !== undefined) return percentDecoded(withoutCharset(extended));
  return joinedSections(field, name);
}

/** A parameter's text. The charset is null if the value declares none. */
export interface TextParameter {
  readonly bytes: ByteString;
  readonly charset: string | null;
}

/** A parameter's value in any charset, or null. The syntax of RFC 2231 takes precedence over a plain value. */
export function textParameter(field: StructuredField, name: string): TextParameter | null {
  const whole = field.parameters.get(`${name}*`);
  const extended = whole ?? field.parameters.get(`${name}*0*`);
  if (extended !== undefined) {
    const bytes = whole === undefined ? joinedSections(field, name) : percentDecoded(withoutCharset(whole));
    return { bytes: bytes ?? '', charset: charsetOf(extended) };
  }
  const bytes = joinedSections(field, name) ?? field.parameters.get(name);
  return bytes === undefined ? null : { bytes, charset: null };
}

function joinedSections(field: StructuredField, name: string): ByteString | null {
  const sections: ByteString[] = [];
  for (;;) {
    const index = sections.length;
    const plain = field.parameters.get(`${name}*${index}`);
    const extended = field.parameters.get(`${name}*${index}*`);
    if (plain !== undefined) sections.push(plain);
    else if (extended !== undefined) sections.push(percentDecoded(index === 0 ? withoutCharset(extended) : extended));
    else return index === 0 ? null : sections.join('');
  }
}

/** Removes the `charset'language'` before an extended value. */
function withoutCharset(extended: ByteString): ByteString {
  const language = extended.indexOf("'");
  const text = language === -1 ? -1 : extended.indexOf("'", language + 1);
  return extended.slice(text + 1);
}

/** The charset that an extended value names, or null. */
function charsetOf(extended: ByteString): string | null {
  const end = extended.indexOf("'");
  return end > 0 ? extended.slice(0, end) : null;
}

/** Decodes percent-encoding, and leaves everything else unchanged. */
export function percentDecoded(text: ByteString): ByteString {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => octetOf(hex));
}

function skipSeparators(scanner: FieldScanner): boolean {
  while (scanner.skipBlanks() || scanner.next === ';') {
    if (scanner.next === ';') scanner.position++;
  }
  return !scanner.done;
}

function readValue(scanner: FieldScanner, stops: string): ByteString {
  const quoted = scanner.quotedString();
  if (quoted !== null) return quoted.slice(1, -1).replace(/\\(.)/gs, '$1');
  // Drops a quote that is never closed, so that a boundary after it can be read.
  return scanner.token(stops).replace(/^"/, '');
}

export interface ContentHeader {
  /** `type/subtype` in lower case. */
  readonly mediaType: string;
  readonly type: StructuredField;
  /** Content-Transfer-Encoding in lower case, by its standard name if known; `""` if missing. */
  readonly transferEncoding: string;
  readonly disposition: StructuredField;
  readonly isInline: boolean;
  /** Content-ID without angle brackets; null if missing. */
  readonly contentId: ByteString | null;
}

export function readContentHeader(fields: HeaderFields, container: string | undefined): ContentHeader {
  const type = parseStructuredField(fields.get('content-type') ?? '');
  const disposition = parseStructuredField(fields.get('content-disposition') ?? '');
  return {
    mediaType: isMediaType(type.token) ? type.token : defaultMediaType(container),
    type,
    transferEncoding: transferEncodingOf(fields.get('content-transfer-encoding') ?? ''),
    disposition,
    // An unknown disposition means attachment (RFC 2183 section 2.8).
    isInline: disposition.token === '' || disposition.token === 'inline',
    contentId: withoutBrackets(fields.get('content-id') ?? '') || null,
  };
}

const TRANSFER_ENCODINGS = ['7bit', '8bit', 'binary', 'base64', 'quoted-printable', 'x-uuencode', 'x-uue', 'uuencode'];

/** Keyed by the letters and digits of each name, because some senders write `quoted printable` or `base-64`. */
const BY_PLAIN_NAME: ReadonlyMap<string, string> = new Map(TRANSFER_ENCODINGS.map((name) => [plainName(name), name]));

function transferEncodingOf(value: ByteString): string {
  const { token } = parseStructuredField(value);
  if (TRANSFER_ENCODINGS.includes(token)) return token;
  const [written] = value.replace(/\([^()]*\)/g, ' ').split(';', 1) as [string];
  return BY_PLAIN_NAME.get(plainName(written)) ?? token;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

function withoutBrackets(id: ByteString): ByteString {
  return trimBlanks(id.startsWith('<') && id.endsWith('>') ? id.slice(1, -1) : id);
}

/** The type if none is declared: plain text (RFC 2045 section 5.2), in a digest a message (RFC 2046 section 5.1.5). */
function defaultMediaType(container: string | undefined): string {
  return container === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
}

function isMediaType(token: string): boolean {
  return /^[^/]+\/[^/]+$/.test(token);
}
