import { type Inboxes, NO_SUMMARIES, type Page } from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { leavingOf, sendJson } from '../answer/answers.js';
import type { App } from '../framework.js';
import { addBodilessRoutes } from '../request/bodies.js';
import { type Field, reading } from '../request/fields.js';
import {
  INBOX_FIELDS,
  PAGED_ELSEWHERE,
  SELECTION,
  type SelectionQuery,
  SOURCE,
  selectionOf,
  TIME,
  takenElsewhere,
} from '../request/parameters.js';

interface PageQuery {
  readonly limit?: string;
  readonly before?: string;
}

const PAGE: Readonly<Record<keyof PageQuery, Field>> = {
  limit: {
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,5}$' },
    rule: 'use a whole number from 1 to 999999 without leading zeros, once',
  },
  before: TIME,
};

const FETCH_INPUT = reading({
  path: INBOX_FIELDS,
  query: { source: SOURCE, ...SELECTION },
  refused: takenElsewhere(SELECTION, PAGED_ELSEWHERE),
});

const SUMMARY_QUERY = { source: SOURCE, ...SELECTION, ...PAGE };
const SUMMARY_INPUT = reading({
  path: INBOX_FIELDS,
  query: SUMMARY_QUERY,
  refused: takenElsewhere(SUMMARY_QUERY, 'it is not for this request; to search all mail, use GET /api/emails'),
});

const CLEAR_INPUT = reading({
  path: INBOX_FIELDS,
  refused: takenElsewhere({}, 'it selects no emails here, and all emails of the inbox would be deleted'),
});

interface InboxRoute {
  Params: { name: string };
  Querystring: SelectionQuery & { source?: unknown };
}

interface SummaryRoute extends InboxRoute {
  Querystring: InboxRoute['Querystring'] & PageQuery;
}

/** `GET` (interface section 4.1) and `DELETE /api/inbox/{name}`, and its summary. */
export function addInboxRoutes(app: App, inboxes: Inboxes, access: Access): void {
  app.get<InboxRoute>('/api/inbox/:name', FETCH_INPUT.options('fetch'), async (request, reply) => {
    const inbox = access.inboxOf(request);
    const taker = access.takerOf(request, 'fetch');
    return sendJson(reply, () => inboxes.read(inbox, selectionOf(request.query), leavingOf(request), taker));
  });
  app.get<SummaryRoute>('/api/inbox/:name/summary', SUMMARY_INPUT.options('read'), async (request, reply) => {
    const inbox = access.inboxOf(request);
    const { query } = request;
    return sendJson(reply, async () => {
      const json = await inboxes.readSummaries(inbox, selectionOf(query), pageOf(query), leavingOf(request));
      if (json !== NO_SUMMARIES) access.foundMail(request, inbox);
      return json;
    });
  });
  addBodilessRoutes(app, (bodiless) =>
    bodiless.delete<InboxRoute>('/api/inbox/:name', CLEAR_INPUT.options('read'), async (request, reply) => {
      await inboxes.clear(access.inboxOf(request));
      return reply.code(204).send();
    }),
  );
}

function pageOf({ limit, before }: PageQuery): Page {
  return {
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(before === undefined ? {} : { before: Date.parse(before) }),
  };
}
