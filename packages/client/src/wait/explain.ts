import { docsUrl } from 'mayfly-protocol/docs';
import { nameIn } from 'mayfly-protocol/inbox-name';
import { SECRET_LENGTH } from 'mayfly-protocol/made-name';
import type { EmailSummary } from 'mayfly-protocol/wire';
import { MAX_NAMED, MAX_SUBJECT_LENGTH, MOST_LIKELY_SECONDS } from './bounds.js';
import type { ReceivedEmail } from './email.js';
import type { MayflyError } from './errors.js';
import { describeFilter, type Findable, isLater, knownMismatches, mismatches, type Wanted } from './filter.js';
import type { LoadableEmail } from './received-email.js';
import { kindAt, linesOf, listed, plural, shown, titleOf } from './text.js';

const MAX_HINTED_LENGTH = 300;
const MAX_NUMBERED_LENGTH = 5_000;

export interface SeenEmail {
  readonly summary: EmailSummary;
  email?: LoadableEmail;
  contents?: Findable;
  isGone?: boolean;
}

export interface LastLook {
  seen?: readonly SeenEmail[];
  found: LoadableEmail[];
  domains?: readonly string[];
  /** Sentences about the delivery attempts that the service saw; empty or undefined if they explain nothing. */
  attempts?: string;
  trouble?: MayflyError;
}

export interface Asked extends Wanted {
  readonly count: number;
}

export type VainSeen = LastLook | readonly LoadableEmail[];

export type VainKind = new (message: string, data: never, options?: ErrorOptions) => MayflyError;

/** Builds the error of a wait that timed out or got too many emails. `trouble` is the last failed request. */
export function vainError(
  Kind: VainKind,
  asked: Asked,
  seen: VainSeen,
  trouble: MayflyError | undefined,
  timeoutMs = 0,
): MayflyError {
  const [message, data, cause] = 'found' in seen ? late(asked, timeoutMs, seen, trouble) : unexpected(asked, seen);
  const error = new Kind(message, data as never, cause && { cause });
  // Not enumerable, so that printing the error does not print whole messages.
  return Object.defineProperties(error, { emails: { enumerable: false }, verdict: { enumerable: false } });
}

type Vain = [message: string, data: object, cause?: MayflyError | undefined];

function late(asked: Asked, timeoutMs: number, look: LastLook, trouble: MayflyError | undefined): Vain {
  const { address, count } = asked;
  const what = kindAt(address);
  const isLikelySeconds = timeoutMs <= MOST_LIKELY_SECONDS;
  const time = isLikelySeconds ? `${timeoutMs} ms (did you mean ${timeoutMs * 1000}?)` : `${timeoutMs / 1000} s`;
  const phrased = phrase(count === 1 ? `a${what === 'email' ? 'n' : ''} ${what}` : plural(count, what), asked);
  const waited = `Waited ${time} for ${phrased}.`;
  const emails = (look.seen ?? []).slice(0, MAX_NAMED).flatMap(({ email }) => email ?? []);
  const isNothingLater = !look.seen?.some(({ summary }) => isLater(summary, asked.after));
  const all = look.seen?.map((one) => ({
    subject: titleOf(one.summary.subject, one.summary.text),
    why: verdict(asked, one, isNothingLater),
  }));
  const told = all && { asked: phrased, arrived: all.slice(0, MAX_NAMED) };
  const seen = { address, timeoutMs, emails, arrived: linesOf(emails), verdict: told };
  // A failure in such a short time proves nothing about the service.
  if (!look.seen && isLikelySeconds) return [`${waited} The wait was too short for an answer.`, seen];
  const cause = trouble ?? look.trouble;
  const meanwhile = cause ? ` Meanwhile: ${cause.message}` : '';
  if (!all) return [`${waited} The inbox ${address} could not be read in time.${meanwhile}`, seen, cause];
  const named = listed(all.map(({ subject, why }) => `'${subject}' (${why})`));
  const came = `${plural(all.length, what)} came to ${address}: ${named}.${missing(asked, look, isNothingLater)}${saw(look)}`;
  const text = all.length === 0 ? `No ${what} came to ${address}${reason(asked, look)}` : came;
  return [`${waited} ${text}${meanwhile}`, seen, cause];
}

function missing({ count }: Asked, { found, attempts }: LastLook, isNothingLater: boolean): string {
  if (attempts || (!isNothingLater && (count === 1 || found.length === 0))) return '';
  const some = isNothingLater ? '' : ` Only ${found.length} of ${count} came.`;
  const seen = attempts === '' ? 'Mayfly saw no other attempt to send here: t' : 'T';
  return `${some} ${seen}he application did not send again, or only after this timeout.`;
}

function unexpected(asked: Asked, emails: readonly ReceivedEmail[]): Vain {
  const { address, count } = asked;
  const what = kindAt(address);
  const expected = count === 0 ? `no ${what}` : `exactly ${plural(count, what)}`;
  const titles = emails.map(({ subject, body }) => titleOf(subject, body));
  const named = listed(titles.map((title) => `'${title}'`));
  const came = `${plural(emails.length, what)} came to ${address}: ${named}`;
  const phrased = phrase(expected, asked);
  const message = `Expected ${phrased}, but ${came}.${twice(emails, titles)}${fixed(address)}`;
  const told = { asked: phrased, arrived: titles.map((subject) => ({ subject, why: 'matches' })) };
  return [message, { address, expected: count, emails, arrived: linesOf(emails), verdict: told }];
}

function twice(emails: readonly ReceivedEmail[], titles: readonly string[]): string {
  for (const [at, { receivedAt }] of emails.entries()) {
    const older = emails.find((_, other) => other > at && titles[other] === titles[at]);
    if (older === undefined) continue;
    const apart = (receivedAt.getTime() - older.receivedAt.getTime()) / 1000;
    return ` The application sent '${titles[at]}' more than once, ${apart} s apart.`;
  }
  return '';
}

/** Matches the names that `createInbox` and `createPhone` generate, without the faults that follow `--`. */
const RANDOM_NAME = new RegExp(`^p-|^\\+|-[a-z2-7]{${SECRET_LENGTH}}$`);

function fixed(address: string): string {
  const name = nameIn(address);
  if (RANDOM_NAME.test(name.replace(/--.*/, ''))) return '';
  return ` The name "${name}" is fixed, so other tests and earlier runs may have sent there: use createInbox() for each test.`;
}

function phrase(what: string, { filter, condition }: Asked): string {
  const parts = describeFilter(filter);
  if (condition) parts.unshift(`with a ${condition.what}`);
  return `${what} ${parts.join(', ')}`.trim();
}

/** Why no mail arrived: this Mayfly does not accept the domain, or what the delivery attempts show. */
function reason({ address }: Asked, look: LastLook): string {
  const { domains, attempts } = look;
  if (domains?.every((domain) => domain !== '*' && !address.endsWith(`@${domain}`))) {
    return `: this Mayfly accepts mail for ${domains.join(', ')} only. Check domain and MAYFLY_DOMAIN.${saw(look)}`;
  }
  if (attempts) return `.${saw(look)}`;
  return `: was it sent, and to the right address and domain? Mayfly's log shows refused mail (${docsUrl('troubleshooting')}).`;
}

function saw({ attempts }: LastLook): string {
  return attempts ? ` ${attempts}` : '';
}

function verdict(asked: Asked, seen: SeenEmail, isNothingLater: boolean): string {
  const { filter, after, condition } = asked;
  const { summary, email, contents, isGone } = seen;
  const reasons = email ? mismatches(filter, email) : knownMismatches(filter, summary);
  if (reasons.length === 0 && condition) reasons.push(`no ${condition.what}`);
  const said = reasons.map((one) =>
    one === 'from does not match' ? `from ${shown(summary.from ?? '')}, which does not match` : one,
  );
  if (!isLater(summary, after))
    said.unshift(`not after \`after\`${isNothingLater ? '; nothing has arrived since' : ''}`);
  const why = email && contents ? lacking(asked, email, contents) : '';
  const verdict = said.join(', ') + why || (email ? 'matches' : 'was not read');
  return isGone ? `${verdict}; gone by now` : verdict;
}

function lacking({ filter, condition }: Asked, email: ReceivedEmail, contents: Findable): string {
  const wantsLink = filter.hasMagicLink || condition?.what.startsWith('link');
  const why = wantsLink ? whyNoLink(filter.hasMagicLink, contents) : whyNoCode(filter.hasOtp, email, contents);
  const [line] = email.body.split('\n').filter((one) => one.trim() !== '');
  // Without a subject, the message already shows the beginning of the text.
  const text = email.subject && line ? `; its text begins "${shown(line.trim())}"` : '';
  if (line !== undefined) return `${why && `: ${why}`}${text}`;
  return why ? `: ${why}` : '; it has no text';
}

function whyNoCode(wantsOtp: boolean | undefined, { subject, body }: ReceivedEmail, { codes }: Findable): string {
  const [code] = codes;
  if (code === undefined) {
    const found = numberIn(subject) ?? numberIn(body);
    if (found === undefined) return '';
    const isOdd = digitsIn(found) < LEAST_DIGITS || digitsIn(found) > MOST_DIGITS;
    return isOdd ? wrongLength(found) : `no keyword marks ${found} as a code: use ${byPattern(found)}`;
  }
  const values = codes.slice(0, MAX_NAMED).map(({ value }) => shown(value));
  if (!wantsOtp) return `it has ${values.join(', ')}`;
  if (/\p{L}/u.test(code.value)) return `${shown(code.value)} has letters: use ${CODE_CALL}`;
  if (digitsIn(code.value) > MOST_DIGITS) return wrongLength(code.value);
  return `${shown(code.value)} may be a code: use ${CODE_CALL}`;
}

/** The command line replaces these names with its options (`packages/cli/src/client-command.ts`). */
const CODE_CALL = 'waitForCode()';
const LINK_CALL = 'waitForLink()';
const LEAST_DIGITS = 4;
const MOST_DIGITS = 8;

function wrongLength(code: string): string {
  return `${code} has ${digitsIn(code)} digits and a code has ${LEAST_DIGITS} to ${MOST_DIGITS}: use ${byPattern(code)}`;
}

function byPattern(code: string): string {
  const shape = code.replace(/\d+/g, ({ length }) => `\\d{${length}}`);
  return `waitForCode({ pattern: ${/\s/.test(code) ? `/${shape}/` : `/^${shape}$/`} })`;
}

/** The first number that may be the code: three digits or more, grouped or not. */
function numberIn(text: string): string | undefined {
  const beginning = text.slice(0, MAX_NUMBERED_LENGTH);
  const numbers = beginning.match(/(?<![\p{L}\p{N}.,:/_-])\d+(?:[ -]\d+)*(?![\p{L}\p{N}/_-])/gu) ?? [];
  return numbers.find((one) => digitsIn(one) > 2 && one.length <= MAX_SUBJECT_LENGTH);
}

const digitsIn = (text: string) => text.replace(/\D/g, '').length;

function whyNoLink(wantsMagicLink: boolean | undefined, { links }: Findable): string {
  const action = links.find((link) => link.action);
  if (action && wantsMagicLink) return `no keyword in the link ${hinted(action.url)}: use ${LINK_CALL}`;
  const [first] = links;
  if (first === undefined) return '';
  const [address = ''] = first.url.replace(/^\w+:\/*/, '').split(/[?#]/);
  const pattern = `waitForLink({ pattern: '${hinted(address)}' })`;
  return `it has another link, ${hinted(first.url)}: use ${pattern}`;
}

const hinted = (url: string) => shown(url, MAX_HINTED_LENGTH);
