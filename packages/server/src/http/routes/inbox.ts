import { NO_SUMMARIES } from '../../inbox/inboxes.js';
import { leavingOf, sendJson } from '../answer/answers.js';
import type { App } from '../framework.js';
import type { Served } from '../parts.js';
import { addBodilessRoutes } from '../request/bodies.js';
import { type Fields, reading } from '../request/fields.js';
import {
  INBOX_FIELDS,
  PAGED_ELSEWHERE,
  type QueryOf,
  SELECTION,
  SOURCE,
  selectionOf,
  TIME,
  timeOf,
} from '../request/parameters.js';

const PAGE = {
  limit: {
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,5}$' },
    rule: 'use it once, with a whole number from 1 to 999999 without leading zeros',
  },
  before: TIME,
} satisfies Fields;

const FETCH_INPUT = reading({
  path: INBOX_FIELDS,
  query: { source: SOURCE, ...SELECTION },
  elsewhere: PAGED_ELSEWHERE,
});

const SUMMARY_INPUT = reading({
  path: INBOX_FIELDS,
  query: { source: SOURCE, ...SELECTION, ...PAGE },
  elsewhere: 'it is not for this request; to search all mail, use GET /api/emails',
});

const CLEAR_INPUT = reading({
  path: INBOX_FIELDS,
  elsewhere: 'deletions ignore it, so all emails of the inbox would be deleted',
});

interface InboxRoute<Known = typeof SELECTION> {
  Params: { name: string };
  Querystring: QueryOf<Known>;
}

/** `GET` (interface section 4.1) and `DELETE /api/inbox/{name}`, and its summary. */
export function addInboxRoutes(app: App, { inboxes, access }: Served): void {
  app.get<InboxRoute>('/api/inbox/:name', FETCH_INPUT.options('fetch'), async (request, reply) => {
    const inbox = access.inboxOf(request);
    const taker = access.takerOf(request, 'fetch');
    return sendJson(reply, () => inboxes.read(inbox, selectionOf(request.query), leavingOf(request), taker));
  });
  app.get<InboxRoute<typeof SELECTION & typeof PAGE>>(
    '/api/inbox/:name/summary',
    SUMMARY_INPUT.options('read'),
    async (request, reply) => {
      const inbox = access.inboxOf(request);
      const { limit, before, ...query } = request.query;
      const page = { limit: limit === undefined ? limit : Number(limit), before: timeOf(before) };
      return sendJson(reply, async () => {
        const json = await inboxes.readSummaries(inbox, selectionOf(query), page, leavingOf(request));
        if (json !== NO_SUMMARIES) access.foundMail(request.caller.client, inbox);
        return json;
      });
    },
  );
  addBodilessRoutes(app, (bodiless) =>
    bodiless.delete<InboxRoute>('/api/inbox/:name', CLEAR_INPUT.options('read'), async (request, reply) => {
      await inboxes.clear(access.inboxOf(request));
      return reply.code(204).send();
    }),
  );
}
