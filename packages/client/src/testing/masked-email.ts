import type { EmailParts } from 'mayfly-protocol/wire';
import type { EmailData } from '../wait/email.js';
import type { Pattern } from '../wait/text.js';
import { maskedAddress } from './masked-address.js';
import { maskedCode } from './masked-code.js';
import { maskedProse } from './masked-prose.js';

/** What stands for a text that the test masks. */
const OWN_MASK = '[masked]';

/** An address of the web, which may contain a mask already; one of another part; and one that is its own content. */
const ADDRESS =
  /https?:\/\/(?:\[[\da-f:.]{2,45}\])?(?:[^\s<>"'()[\]{}|\\^`]|\[masked\])+|\b(?:cid|data):[^\s<>"'()]+/gi;

/** A local part that is shorter may be a word of the email. */
const LEAST_LOCAL_PART = 6;

type MaskedFields = Pick<EmailData, 'from' | 'fromName' | 'to' | 'subject' | 'otp'>;

/** An email as text for a snapshot, with masks in place of what differs each time, `mask` included. */
export function maskedEmail(email: MaskedFields, contents: EmailParts, mask: readonly Pattern[] = []): string {
  const { from, fromName, to, subject, otp } = email;
  const { text, html, parts, codes } = contents;
  const values = [otp, codes[0]?.value].filter((code) => typeof code === 'string');
  const own = (masked: string) =>
    mask.reduce<string>((rest, one) => rest.replaceAll(everywhere(one), () => OWN_MASK), masked);
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
  const prose = (from: number, to?: number) => maskedProse(withoutInbox(text.slice(from, to), inbox));
  const shown: string[] = [];
  let at = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    shown.push(prose(at, index), maskedAddress(withoutInbox(address, inbox)));
    at = index + address.length;
  }
  return shown.join('') + prose(at);
}

/** Without the inbox's address and its local part, which applications greet with. */
function withoutInbox(text: string, inbox: string): string {
  const local = inbox.slice(0, inbox.lastIndexOf('@'));
  let masked = text;
  for (const address of [inbox, encodeURIComponent(inbox)]) masked = replaced(masked, address, '[address]');
  return local.length < LEAST_LOCAL_PART ? masked : replaced(masked, local, '[inbox]');
}

/** Replaces a text in either case. Only ASCII counts: the lower case of other letters may be longer. */
function replaced(text: string, wanted: string, mask: string): string {
  const lower = asciiLower(text);
  const sought = asciiLower(wanted);
  const shown: string[] = [];
  let at = 0;
  for (let found = lower.indexOf(sought); found >= 0; found = lower.indexOf(sought, at)) {
    shown.push(text.slice(at, found), mask);
    at = found + sought.length;
  }
  return shown.join('') + text.slice(at);
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
