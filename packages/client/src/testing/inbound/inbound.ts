import type { EmailData } from '../../wait/email.js';
import { MayflyOptionError } from '../../wait/errors.js';
import { aFlag, aFunction, aText, checkOptions, rule } from '../../wait/settings.js';
import { shown } from '../../wait/text.js';
import { type Field, fieldsOf, headerOf, MAX_READ_HEADER_LENGTH, valuesOf } from '../faults.js';
import { bytesOf, checkEmail, READER, type WebhookEmail } from '../webhook-event.js';
import {
  FAULT_RULES,
  type PostingOptions,
  postingOf,
  postWith,
  type WebhookAnswer,
  type WebhookFaults,
} from '../webhook-posting.js';
import { domainOf, INBOUND, type InboundMail, type InboundResendEmail } from './inbound-writers.js';
import { addressField, encoded, type Person, personIn, rawMessage, shownPerson } from './mime.js';

export type { InboundResendEmail };
export type InboundProviderName = keyof typeof INBOUND;

export interface InboundOptions extends PostingOptions<InboundProviderName> {
  /** Posts the message as it arrived: "raw" of SendGrid and Postmark. Mailgun does for a url that ends in `mime`. */
  readonly raw?: boolean | undefined;
  /** Called before each post of Resend, with the email that the application will fetch. */
  readonly onReceived?: ((email: InboundResendEmail) => void) | undefined;
}

export interface InboundAttachment {
  readonly filename: string;
  readonly content: string | Uint8Array;
  /** `application/octet-stream` by default. */
  readonly contentType?: string | undefined;
  /** The Content-ID of an inline file, to which the HTML refers as `cid:…`. */
  readonly cid?: string | undefined;
}

export interface InboundReply {
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly attachments?: readonly InboundAttachment[] | undefined;
  /** Further headers of the message. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The sender, such as `Ann <ann@example.test>`; for a reply, the recipient of the email by default. */
  readonly from?: string | undefined;
  /** The recipients; for a reply, Reply-To or the sender of the email by default. */
  readonly to?: string | readonly string[] | undefined;
  readonly cc?: string | readonly string[] | undefined;
  readonly subject?: string | undefined;
  /** Whether a reply quotes the email, as most email clients do; true by default. */
  readonly quote?: boolean | undefined;
}

export interface InboundMessage extends Omit<InboundReply, 'quote'> {
  readonly from: string;
  readonly to: string | readonly string[];
  readonly replyTo?: string | undefined;
}

export interface InboundFaults extends WebhookFaults {
  /** The points of the provider's spam filter; 0.1 by default. From 5, the email is marked as spam. */
  readonly spamScore?: number | undefined;
}

/** The fields of an email that a reply needs. Without `body`, the reply quotes nothing. */
export interface InboundEmail extends Omit<WebhookEmail, 'magicLink'>, Partial<Pick<EmailData, 'body'>> {}

export type InboundAnswer = WebhookAnswer<string | Uint8Array>;

/** Posts emails to an application, as a provider that receives its mail. */
export interface Inbound {
  send(message: InboundMessage, faults?: InboundFaults): Promise<InboundAnswer>;
  /** Answers an email of the application, in its thread. */
  reply(email: InboundEmail, message: InboundReply, faults?: InboundFaults): Promise<InboundAnswer>;
}

/** Maximum size of all attachments of an email; no provider takes more than 35 MB. */
const MAX_FILES_BYTES = 32 * 2 ** 20;
const MAX_FILES = 1_000;
/** Maximum size of text and HTML together. A form of Mailgun may need twelve times as many characters. */
const MAX_TEXT_BYTES = 8 * 2 ** 20;
/** Maximum length of all addresses, header values and file names together. */
const MAX_HEADER_LENGTH = 2 ** 16;
const MAX_PEOPLE = 100;

const isLine = (value: unknown): value is string =>
  typeof value === 'string' && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value);
const isPerson = (value: unknown) => typeof value === 'string' && personIn(value) !== null;
const isFile = (value: unknown) => {
  const { filename, content, contentType = 'a/b', cid = 'a' } = Object(value) as InboundAttachment;
  // Not instanceof, because jsdom has its own class.
  const isBytes = Object.prototype.toString.call(content) === '[object Uint8Array]';
  const isContent = typeof content === 'string' || isBytes;
  const isType = isLine(contentType) && /^[\w.+-]+\/[\w.+-]+(?:;.*)?$/.test(contentType);
  return isLine(filename) && isContent && isType && isLine(cid) && !/[<>\s]/.test(cid);
};

const aLine = rule('a string without line breaks and control characters', isLine);
const aPerson = rule('an address such as ann@example.test or Ann <ann@example.test>', isPerson);
const somePeople = rule(`an address such as Ann <ann@example.test>, or an array of 1 to ${MAX_PEOPLE}`, (value) => {
  const all = [value].flat();
  return all.length > 0 && all.length <= MAX_PEOPLE && all.every(isPerson);
});
const files = rule(
  `an array of { filename, content }, at most ${MAX_FILES}: a name in one line, and a string or Uint8Array`,
  (value) => Array.isArray(value) && value.length <= MAX_FILES && value.every(isFile),
);
const aHeader = rule('an object of header names and values without line breaks', (value) => {
  const isField = ([name, text]: [string, unknown]) => /^[!-9;-~]{1,70}$/.test(name) && isLine(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.entries(value).every(isField);
});
const aNumber = rule('a number', Number.isFinite);

const REPLY_RULES = {
  ...{ text: aText, html: aText, subject: aLine, from: aPerson, to: somePeople, cc: somePeople },
  ...{ attachments: files, headers: aHeader, quote: aFlag },
};
const { quote: _, ...MESSAGE_RULES } = { ...REPLY_RULES, replyTo: aPerson };

/** Posts emails to an application's inbound webhook, from the test process. */
export function inbound(options: InboundOptions): Inbound {
  const posting = postingOf('inbound()', options, Object.keys(INBOUND), { raw: aFlag, onReceived: aFunction });
  const { as, secret, raw, onReceived } = options;
  if (raw !== undefined && as !== 'sendgrid' && as !== 'postmark') {
    throw new MayflyOptionError('inbound(): raw is for sendgrid and postmark. Mailgun is raw if the url ends in mime.');
  }
  if (onReceived !== undefined && as !== 'resend') throw new MayflyOptionError('inbound(): onReceived is for resend.');
  const isRaw = as === 'mailgun' ? /mime\/?$/.test(new URL(posting.url).pathname) : raw === true;
  const write = INBOUND[as]({ secret, isRaw, onReceived });

  const post = async (call: string, message: Message, given: InboundFaults = {}): Promise<InboundAnswer> => {
    checkOptions(`${call}()`, given, { ...FAULT_RULES, spamScore: aNumber });
    const { spamScore = 0.1, ...faults } = given;
    const mail = mailOf(call, message, spamScore);
    return postWith(call, posting, faults, async () => (signing) => write(mail, signing));
  };
  return {
    async send(message, faults) {
      checkOptions('send()', message, MESSAGE_RULES);
      if (!message.from || !message.to) throw new MayflyOptionError('send() needs from and to.');
      return post('send', { ...message, thread: [], quoted: null }, faults);
    },
    async reply(email, message, faults) {
      checkEmail('reply', email as WebhookEmail);
      checkOptions('reply()', message, REPLY_RULES);
      return post('reply', answerTo(email, message), faults);
    },
  };
}

interface Message extends InboundMessage {
  /** In-Reply-To and References. */
  readonly thread: readonly Field[];
  /** The quoted email; null if this is no reply. */
  readonly quoted: { readonly text: string; readonly html: string } | null;
}

function answerTo(email: InboundEmail, { quote = true, ...message }: InboundReply): Message {
  const { id, from, to, subject, rawBody, body = '', receivedAt, fromName = '' } = email;
  const header = fieldsOf(headerOf(rawBody.slice(0, MAX_READ_HEADER_LENGTH)));
  const value = (name: string) => valuesOf(header, name).join(' ');
  // A quoted name may contain another address, and so may a name before angle brackets.
  const unquoted = value('Reply-To').replace(/"(?:[^"\\]|\\.?)*"?/g, '');
  const wanted = unquoted.split(/[,;:]/).flatMap((one) => personIn(one.replace(/^[^<]*(?=<)/, ''))?.address ?? []);
  const answered = wanted.length === 0 ? [from] : wanted.slice(0, MAX_PEOPLE);
  const messageId = `<${id.replace(/^<|>$/g, '')}>`;
  const earlier = (value('References') || value('In-Reply-To')).split(/\s/).filter((one) => /^<[^<>]+>$/.test(one));
  const sender = shownPerson({ name: fromName, address: from });
  const intro = `On ${dateOf(new Date(receivedAt))}, ${sender} wrote:`;
  const lines = body.split(/\r?\n/).map((line) => `> ${line}`);
  const escaped = (text: string) => text.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);
  return {
    ...message,
    from: message.from ?? to,
    to: message.to ?? answered,
    subject: message.subject ?? (/^re:/i.test(subject) ? subject : `Re: ${subject}`),
    thread: [
      ['In-Reply-To', messageId],
      ['References', [...earlier, messageId].join(' ')],
    ],
    quoted: {
      text: quote && body !== '' ? `\n\n${intro}\n\n${lines.join('\n')}\n` : '',
      html: quote && body !== '' ? `<br><div>${escaped(intro)}</div><blockquote>${escaped(body)}</blockquote>` : '',
    },
  };
}

/** Throws `MayflyOptionError` if a part of an email is larger than any that a provider posts. */
function checkSize(part: string, size: number, unit: string, most: number): void {
  if (size > most) throw new MayflyOptionError(`${part} have ${size} ${unit}; at most ${most} are allowed.`);
}

/** RFC 5322 section 3.3. */
const dateOf = (at: Date) => at.toUTCString().replace('GMT', '+0000');

function mailOf(call: string, message: Message, spamScore: number): InboundMail {
  const { text = null, html = null, attachments = [], headers = {}, subject = '', thread, quoted } = message;
  const names = attachments.flatMap(({ filename, contentType, cid }) => [filename, contentType, cid]);
  const lines = [message.from, message.to, message.cc, message.replyTo, subject, thread, Object.entries(headers)];
  const { length } = [...lines, names].flat(2).join('');
  checkSize(`${call}(): the addresses, headers and file names`, length, 'characters', MAX_HEADER_LENGTH);
  const people = (given: string | readonly string[] = []) =>
    [given].flat().map((one) => {
      const found = personIn(one);
      // An email of the application may have an address to which nothing can be sent.
      if (found === null) throw new MayflyOptionError(`${call}(): "${shown(one)}" is not an address.`);
      return found;
    });
  const [from = { name: '', address: '' }] = people(message.from);
  const [to, cc, replyTo] = [people(message.to), people(message.cc), people(message.replyTo)];
  const files = attachments.map(({ filename, content, contentType = 'application/octet-stream', cid = null }) => {
    return { filename, type: contentType, content: bytesOf(content), cid };
  });
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  checkSize(`${call}(): the attachments`, bytes, 'bytes', MAX_FILES_BYTES);
  const [uuid, at] = [crypto.randomUUID(), new Date()];
  const domain = domainOf(from.address);
  const messageId = `<${uuid}@${domain}>`;
  const received = `from mail.${domain} ([${READER.ip}]) by mx.example.test for <${to[0]?.address}>; ${dateOf(at)}`;
  const field = (name: string, value: string, written = encoded(value)) => [name, value, written] as const;
  const list = (name: string, all: readonly Person[]) =>
    all.length === 0 ? [] : [field(name, all.map(shownPerson).join(', '), addressField(all))];
  const header = [
    field('Received', received),
    field('Date', dateOf(at)),
    field('Message-ID', messageId),
    ...[...list('From', [from]), ...list('To', to), ...list('Cc', cc), ...list('Reply-To', replyTo)],
    field('Subject', subject),
    ...[...thread, ...Object.entries(headers)].map(([name, value]) => field(name, value)),
  ];
  const written = header.map(([name, , value]) => [name, value] as const);
  const whole = {
    text: text === null ? null : text + (quoted?.text ?? ''),
    html: html === null ? null : html + (quoted?.html ?? ''),
    files,
  };
  const textBytes = bytesOf([whole.text, whole.html].join('')).length;
  checkSize(`${call}(): the text and HTML`, textBytes, 'bytes', MAX_TEXT_BYTES);
  return {
    ...{ uuid, at, from, to, cc, replyTo, subject, messageId, spamScore, ...whole },
    fields: header.map(([name, value]) => [name, value] as const),
    own: { text, html },
    isReply: quoted !== null,
    encoded: written,
    raw: () => rawMessage(written, whole),
  };
}
