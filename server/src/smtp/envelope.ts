import { type SmtpError, smtpErrors } from '../errors.js';

/** The argument of MAIL or RCPT: the address between the angle brackets, and what follows it. */
export interface Path {
  readonly address: string;
  readonly parameters: string;
}

/** Longest address between angle brackets, in octets (RFC 5321 section 4.5.3.1.3 counts the brackets too). */
const MAX_SENDER_BYTES = 254;

const VERBS = { mail: /^MAIL[ \t]+FROM[ \t]*:/i, rcpt: /^RCPT[ \t]+TO[ \t]*:/i };

/**
 * A quoted part may hold what else would end the address. No two alternatives begin alike, so that there is nothing to
 * backtrack over.
 */
const PATH = /^<((?:"(?:[^"\\]|\\.)*"|[^"<>\s])*)>(?:[ \t]+(\S.*))?$/;

/** The source route of RFC 5321 appendix C, which is accepted and ignored. */
const SOURCE_ROUTE = /^@[^:]*:/;

/** No address holds these, and they must not come into logs and Emails. The last stands for bytes that are no UTF-8. */
const UNSAFE = /[\p{Cc}\ufffd]/u;

const PARAMETER = /^([a-z0-9][a-z0-9-]*)(?:=([!-<>-~]+))?$/i;

/** What the value of each known parameter of MAIL looks like: RFC 1870, RFC 6152, RFC 6531, RFC 4954 section 5. */
const MAIL_PARAMETERS: ReadonlyMap<string, RegExp> = new Map([
  ['SIZE', /^\d{1,20}$/],
  ['BODY', /^(?:7BIT|8BITMIME)$/i],
  ['SMTPUTF8', /^$/],
  ['AUTH', /^.+$/],
]);

/** Reads `MAIL FROM:<…> …` or `RCPT TO:<…> …` (RFC 5321 section 4.1.2). Null when it is malformed. */
export function parsePath(verb: keyof typeof VERBS, line: string): Path | null {
  const start = VERBS[verb].exec(line)?.[0].length;
  const match = start === undefined ? null : PATH.exec(line.slice(start).trim());
  if (match === null) return null;
  const [, path = '', parameters = ''] = match;
  const address = path.replace(SOURCE_ROUTE, '');
  return UNSAFE.test(address) ? null : { address, parameters };
}

export function isMailbox(address: string): boolean {
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1;
}

/** Whether MAIL takes an address: a mailbox, or nothing (the null sender, RFC 5321 section 4.5.5). */
export function isSender(address: string): boolean {
  return address === '' || (isMailbox(address) && Buffer.byteLength(address) <= MAX_SENDER_BYTES);
}

/** The parameters of MAIL by their names in upper case, those without a value with `''`, or what is wrong with them. */
export function mailParameters(text: string): ReadonlyMap<string, string> | SmtpError {
  const parameters = new Map<string, string>();
  for (const word of text.split(/[ \t]+/).filter(Boolean)) {
    const [, name = '', value = ''] = PARAMETER.exec(word) ?? [];
    const key = name.toUpperCase();
    if (key === '' || parameters.has(key)) return smtpErrors.badParameter;
    const rule = MAIL_PARAMETERS.get(key);
    if (rule === undefined) return smtpErrors.unknownParameter;
    if (!rule.test(value)) return smtpErrors.badParameter;
    parameters.set(key, value);
  }
  return parameters;
}
