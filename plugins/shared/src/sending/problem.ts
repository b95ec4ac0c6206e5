import type { Letter } from '../compose-letter.js';

/** A problem with a request or its delivery. Each provider formats it (`Provider.answer`). */
export interface Problem {
  readonly kind: ProblemKind;
  /** The field in question, as the provider's documentation writes it. Never a client's text, because it is logged. */
  readonly field?: string;
  /** The requirement for the field, the field's limit as a number, or a whole sentence of ours. */
  readonly detail?: string;
  readonly address?: string;
  /** The known recipients of the message, for the delivery attempts of their inboxes. */
  readonly recipients?: readonly string[];
  /** Our own sentence, if the one in `SENTENCES` does not fit. Must not contain a client's text. */
  readonly hint?: string;
  /** What the log line names instead of `kind`, for example the name of an error in the error table. */
  readonly row?: string;
}

export type ProblemKind = keyof typeof SENTENCES;

export const JSON_OBJECT = 'a JSON object';

export function isProblem(outcome: object): outcome is Problem {
  return 'kind' in outcome;
}

export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.kind);
    this.problem = problem;
  }
}

export function refuse(kind: ProblemKind, more: Omit<Problem, 'kind'> = {}): never {
  throw new ProblemError({ kind, ...more });
}

/** Maximum size of all messages of one request together, because a request may repeat a text for many recipients. */
export const MOST_BYTES = 64 * 1024 * 1024;

export function refuseTooMuch(): never {
  refuse('too-large', { detail: `All messages of a request together may have at most ${MOST_BYTES} bytes.` });
}

/** Throws if messages with the same content would together be too large, before they are composed. */
export function checkTogether(mails: number, letter: Pick<Letter, 'text' | 'html' | 'attachments'>): void {
  const { text, html, attachments } = letter;
  const each = attachments.reduce((sum, { content }) => sum + content.length, text.length + html.length);
  if (mails * each > MOST_BYTES) refuseTooMuch();
}

/** A provider's text for a kind of problem; if undefined, the `detail` is shown. */
export type Words = string | ((problem: Problem) => string | undefined);

export function inWords(words: Words | undefined, problem: Problem): string | undefined {
  return (typeof words === 'function' ? words(problem) : words) ?? problem.detail;
}

/** A provider's error for a problem. */
type Row<Code> = readonly [status: number, code: Code, words?: Words];

/** A provider's errors, by the kind of the problem or by its `row`. */
export type Rows<Code, Name extends string = ProblemKind> = Readonly<Partial<Record<Name, Row<Code>>>>;

/** Returns what the provider reports; `usual` is for problems without a row. */
export function errorFor<Code>(rows: Rows<Code, string>, problem: Problem, usual: Row<Code>) {
  const { kind, row = kind } = problem;
  const [status, code, words] = rows[row] ?? rows[kind] ?? usual;
  return { status, code, text: inWords(words, problem) ?? 'The request is not valid.' };
}

/** Our own sentence without a client's text, for the log and the header `Mayfly-Hint`. */
export function sentenceOf(problem: Problem): string {
  return problem.hint ?? SENTENCES[problem.kind](problem);
}

const SENTENCES = {
  malformed: ({ detail }) => detail ?? 'The body is not in the format that its Content-Type says.',
  missing: ({ field }) => `The field ${field} is missing or empty.`,
  invalid({ field, detail, address }) {
    if (address !== undefined) return `An address appears twice in the field ${field}.`;
    return field === undefined ? (detail ?? 'A field is not valid.') : `The field ${field} must be ${detail}.`;
  },
  sender: ({ field = 'of the sender' }) => `The field ${field} is not a valid address.`,
  recipient: ({ field = 'of a recipient' }) => `The field ${field} has an address that is not valid.`,
  attachment: ({ field, detail }) => detail ?? `The field ${field} must be base64.`,
  /** For a recipient in a domain that is not served, or whose inbox cannot exist. */
  'not-served': () => "Mayfly accepts no mail for this domain. Start it with --domain '*' to accept any.",
  'too-many-recipients': ({ detail }) => `A message may have at most ${detail} recipients (--max-recipients).`,
  'too-many-mails': ({ detail }) => `A request may create at most ${detail} messages.`,
  'too-large': ({ detail }) => detail ?? 'The mail is too large.',
  full: ({ detail }) => detail ?? 'The store is full.',
  rate: ({ detail }) => detail ?? 'Too many messages from this client (--smtp-limit).',
  unavailable: ({ detail }) => detail ?? 'The mail store is not responding. Try again in a moment.',
  'media-type': ({ detail }) => `The Content-Type must be ${detail}.`,
  forbidden: ({ detail }) => detail ?? 'Pages of other sites may not use this service.',
  'not-found': ({ detail }) => detail ?? 'Mayfly does not serve this path of the API.',
  method: ({ detail }) => detail ?? 'Mayfly serves this path only with another method.',
  'bad-key': () => 'The Idempotency-Key must have 1 to 256 characters.',
  'key-reused': () => 'The Idempotency-Key was used with another request.',
  'key-in-use': () => 'A request with this Idempotency-Key is not answered yet.',
  internal: () => 'Something went wrong inside Mayfly. See its log for the cause.',
} as const satisfies Readonly<Record<string, (problem: Problem) => string>>;
