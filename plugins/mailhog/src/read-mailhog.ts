import { type ByteString, bytesOf } from 'mayfly-mail/internal/mime/byte-string';
import { parameter, parseStructuredField } from 'mayfly-mail/internal/mime/structured-field';

export interface MailhogDetails {
  readonly id: string;
  readonly envelopeFrom: string;
  readonly recipients: readonly string[];
  readonly receivedAt: string;
}

/** Maximum bytes of a message in a response. One byte may take 36 bytes of JSON: six escapes such as `\u0000`. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 4;
const MAX_PARTS = 1_000;

interface Content {
  readonly Headers: Readonly<Record<string, readonly string[]>>;
  readonly Body: string;
  readonly Size: number;
  readonly MIME: { readonly Parts: readonly Content[] | null } | null;
}

/** Returns a message as MailHog does: not decoded, and with preambles. Linear time per nesting level; never throws. */
export function mailhogMessage(raw: Uint8Array, details: MailhogDetails): string {
  const { id, envelopeFrom, recipients, receivedAt } = details;
  const data = withoutLastEnd(
    Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, MAX_BYTES)).toString('latin1'),
  );
  const { MIME, ...content } = contentOf(data, 0, { parts: MAX_PARTS });
  const headers = { ...content.Headers };
  if (headerNamed(headers, 'message-id') === undefined) headers['Message-ID'] = [id];
  // A Return-Path of the message itself precedes the one from the envelope.
  const returnPath = headerNamed(headers, 'return-path') ?? 'Return-Path';
  headers[returnPath] = [...(headers[returnPath] ?? []), `<${envelopeFrom}>`];
  return JSON.stringify({
    ID: id,
    From: pathOf(envelopeFrom),
    To: recipients.map(pathOf),
    Content: { ...content, Headers: headers, MIME: null },
    Created: receivedAt,
    MIME,
    Raw: { From: envelopeFrom, To: recipients, Data: textOf(data), Helo: '' },
  });
}

/** MailHog treats a message's last line end as part of SMTP's final dot. */
function withoutLastEnd(text: ByteString): ByteString {
  return text.endsWith('\r\n') ? text.slice(0, -2) : text;
}

const textOf = (bytes: ByteString) => bytesOf(bytes).toString();

type Budget = { parts: number };

function contentOf(text: ByteString, depth: number, budget: Budget): Content {
  const [head, body] = headAndBody(text);
  const Headers = headersOf(head);
  const type = Headers['Content-Type']?.[0];
  const isMultipart = type?.startsWith('multipart/') ?? false;
  return {
    Headers,
    Body: textOf(body),
    Size: text.length,
    MIME: isMultipart && depth < MAX_DEPTH ? { Parts: partsOf(body, type ?? '', depth, budget) } : null,
  };
}

function partsOf(body: ByteString, type: string, depth: number, budget: Budget): Content[] | null {
  const boundary = parameter(parseStructuredField(type), 'boundary');
  if (!boundary) return null;
  const parts: Content[] = [];
  for (const text of body.split(`--${boundary}`, budget.parts + 1)) {
    if (text === '' || budget.parts <= 0) continue;
    budget.parts -= 1;
    parts.push(contentOf(withoutLineEnds(text), depth + 1, budget));
  }
  return parts.length === 0 ? null : parts;
}

function headAndBody(text: ByteString): [head: ByteString, body: ByteString] {
  const crlf = text.indexOf('\r\n\r\n');
  const lf = text.indexOf('\n\n');
  if (crlf < 0 && lf < 0) return ['', text];
  if (lf >= 0 && (crlf < 0 || lf < crlf)) return [text.slice(0, lf), text.slice(lf + 2)];
  return [text.slice(0, crlf), text.slice(crlf + 4)];
}

/** Parses header fields. Of fields with the same name, the last counts. Unfolds fields, but keeps all blanks. */
function headersOf(head: ByteString): Record<string, string[]> {
  const headers = new Map<string, string>();
  let last: string | null = null;
  for (const written of head.split('\n')) {
    const line = written.endsWith('\r') ? written.slice(0, -1) : written;
    const colon = line.indexOf(': ');
    if (last !== null && /^[ \t]/.test(line)) headers.set(last, headers.get(last) + line);
    else if (colon >= 0) {
      last = line.slice(0, colon);
      headers.set(last, line.slice(colon + 2));
    }
  }
  return Object.fromEntries([...headers].map(([name, value]) => [textOf(name), [textOf(value)]]));
}

function withoutLineEnds(text: ByteString): ByteString {
  let [start, end] = [0, text.length];
  while (start < end && isLineEnd(text.charCodeAt(start))) start += 1;
  while (end > start && isLineEnd(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isLineEnd = (code: number) => code === 0x0a || code === 0x0d;

function headerNamed(headers: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return Object.keys(headers).find((key) => key.toLowerCase() === name);
}

function pathOf(address: string) {
  const at = address.indexOf('@');
  const [Mailbox, Domain] = at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
  return { Relays: null, Mailbox, Domain, Params: '' };
}

export const TASKS = {
  mailhogMessage: (raw: Uint8Array, details: MailhogDetails): [item: Uint8Array] => [
    Buffer.from(mailhogMessage(raw, details)),
  ],
} as const;
