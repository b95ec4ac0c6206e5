import type { ProblemKind, Rows } from 'mayfly-plugins-shared/sending/problem';

/** Failures that magic numbers simulate, and the problems of every provider. */
type Failure =
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

export type TextRows<Code> = Rows<Code, Failure>;
