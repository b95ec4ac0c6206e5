import type { EmailParts } from 'mayfly-protocol/wire';
import type { EmailData } from '../wait/email.js';
import type { Pattern } from '../wait/text.js';
import { maskedAddress, maskedProse } from './masked-prose.js';

/** An address of the web, which may contain a mask already; one of another part; and one that is its own content. */
const ADDRESS =
  /(https?:\/\/(?:\[[\da-f:.]{2,45}\])?(?:[^\s<>"'()[\]{}|\\^`]|\[masked\])+|\b(?:cid|data):[^\s<>"'()]+)/i;

/** A local part that is shorter may be a word of the email. */
const LEAST_LOCAL_PART = 6;

type MaskedFields = Pick<EmailData, 'from' | 'fromName' | 'to' | 'subject' | 'otp'>;

/** An email as text for a snapshot, with masks in place of what differs each time, `mask` included. */
export function maskedEmail(email: MaskedFields, contents: EmailParts, mask: readonly Pattern[] = []): string {
  const { from, fromName, to, subject, otp } = email;
  const { text, html, parts, codes } = contents;
  const values = [otp, codes[0]?.value].filter((code) => typeof code === 'string');
  const own = (masked: string) =>
    mask.reduce<string>((rest, one) => rest.replaceAll(everywhere(one), () => '[masked]'), masked);
  const masked = (whole: string) => maskedParts(values.reduce(maskedCode, own(whole)), to);

  const lines = [
    `From: ${masked(fromName === '' ? from : `${fromName} <${from}>`)}`,
    `Subject: ${masked(subject)}`,
    ...parts
      .filter(({ attachment }) => attachment)
      .map(({ filename, type }) => `Attachment: ${masked(filename ?? 'without a name')} (${type})`),
  ];
  for (const [kind, body] of [
    ['Text', text],
    ['HTML', html],
  ]) {
    if (body) lines.push('', `--- ${kind} ---`, masked(body.replace(/\r\n?/g, '\n').trimEnd()));
  }
  return lines.join('\n');
}

/** A pattern that finds every occurrence, not only the first. */
function everywhere(pattern: Pattern): Pattern {
  if (typeof pattern === 'string' || pattern.global) return pattern;
  return new RegExp(pattern, pattern.flags.concat('g'));
}

/** Addresses have rules of their own: what stands in them is rarely prose. */
function maskedParts(text: string, inbox: string): string {
  const parts = text.split(ADDRESS).map((part) => withoutInbox(part, inbox));
  // Those of the expression's group stand between the others.
  return parts.map((part, at) => (at % 2 === 0 ? maskedProse(part) : maskedAddress(part))).join('');
}

/** Without the inbox's address and its local part, which applications greet with. */
function withoutInbox(text: string, inbox: string): string {
  const local = inbox.slice(0, inbox.lastIndexOf('@'));
  const masked = replaced(replaced(text, inbox, '[address]'), encodeURIComponent(inbox), '[address]');
  return local.length < LEAST_LOCAL_PART ? masked : replaced(masked, local, '[inbox]');
}

/** Replaces a text in either case. Only ASCII counts: the lower case of other letters may be longer. */
function replaced(text: string, wanted: string, mask: string): string {
  const lower = (whole: string) => whole.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let at = 0;
  const parts = lower(text).split(lower(wanted));
  const shown = parts.map(({ length }) => {
    const part = text.slice(at, at + length);
    at += length + wanted.length;
    return part;
  });
  return shown.join(mask);
}

/** A shorter code would be found in other numbers. */
const LEAST_CODE_LENGTH = 4;

/** What may stand between the letters of a code: blanks, hyphens, tags, and the characters that no reader sees. */
const BETWEEN = /[\s\p{Cf}.-]+|<[^<>]*>|&(?:nbsp|shy|zwn?j|#\d{1,7}|#x[\da-f]{1,6});/giu;

const LETTER = /[\p{L}\p{N}]/u;

/** What continues a code. Languages without blanks write it right beside their own letters. */
const CONTINUES = /[A-Za-z\p{N}]/u;

/** A text with each letter of a code as `*`, also where it is written in groups, or in a box for each letter. */
export function maskedCode(text: string, code: string): string {
  const sought = code.replace(/[\s.-]/g, '');
  if (sought.length < LEAST_CODE_LENGTH) return text;
  return hidden(hidden(text, code, each(text)), sought, letters(text));
}

/** Places in a text, one for each letter that counts. */
type Places = readonly number[];

function each(text: string): Places {
  return Array.from({ length: text.length }, (_, at) => at);
}

/** The places of all letters but for what may stand between those of a code. */
function letters(text: string): Places {
  const marked = text.replace(BETWEEN, ({ length }) => '\0'.repeat(length));
  return each(text).filter((at) => marked[at] === text[at]);
}

/** Hides a code that stands at these places, and not within a longer word or number. */
function hidden(text: string, code: string, places: Places): string {
  const read = places.map((at) => text[at]).join('');
  const shown = text.split('');
  for (let found = read.indexOf(code); found >= 0; found = read.indexOf(code, found + code.length)) {
    const those = places.slice(found, found + code.length);
    const [first = 0, last = 0] = [those[0], those.at(-1)];
    if (CONTINUES.test(text[first - 1] ?? '') || CONTINUES.test(text[last + 1] ?? '')) continue;
    for (const at of those) if (LETTER.test(text[at] ?? '')) shown[at] = '*';
  }
  return shown.join('');
}
