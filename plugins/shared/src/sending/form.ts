import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { MAX_ATTACHMENTS } from './fields.js';
import { refuse } from './problem.js';

/** Maximum number of fields. No message needs more, and each uses some hundred bytes of memory. */
const MAX_FIELDS = 10_000;

/** Bytes passed to the parser at a time, so that it stops soon after an error. */
const PIECE_BYTES = 64 * 1024;

const [PLUS, SPACE] = [0x2b, 0x20] as const;

export interface FormFile {
  readonly field: string;
  readonly filename: string;
  readonly type: string;
  readonly content: Buffer;
}

export interface Form {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly FormFile[];
}

/** Parses a form. Throws `malformed` if it has too many fields. */
export function formIn(body: Buffer): URLSearchParams {
  if (hasMore(body, '&', MAX_FIELDS)) refuse('malformed', { detail: `A form may have at most ${MAX_FIELDS} fields.` });
  // Replaces `+` in the bytes, because URLSearchParams needs seconds and hundreds of megabytes for ten million of them.
  return new URLSearchParams(body.map((byte) => (byte === PLUS ? SPACE : byte)).toString());
}

export async function readForm(body: Buffer, contentType: string): Promise<Form> {
  if (!contentType.toLowerCase().startsWith('multipart/')) return { fields: [...formIn(body)], files: [] };
  try {
    return await readMultipart(body, contentType);
  } catch (error) {
    const why = (error as Error).message.replace(/\.$/, '');
    return refuse('malformed', { detail: `The form cannot be read: ${why}.` });
  }
}

/** Parses a multipart form (RFC 7578). The body is already in memory, so its size bounds that of every part. */
async function readMultipart(body: Buffer, contentType: string): Promise<Form> {
  checkParts(body, contentType);
  const fields: [string, string][] = [];
  const files: FormFile[] = [];
  const size = body.length + 1;
  const parser = new Busboy({
    headers: { 'content-type': contentType } as BusboyHeaders,
    limits: { fields: MAX_FIELDS, files: MAX_ATTACHMENTS, parts: MAX_FIELDS, fieldSize: size, fileSize: size },
  });
  const fail = (error: Error) => parser.destroy(error);
  parser.on('field', (name: string | undefined, value: string) =>
    name === undefined ? fail(new Error('A part has no name.')) : fields.push([name, value]),
  );
  parser.on('file', (field: string, stream: BusboyFileStream, filename: string, _encoding: string, type: string) => {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('error', fail);
    stream.on('end', () => files.push({ field, filename: filename ?? '', type, content: Buffer.concat(pieces) }));
  });
  const tooMany = () => fail(new Error('The form has too many fields or files.'));
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, tooMany);
  await pipeline(piecesOf(body), parser);
  return { fields, files };
}

/** Counts the boundaries before the parser makes a stream for each part. Throws if there are too many. */
function checkParts(body: Buffer, contentType: string): void {
  const [, quoted, plain] = /boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  const isTooMany = hasMore(body, `--${quoted ?? plain ?? ''}`, MAX_FIELDS + MAX_ATTACHMENTS);
  if (isTooMany) throw new Error('The form has too many fields or files.');
}

/** Whether a body has more than `most` copies of a mark. */
function hasMore(body: Buffer, mark: string, most: number): boolean {
  let count = 0;
  for (let at = body.indexOf(mark); at >= 0 && count <= most; at = body.indexOf(mark, at + mark.length)) count += 1;
  return count > most;
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}
