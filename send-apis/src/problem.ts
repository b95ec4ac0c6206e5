/** What is wrong with a request, or with sending what it asks for. Each provider words it (`Provider.answer`). */
export interface Problem {
  readonly kind: ProblemKind;
  /** The field in question, as the provider's documentation writes it. */
  readonly field?: string;
  /** What the field must be, or else a whole sentence of ours. */
  readonly detail?: string;
  /** The address in question. */
  readonly address?: string;
}

export type ProblemKind =
  /** The body is not in the format that it claims. */
  | 'malformed'
  /** A required field is missing or empty. */
  | 'missing'
  /** A field has the wrong type or value. */
  | 'invalid'
  /** An address that is none, of the sender or of a recipient. */
  | 'sender'
  | 'recipient'
  /** An attachment without usable content. */
  | 'attachment'
  /** A recipient of a domain that mail is not accepted for, or whose inbox cannot exist. */
  | 'not-served'
  | 'too-many-recipients'
  | 'too-large'
  /** An inbox, the store or the disk is full. */
  | 'full'
  | 'rate'
  | 'unavailable'
  | 'media-type'
  /** A page of another site, or a foreign Host. */
  | 'forbidden'
  | 'not-found'
  | 'method'
  /** The three of an idempotency key. */
  | 'bad-key'
  | 'key-reused'
  | 'key-in-use'
  | 'internal';

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

/** What is read, or why it cannot be. */
export function orProblem<T>(read: () => T): T | Problem {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
}
