import type { Selection } from '../inbox/selecting.js';

/** The query parameters that select emails, as the schema lets them through. */
export interface SelectionQuery {
  readonly after?: string;
  readonly from?: string;
  readonly subject?: string;
  readonly body?: string;
  readonly hasOtp?: 'true' | 'false';
  readonly hasMagicLink?: 'true' | 'false';
}

/** What a query selects. Parameters that are not there select nothing away. */
export function selectionOf({ after, hasOtp, hasMagicLink, ...texts }: SelectionQuery): Selection {
  return {
    ...texts,
    ...(after === undefined ? {} : { after: Date.parse(after) }),
    ...(hasOtp === undefined ? {} : { hasOtp: hasOtp === 'true' }),
    ...(hasMagicLink === undefined ? {} : { hasMagicLink: hasMagicLink === 'true' }),
  };
}
