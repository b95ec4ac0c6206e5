import { httpErrors } from '../../errors.js';
import type { Selection } from '../../inbox/inboxes.js';
import type { Field } from './fields.js';
import { RECEIVED_AT } from './path-fields.js';

export interface SelectionQuery {
  readonly after?: string;
  readonly from?: string;
  readonly subject?: string;
  readonly body?: string;
  readonly hasOtp?: 'true' | 'false';
  readonly hasMagicLink?: 'true' | 'false';
}

const flag = (description: string): Field => ({
  schema: { type: 'string', enum: ['true', 'false'], description },
  error: httpErrors.badQuery,
  rule: 'give true or false, once',
});

const text = (description: string): Field => ({
  schema: { type: 'string', description },
  error: httpErrors.badQuery,
  rule: 'give a text, once',
});

/** Which emails are wanted (D9): beyond the interface. */
export const SELECTION: Readonly<Record<keyof SelectionQuery, Field>> = {
  after: {
    schema: {
      ...RECEIVED_AT,
      description: "Only emails with a later receivedAt. The value is an email's receivedAt.",
    },
    error: httpErrors.badQuery,
    rule: "give an email's receivedAt once, such as 2026-01-31T09:30:00.000Z",
  },
  from: text('Only emails whose sender contains this, ignoring case.'),
  subject: text('Only emails whose subject contains this, ignoring case.'),
  body: text('Only emails whose body contains this, ignoring case.'),
  hasOtp: flag('Only emails with (true) or without (false) a one-time code.'),
  hasMagicLink: flag('Only emails with (true) or without (false) a magic link.'),
};

/** The client's label. No value is refused (D11). */
export const SOURCE: Field = {
  schema: {
    default: 'browser',
    examples: ['browser', 'sdk'],
    description: 'Identifies the client: browser, or sdk for programmatic access. No value changes the answer.',
  },
  error: httpErrors.badQuery,
};

export function selectionOf({ after, hasOtp, hasMagicLink, ...texts }: SelectionQuery): Selection {
  return {
    ...texts,
    ...(after === undefined ? {} : { after: Date.parse(after) }),
    ...(hasOtp === undefined ? {} : { hasOtp: hasOtp === 'true' }),
    ...(hasMagicLink === undefined ? {} : { hasMagicLink: hasMagicLink === 'true' }),
  };
}
