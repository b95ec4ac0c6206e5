import { type ErrorValues, type SmtpError, smtpErrors } from '../errors.js';

/** Longest sender in octets (RFC 5321 section 4.5.3.1.3 counts the brackets too). */
const MAX_SENDER_BYTES = 254;

type Verb = 'mail' | 'rcpt';

const VERBS: Readonly<Record<Verb, RegExp>> = { mail: /^MAIL[ \t]+FROM[ \t]*:/i, rcpt: /^RCPT[ \t]+TO[ \t]*:/i };

/** A quoted part may contain `>` and blanks. No two alternatives begin alike, so the pattern cannot backtrack. */
const PATH = /^<((?:"(?:[^"\\]|\\.)*"|[^"<>\s])*)>(?:[ \t]+(\S.*))?$/;

/** RFC 5321 appendix C: source routes are accepted and ignored. */
const SOURCE_ROUTE = /^@[^:]*:/;

/** Characters that must not reach logs and emails; U+FFFD stands for invalid UTF-8. */
const UNSAFE = /[\p{Cc}\ufffd]/u;

/** Matches only valid keywords, because refusals quote the match. No registered keyword exceeds 40 characters. */
const KEYWORD = /^([a-z0-9][a-z0-9-]{0,39})(?:=(.*))?$/i;

const VALUE = /^[!-<>-~]+$/;

/** Values of supported parameters: RFC 1870, RFC 6152, RFC 6531, RFC 4954 section 5. RCPT has none. */
const RULES: Readonly<Record<Verb, Readonly<Record<string, RegExp>>>> = {
  mail: { SIZE: /^\d{1,20}$/, BODY: /^(?:7BIT|8BITMIME)$/i, SMTPUTF8: /^$/, AUTH: /^.+$/ },
  rcpt: {},
};

/**
 * Parameters for relays, which mean nothing to a server that stores the message immediately. They are ignored with any
 * value: DSN (RFC 3461), priorities (6710), delivery deadlines (2852), tracking (3885), held mail (4865), solicitation
 * (3865), conversions (4141), address owners (7293), and the sender's address (4405). REQUIRETLS (8689) is missing on
 * purpose: a 250 would promise something that this server does not do.
 */
const IGNORED: ReadonlySet<string> = new Set([
  ...['RET', 'ENVID', 'NOTIFY', 'ORCPT', 'MT-PRIORITY', 'BY', 'MTRK', 'HOLDFOR', 'HOLDUNTIL'],
  ...['SOLICIT', 'CONPERM', 'CONNEG', 'RRVS', 'SUBMITTER'],
]);

function isMailbox(address: string): boolean {
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1;
}

/** `address` is null if the argument is malformed. `size` is the declared SIZE, `fault` the first invalid parameter. */
interface Argument {
  readonly address: string | null;
  readonly size: number;
  readonly fault: { readonly error: SmtpError; readonly values?: ErrorValues } | null;
}

const MALFORMED: Argument = { address: null, size: 0, fault: null };

/** Reads the address between the angle brackets, and the parameters after it. */
function readArgument(verb: Verb, line: string): Argument {
  const start = VERBS[verb].exec(line)?.[0].length;
  const [match, path = '', parameters = ''] = (start && PATH.exec(line.slice(start).trim())) || [];
  const address = path.replace(SOURCE_ROUTE, '');
  if (match === undefined || UNSAFE.test(address)) return MALFORMED;
  const values = new Map<string, string>();
  const wrong = (error: SmtpError, name: string) => ({ address, size: 0, fault: { error, values: { name } } });
  for (const word of parameters.split(/[ \t]+/).filter(Boolean)) {
    const [, keyword = '', value] = KEYWORD.exec(word) ?? [];
    const name = keyword.toUpperCase();
    if (IGNORED.has(name)) continue;
    // The keyword is invalid, and the reply must not quote arbitrary text.
    if (name === '') return wrong(smtpErrors.badParameter, 'A parameter');
    const rule = RULES[verb][name];
    if (rule === undefined) return wrong(smtpErrors.unknownParameter, name);
    const isValue = value === undefined || VALUE.test(value);
    if (!isValue || !rule.test(value ?? '') || values.has(name)) return wrong(smtpErrors.badParameter, name);
    values.set(name, value ?? '');
  }
  return { address, size: Number(values.get('SIZE') ?? 0), fault: null };
}

/** Accepts a mailbox, or the null sender (RFC 5321 section 4.5.5). */
export function readMail(line: string): Argument {
  const sender = readArgument('mail', line);
  const { address } = sender;
  if (address === null || address === '') return sender;
  return isMailbox(address) && Buffer.byteLength(address) <= MAX_SENDER_BYTES ? sender : MALFORMED;
}

/** `<postmaster>` means postmaster@`hostname` (RFC 5321 section 4.1.1.3). */
export function readRcpt(line: string, hostname: string): Argument {
  const recipient = readArgument('rcpt', line);
  const { address, fault } = recipient;
  if (address?.toLowerCase() === 'postmaster') return { ...recipient, address: `postmaster@${hostname}` };
  if (address === null || fault !== null || isMailbox(address)) return recipient;
  return { ...recipient, fault: { error: smtpErrors.badRecipient } };
}
