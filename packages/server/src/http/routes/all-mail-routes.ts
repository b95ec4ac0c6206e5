import type { OutgoingHttpHeaders } from 'node:http';
import { httpErrors } from '../../errors.js';
import type { AllSelection, Viewer } from '../../inbox/all/all-mail.js';
import type { Access } from '../access/access.js';
import type { Viewers } from '../access/viewers.js';
import { AllMailStreams, type AllMailStreamsOptions } from '../answer/all-mail-streams.js';
import { sendJson } from '../answer/answers.js';
import type { App, Reply, Request } from '../framework.js';
import { type Field, reading } from '../request/fields.js';
import { SELECTION, type SelectionQuery, SOURCE, selectionOf, takenElsewhere } from '../request/parameters.js';
import { STREAM_HEADERS } from './stream.js';

const STANDARD_LIMIT = '100';

const MAX_SEARCH_LENGTH = 200;

interface AllQuery extends SelectionQuery {
  readonly source?: unknown;
  readonly to?: string;
  readonly search?: string;
  readonly limit?: string;
  readonly cursor?: string;
}

const QUERY: Readonly<Record<keyof AllQuery, Field>> = {
  source: SOURCE,
  ...SELECTION,
  to: {
    schema: { type: 'string', description: 'Only emails whose recipient contains this, ignoring case.' },
    error: httpErrors.badQuery,
    rule: 'use a single text',
  },
  search: {
    schema: {
      type: 'string',
      maxLength: MAX_SEARCH_LENGTH,
      description:
        'Only emails that contain each of these words, ignoring case: in the recipient, the sender, the subject, the body or the code.',
    },
    error: httpErrors.badQuery,
    rule: `use a single text of at most ${MAX_SEARCH_LENGTH} characters`,
  },
  limit: {
    schema: {
      type: 'string',
      pattern: '^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$',
      default: STANDARD_LIMIT,
      description:
        'Number of emails: a whole number from 1 to 500. A page also has those that arrived in the same millisecond as its last one.',
    },
    error: httpErrors.badQuery,
    rule: 'use a whole number from 1 to 500 without leading zeros, once',
  },
  cursor: {
    schema: {
      type: 'string',
      pattern: '^[0-9a-z]{1,10}$',
      description: 'The next of the previous page. Omit it for the first page.',
    },
    error: httpErrors.badQuery,
    rule: 'use the next of the previous page, once',
  },
};

const LIST_INPUT = reading({
  query: QUERY,
  // Such as `before`, a page of a summary. Ignored, it would give the first page again and again.
  refused: takenElsewhere(QUERY, 'select emails with search, and pages with cursor, the next of the previous page'),
});
const STREAM_INPUT = reading({ query: {}, refused: takenElsewhere({}, 'this stream has all new mail') });

export interface AllMailRoutesOptions extends AllMailStreamsOptions {
  readonly viewers: Viewers;
  readonly access: Access;
}

/** `GET /api/emails` and its stream: all mail, for those who may list it. For others neither path exists (D67). */
export function addAllMailRoutes(app: App, options: AllMailRoutesOptions): void {
  const { all, viewers, access } = options;
  const streams = new AllMailStreams(options);
  /** Before anything of the request is looked at: a wrong query tells a stranger no more than a right one. */
  const admit = (request: Request, reply: Reply, done: () => void) => {
    if (viewers.listerOf(request) === null) app.answerAsLost(request, reply);
    else done();
  };
  const listerOf = (request: Request) => viewers.listerOf(request) as Viewer;
  app.get<{ Querystring: AllQuery }>(
    '/api/emails',
    { ...LIST_INPUT.options('look'), onRequest: admit as never },
    (request, reply) => {
      const { query } = request;
      const page = { limit: Number(query.limit), cursor: query.cursor ?? null };
      const read = () => all.page(listerOf(request), allSelectionOf(query), page);
      return sendJson(reply, read);
    },
  );
  app.get(
    '/api/emails/stream',
    { ...STREAM_INPUT.options('stream'), onRequest: admit, exposeHeadRoute: false },
    async (request, reply) => {
      const stream = await streams.open(access.clientOf(request), listerOf(request), reply.raw);
      reply.hijack();
      reply.raw.writeHead(200, reply.headers(STREAM_HEADERS).getHeaders() as OutgoingHttpHeaders);
      reply.server.countAnswer(request, 200);
      stream.begin();
    },
  );
}

function allSelectionOf({
  to,
  search,
  limit: _limit,
  cursor: _cursor,
  source: _source,
  ...query
}: AllQuery): AllSelection {
  return { ...selectionOf(query), ...(to === undefined ? {} : { to }), ...(search === undefined ? {} : { search }) };
}
