/** Who is a recipient is decided later (RFC 5321 section 4.5.3.1 for the length). */
const ADDRESS = /^[^\s\p{Cc}<>()[\],;:"@]{1,64}@[^\s\p{Cc}<>()[\],;:"@]{1,255}$/u;

/** RFC 5322 section 2.2. */
const FIELD_NAME = /^[!-9;-~]{1,70}$/;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Whether a header may have the name. */
export function isFieldName(text: string): boolean {
  return FIELD_NAME.test(text);
}

/** The bytes of a text in base64, whatever white space is in it; null for anything else. */
export function bytesOfBase64(text: string): Buffer | null {
  const base64 = text.replace(/\s/g, '');
  return BASE64.test(base64) ? Buffer.from(base64, 'base64') : null;
}

/** A text that cannot begin another field. */
export function oneLine(value: string): string {
  return value.replace(/[\r\n\0]+/g, ' ');
}
