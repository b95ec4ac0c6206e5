export class BadLetterError extends Error {
  override name = 'BadLetterError';
}

export interface Person {
  readonly name: string;
  readonly address: string;
}

/** A message as fields. No text can add another header field. */
export interface Letter {
  readonly from: Person;
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly bcc: readonly Person[];
  readonly replyTo: readonly Person[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly attachments: readonly Attachment[];
}

export interface Attachment {
  readonly content: Buffer;
  readonly filename: string;
  readonly contentType: string;
  /** Content-ID of a file that the HTML displays; otherwise empty. */
  readonly cid: string;
}

/** Maximum size of all headers, because encoding and folding take up to two microseconds per character. */
const MAX_HEADER_CHARS = 64 * 1024;

/** Composes a letter without reading any file or URL. Generates a missing Message-ID. Rejects with `BadLetterError`. */
export async function composeLetter(letter: Letter, dateMs: number, messageId?: string) {
  if (headerChars(letter) > MAX_HEADER_CHARS)
    throw new BadLetterError(`its headers have more than ${MAX_HEADER_CHARS} characters in total`);
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { bcc: _bcc, replyTo, headers, text, html, attachments, ...rest } = letter;
  const composer = new MailComposer({
    ...rest,
    ...(messageId === undefined ? {} : { messageId }),
    to: [...letter.to],
    cc: [...letter.cc],
    replyTo: [...replyTo],
    text,
    ...(html === '' ? {} : { html }),
    headers: Object.fromEntries(headers),
    attachments: attachments.map(({ content, filename, contentType, cid }) => ({
      content,
      filename: filename || false,
      ...(contentType === '' ? {} : { contentType }),
      ...(cid === '' ? {} : { cid }),
    })),
    date: new Date(dateMs),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
  });
  const message = composer.compile();
  // Called before `build`, because the first call generates the Message-ID.
  return { messageId: message.messageId(), raw: await message.build() };
}

export function addressesIn({ to, cc, bcc }: Pick<Letter, 'to' | 'cc' | 'bcc'>): readonly string[] {
  return [...to, ...cc, ...bcc].map(({ address }) => address);
}

function headerChars({ from, to, cc, replyTo, subject, headers, attachments }: Letter): number {
  const people = [from, ...to, ...cc, ...replyTo].flatMap(({ name, address }) => [name, address]);
  const files = attachments.flatMap(({ filename, contentType, cid }) => [filename, contentType, cid]);
  return [subject, ...people, ...[...headers].flat(), ...files].reduce((sum, { length }) => sum + length, 0);
}

/** The syntax of an address, with the lengths of RFC 5321 section 4.5.3.1. Recipients are checked again later. */
const ADDRESS = /^[^\s\p{Cc}<>()[\],;:"@]{1,64}@[^\s\p{Cc}<>()[\],;:"@]{1,255}$/u;

/** A header field's name (RFC 5322 section 2.2). */
const FIELD_NAME = /^[!-9;-~]{1,70}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

export function isFieldName(text: string): boolean {
  return FIELD_NAME.test(text);
}

/** Decodes base64, ignoring white space; null for anything else. */
export function bytesOfBase64(text: string): Buffer | null {
  const base64 = text.replace(/\s/g, '');
  return BASE64.test(base64) ? Buffer.from(base64, 'base64') : null;
}

export function oneLine(value: string): string {
  return value.replace(/[\r\n\0]+/g, ' ');
}
