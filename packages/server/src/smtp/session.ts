import { toldBy, type Visit } from '../attempts/book.js';
import { type MaybePromise, withAnswer } from '../base/maybe-promise.js';
import { recipientErrors, type SmtpError, smtpErrors } from '../errors.js';
import type { IncomingMail } from '../inbox/inboxes.js';
import type { Limiter } from '../limits/rate-limiter.js';
import { Message, type MessageContext } from './message.js';
import { type Reply, type ReplyValues, refusal, replies } from './reply.js';

/** The argument of MAIL or RCPT: the address between the angle brackets, and what follows. */
export interface Path {
  readonly address: string;
  readonly parameters: string;
}

/** Longest sender in octets (RFC 5321 section 4.5.3.1.3 counts the brackets too). */
const MAX_SENDER_BYTES = 254;

const VERBS = { mail: /^MAIL[ \t]+FROM[ \t]*:/i, rcpt: /^RCPT[ \t]+TO[ \t]*:/i };

/** A quoted part may contain what otherwise ends the address. No two alternatives begin alike: no backtracking. */
const PATH = /^<((?:"(?:[^"\\]|\\.)*"|[^"<>\s])*)>(?:[ \t]+(\S.*))?$/;

/** RFC 5321 appendix C: source routes are accepted and ignored. */
const SOURCE_ROUTE = /^@[^:]*:/;

/** Must not reach logs and Emails; the last stands for invalid UTF-8. */
const UNSAFE = /[\p{Cc}\ufffd]/u;

/** No keyword is longer. Refusals repeat it, so it may be nothing but a keyword. */
const KEYWORD = /^([a-z0-9][a-z0-9-]{0,39})(?:=(.*))?$/i;

const VALUE = /^[!-<>-~]+$/;

type ParameterRules = ReadonlyMap<string, RegExp>;

/** Values of MAIL's parameters: RFC 1870, RFC 6152, RFC 6531, RFC 4954 section 5. */
const MAIL_PARAMETERS: ParameterRules = new Map([
  ['SIZE', /^\d{1,20}$/],
  ['BODY', /^(?:7BIT|8BITMIME)$/i],
  ['SMTPUTF8', /^$/],
  ['AUTH', /^.+$/],
]);

const RCPT_PARAMETERS: ParameterRules = new Map();

/**
 * Requests to relays, which change nothing about a message that is stored at once: they are ignored with any value.
 * DSN (RFC 3461), priorities (6710), delivery deadlines (2852), tracking (3885), held mail (4865), solicitation (3865),
 * conversions (4141), owners of an address (7293), and the sender's address (4405). REQUIRETLS (8689) is not one of
 * them: a client that names it must not get a 250 from a server that does not keep the promise.
 */
const IGNORED: ReadonlySet<string> = new Set([
  ...['RET', 'ENVID', 'NOTIFY', 'ORCPT', 'MT-PRIORITY', 'BY', 'MTRK', 'HOLDFOR', 'HOLDUNTIL'],
  ...['SOLICIT', 'CONPERM', 'CONNEG', 'RRVS', 'SUBMITTER'],
]);

/** Reads `MAIL FROM:<…> …` or `RCPT TO:<…> …` (RFC 5321 section 4.1.2). Null if malformed. */
function parsePath(verb: keyof typeof VERBS, line: string): Path | null {
  const start = VERBS[verb].exec(line)?.[0].length;
  const match = start === undefined ? null : PATH.exec(line.slice(start).trim());
  if (match === null) return null;
  const [, path = '', parameters = ''] = match;
  const address = path.replace(SOURCE_ROUTE, '');
  return UNSAFE.test(address) ? null : { address, parameters };
}

function isMailbox(address: string): boolean {
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1;
}

/** Whether MAIL accepts an address: a mailbox, or the null sender (RFC 5321 section 4.5.5). */
function isSender(address: string): boolean {
  return address === '' || (isMailbox(address) && Buffer.byteLength(address) <= MAX_SENDER_BYTES);
}

interface BadParameter {
  readonly error: SmtpError;
  /** The keyword, or a word for one that cannot be repeated. */
  readonly name: string;
}

/** The parameters that count, by upper-case keyword (`''` without a value), or what is wrong with one. */
function parametersOf(text: string, rules: ParameterRules): ReadonlyMap<string, string> | BadParameter {
  const parameters = new Map<string, string>();
  for (const word of text.split(/[ \t]+/).filter(Boolean)) {
    const [, keyword = '', value] = KEYWORD.exec(word) ?? [];
    const name = keyword.toUpperCase();
    if (IGNORED.has(name)) continue;
    if (name === '') return { error: smtpErrors.badParameter, name: 'A parameter' };
    const rule = rules.get(name);
    if (rule === undefined) return { error: smtpErrors.unknownParameter, name };
    const isValue = value === undefined || VALUE.test(value);
    if (!isValue || !rule.test(value ?? '') || parameters.has(name)) return { error: smtpErrors.badParameter, name };
    parameters.set(name, value ?? '');
  }
  return parameters;
}

/** Errors of pipelining clients that go on after a refused MAIL or RCPT. */
const OUT_OF_ORDER: ReadonlySet<SmtpError> = new Set<SmtpError>([smtpErrors.mailFirst, smtpErrors.recipientFirst]);

export interface SessionContext extends MessageContext {
  /** The domain of `<postmaster>` (RFC 5321 section 4.1.1.3). */
  readonly hostname: string;
  readonly maxRecipients: number;
  readonly mailRate: Limiter;
  /** Counts the mails of a space; null without spaces. */
  readonly spaceRate: Limiter | null;
  readonly domainList: string;
}

/** The replies to MAIL, RCPT and DATA (RFC 5321 section 3.3), without a socket. */
export class Session {
  readonly #context: SessionContext;
  readonly #client: string;
  readonly #visit: Visit;
  #sender: string | null = null;
  #recipients: IncomingMail['recipients'][number][] = [];
  /** The space that the client signed in to; null outside of all. */
  space: string | null = null;
  /** Why a client that means a space is in none, so that its mail would be outside of it (D66). */
  needsSignIn: string | null = null;
  #hasRefused = false;

  constructor(context: SessionContext, client: string, visit: Visit) {
    this.#context = context;
    this.#client = client;
    this.#visit = visit;
  }

  get isOpen(): boolean {
    return this.#sender !== null;
  }

  /** Answers MAIL; with a promise if nodes share the limit. */
  mail(line: string): MaybePromise<Reply> {
    const { maxMessageBytes, mailRate } = this.#context;
    if (this.#sender !== null) return this.#refuse(smtpErrors.mailIsOpen);
    const path = parsePath('mail', line);
    if (path === null || !isSender(path.address)) {
      this.#visit.mail(null);
      return this.#refuse(smtpErrors.badSender);
    }
    this.#visit.mail(path.address);
    if (this.needsSignIn !== null) return this.#refuse(smtpErrors.signInFirst, { reason: this.needsSignIn });
    const parameters = parametersOf(path.parameters, MAIL_PARAMETERS);
    if ('error' in parameters) return this.#refuse(parameters.error, { name: parameters.name });
    if (Number(parameters.get('SIZE')) > maxMessageBytes) {
      return this.#refuse(smtpErrors.messageTooLarge, { limit: maxMessageBytes });
    }
    return withAnswer(mailRate.take(this.#client, performance.now()), (waitMs) => {
      if (waitMs > 0) return this.#refuse(smtpErrors.tooManyMails, { seconds: Math.ceil(waitMs / 1000) });
      return withAnswer(this.#spaceWaitMs(), (spaceWaitMs) => {
        if (spaceWaitMs > 0)
          return this.#refuse(smtpErrors.tooManySpaceMails, { seconds: Math.ceil(spaceWaitMs / 1000) });
        this.#sender = path.address;
        this.#hasRefused = false;
        return replies.senderAccepted;
      });
    });
  }

  #spaceWaitMs(): MaybePromise<number> {
    const { spaceRate } = this.#context;
    return this.space === null || spaceRate === null ? 0 : spaceRate.take(this.space, performance.now());
  }

  /** Answers RCPT, later only where a rehearsal counts what several processes share. */
  rcpt(line: string): MaybePromise<Reply> {
    const path = parsePath('rcpt', line);
    if (path === null) return this.#refuse(smtpErrors.badRecipient);
    const address = path.address.toLowerCase() === 'postmaster' ? `postmaster@${this.#context.hostname}` : path.address;
    if (this.#sender === null) {
      this.#visit.recipient(address, null);
      return this.#refuse(smtpErrors.mailFirst);
    }
    const parameters = parametersOf(path.parameters, RCPT_PARAMETERS);
    if ('error' in parameters) return this.#refuseRecipient(address, parameters.error, { name: parameters.name });
    if (!isMailbox(address)) return this.#refuseRecipient(address, smtpErrors.badRecipient);
    const { inbox, domainList, maxRecipients } = this.#context;
    const recipient = inbox.recipientOf(address, this.space);
    if (typeof recipient === 'string') {
      return this.#refuseRecipient(address, recipientErrors[recipient], { domains: domainList });
    }
    if (this.#recipients.length >= maxRecipients) return this.#refuseRecipient(address, smtpErrors.tooManyRecipients);
    return withAnswer(inbox.refusalOf?.(recipient, this.#sender) ?? null, (rehearsed) => {
      if (rehearsed !== null) return this.#refuseRecipient(address, rehearsed);
      this.#recipients.push(recipient);
      this.#visit.recipient(address, null);
      return replies.recipientAccepted;
    });
  }

  data(line: string): Message | Reply {
    if (line.trim().length > 'DATA'.length) return this.#refuse(smtpErrors.noArgument);
    if (this.#sender === null) return this.#refuse(smtpErrors.mailFirst);
    if (this.#recipients.length === 0) return this.#refuse(smtpErrors.recipientFirst);
    const envelope = { client: this.#client, envelopeFrom: this.#sender, recipients: this.#recipients };
    return new Message(this.#context, envelope, this.#visit.content());
  }

  reset(): void {
    this.#visit.end();
    this.#sender = null;
    this.#recipients = [];
    this.#hasRefused = false;
  }

  /** Refuses MAIL, RCPT or DATA. Consequences of an earlier refusal are not logged. */
  #refuse(error: SmtpError, values?: ReplyValues): Reply {
    this.#visit.refused(error, toldBy(error, values));
    return this.#refuseUnnoted(error, values);
  }

  /** Refuses one recipient: others may be accepted. */
  #refuseRecipient(address: string, error: SmtpError, values?: ReplyValues): Reply {
    this.#visit.recipient(address, toldBy(error, values));
    return this.#refuseUnnoted(error, values);
  }

  #refuseUnnoted(error: SmtpError, values?: ReplyValues): Reply {
    this.#context.events?.messageRefused(error);
    const isConsequence = this.#hasRefused && OUT_OF_ORDER.has(error);
    if (!isConsequence) this.#context.mailLog.refused(error, this.#client, values);
    this.#hasRefused = true;
    return refusal(error, values);
  }
}
