import { inWords, type Problem, type ProblemKind, type Words } from 'mayfly-plugins-shared/sending/problem';

/** Failures that magic numbers simulate, and the problems of every provider. */
export type Failure =
  | ProblemKind
  | 'key-needed'
  | 'missing-to'
  | 'missing-from'
  | 'unroutable'
  | 'no-permission'
  | 'unsubscribed'
  | 'not-mobile'
  | 'not-owned'
  | 'queue-full';

/** A provider's error for a problem: status, code and text. */
export type Row<Code> = readonly [status: number, code: Code, words?: Words];

export type Rows<Code> = Readonly<Partial<Record<Failure, Row<Code>>>>;

export function told<Code>(rows: Rows<Code>, problem: Problem, usual: Row<Code>) {
  const { kind, row = kind } = problem;
  const [status, code, words] = rows[row as Failure] ?? rows[kind] ?? usual;
  return { status, code, text: inWords(words, problem) ?? 'The request is not valid.' };
}
