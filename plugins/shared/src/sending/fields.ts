import { isFieldName, oneLine } from '../compose-letter.js';
import { JSON_OBJECT, refuse } from './problem.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const MAX_ATTACHMENTS = 100;
const MAX_HEADERS = 100;

/** Headers that other fields of a letter set, so an application cannot set them. */
const OWN_HEADERS = ['to', 'from', 'cc', 'bcc', 'subject', 'date', 'mime-version', 'message-id'];

/** Maximum number of lists, objects and fields in one body. Each may use a hundred times the memory of its text. */
const MAX_NODES = 200_000;

const [QUOTE, BACKSLASH, COLON, LIST, OBJECT] = [0x22, 0x5c, 0x3a, 0x5b, 0x7b] as const;

/** Parses a JSON body. Throws `malformed`. */
export function jsonIn(body: Buffer): unknown {
  checkNodes(body);
  try {
    return JSON.parse(body.toString());
  } catch {
    return refuse('malformed');
  }
}

/** Parses an object in a JSON text; an empty text is an empty object. Throws `invalid` or `malformed`. */
export function objectInText(json: string, field: string): JsonObject {
  if (json === '') return {};
  checkNodes(Buffer.from(json));
  try {
    const value: unknown = JSON.parse(json);
    if (isObject(value)) return value;
  } catch {
    // Rejected below.
  }
  return refuse('invalid', { field, detail: JSON_OBJECT });
}

function checkNodes(body: Buffer): void {
  let nodes = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COLON || byte === LIST || byte === OBJECT) nodes += 1;
    if (nodes > MAX_NODES) refuse('malformed', { detail: `The body has over ${MAX_NODES} lists, objects and fields.` });
  }
}

function endOfText(body: Buffer, start: number): number {
  for (let end = body.indexOf(QUOTE, start + 1); end >= 0; end = body.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (body[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return body.length;
}

/** Returns a text field; null if missing. Throws `invalid`. */
export function textOf(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : refuse('invalid', { field, detail: 'a string' });
}

/** Returns a variable as text; objects and lists become JSON. Throws `invalid` if they are nested too deeply. */
export function variableText(value: unknown, field: string): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  try {
    return JSON.stringify(value);
  } catch {
    return refuse('invalid', { field, detail: 'nested less deeply' });
  }
}

export function listOf(value: unknown, field: string, most = Number.POSITIVE_INFINITY): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return refuse('invalid', { field, detail: 'an array' });
  return value.length <= most ? value : refuse('invalid', { field, detail: `an array of at most ${most} items` });
}

export function filesIn(value: unknown, field: string): readonly unknown[] {
  return listOf(value, field, MAX_ATTACHMENTS);
}

export function objectOf(value: unknown, field: string): JsonObject {
  if (value === undefined || value === null) return {};
  return isObject(value) ? value : refuse('invalid', { field, detail: 'an object' });
}

/** Parses a list of headers such as `{ Name: 'X-Run', Value: '1' }`. */
export function namedValues(list: unknown): (readonly [name: unknown, value: unknown])[] {
  return listOf(list, 'Headers').map((header) => {
    const { Name, Value } = objectOf(header, 'Headers');
    return [Name, Value] as const;
  });
}

/** Omits headers that other fields of a letter set, as providers do. Throws `invalid` for bad or too many headers. */
export function headersFrom(pairs: readonly (readonly [unknown, unknown])[], field: string): Map<string, string> {
  if (pairs.length > MAX_HEADERS) refuse('invalid', { field, detail: `a list of at most ${MAX_HEADERS} headers` });
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (typeof name !== 'string' || !isFieldName(name))
      refuse('invalid', { field, detail: 'headers with valid names' });
    const isOwn = OWN_HEADERS.includes(name.toLowerCase()) || name.toLowerCase().startsWith('content-');
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value, field);
    if (!isOwn && text !== null) headers.set(name, oneLine(text));
  }
  return headers;
}
