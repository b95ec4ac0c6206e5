import type { ServerResponse } from 'node:http';
import { httpErrors } from '../../errors.js';
import type { Follower, Viewer } from '../../inbox/all-mail.js';
import { Quota } from '../../limits/quota.js';
import { sendJson, whenOver } from '../answer/answers.js';
import { beginStream, keepAlive, type OpenStream } from '../answer/open-streams.js';
import { RETRY_SOON, RequestError } from '../answer/request-error.js';
import type { App, Reply, Request } from '../framework.js';
import type { Served } from '../parts.js';
import { type Fields, reading } from '../request/fields.js';
import { type QueryOf, SELECTION, SOURCE, selectionOf, TEXT } from '../request/parameters.js';

const MAX_SEARCH_LENGTH = 200;

const QUERY = {
  ...SELECTION,
  to: TEXT,
  search: {
    schema: { type: 'string', maxLength: MAX_SEARCH_LENGTH },
    rule: `use a single text of at most ${MAX_SEARCH_LENGTH} characters`,
  },
  limit: {
    schema: { type: 'string', pattern: '^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$', default: '100' },
    rule: 'use it once, with a whole number from 1 to 500 without leading zeros',
  },
  cursor: {
    schema: { type: 'string', pattern: '^[0-9a-z]{1,10}$' },
    rule: 'use it once, with "next" of the previous page',
  },
} satisfies Fields;

const LIST_INPUT = reading({
  query: { source: SOURCE, ...QUERY },
  // Refuses parameters of other lists, such as `before`. If `before` were ignored, each page would be the first.
  elsewhere: 'use search for selecting emails, and cursor ("next" of the previous page) for paging',
});
const OUTLINE_INPUT = reading({ query: { source: SOURCE, cursor: QUERY.cursor } });
const STREAM_INPUT = reading({ query: {}, elsewhere: 'this stream sends all new mail and cannot select emails' });

/** The client opens another stream after ten minutes, so that a revoked key works for at most ten minutes. */
const KEEPALIVES = 59;

/** Few streams may be open, because each announces all mail. One person needs only a few tabs. */
const BOUNDS = { total: 100, perClient: 20 };

/** A client with a longer backlog is disconnected. */
const MAX_UNSENT_BYTES = 256 * 1024;

/** `GET /api/emails`, its outline and its stream: all mail, for those who may list it. For others neither path exists (D67). */
export function addAllMailRoutes(app: App, { all, streams, clock, viewers }: Served): void {
  const quota = new Quota(BOUNDS);
  /** A separate quota, because anyone can make up credentials and must not block the operator's list. */
  const adHocQuota = new Quota(BOUNDS);
  /** Runs before any other check. Otherwise errors about a query would show a stranger that the path exists. */
  const admit = (request: Request, reply: Reply, done: () => void) => {
    if (viewers.listerOf(request) === null) app.answerAsLost(request, reply);
    else done();
  };
  const listerOf = (request: Request) => viewers.listerOf(request) as Viewer;
  app.get<{ Querystring: QueryOf<typeof QUERY> }>(
    '/api/emails',
    { ...LIST_INPUT.options('read'), onRequest: admit as never },
    (request, reply) => {
      const { to, search, limit, cursor = null, ...query } = request.query;
      const selection = { ...selectionOf(query), to, search };
      const read = () => all.page(listerOf(request), selection, { limit: Number(limit), cursor });
      return sendJson(reply, read);
    },
  );
  app.get<{ Querystring: { readonly cursor?: string } }>(
    '/api/emails/outline',
    { ...OUTLINE_INPUT.options('read'), onRequest: admit as never },
    (request, reply) => {
      const { cursor = null } = request.query;
      return sendJson(reply, async () => JSON.stringify(await all.outline(listerOf(request), cursor)));
    },
  );
  app.get(
    '/api/emails/stream',
    { ...STREAM_INPUT.options('stream'), onRequest: admit, exposeHeadRoute: false },
    async (request, reply) => {
      const { client } = request.caller;
      const viewer = listerOf(request);
      const release = (viewer.adHoc === null ? quota : adHocQuota).take(client);
      if (typeof release === 'string') throw new RequestError(httpErrors.tooManyFollowers, {}, RETRY_SOON);
      whenOver(reply.raw, release);
      const stream = allMailStream(viewer, reply.raw);
      whenOver(reply.raw, await streams.open(client, stream));
      whenOver(reply.raw, await all.following.follow(stream));
      beginStream(reply);
      whenOver(
        reply.raw,
        keepAlive(clock, reply.raw, KEEPALIVES, () => stream.end()),
      );
    },
  );
}

/** A client's stream (D67). Omits mail from before the headers are sent, as the client lists all mail after that. */
function allMailStream({ mayOpen }: Viewer, response: ServerResponse): OpenStream & Follower {
  const write = (text: string) => {
    if (!response.headersSent || response.writableEnded) return;
    if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
    else response.write(text, 'latin1');
  };
  return {
    mayOpen,
    came: (emails) => write(emails.map(({ json }) => `event: email\ndata: ${json}\n\n`).join('')),
    changed: () => write('event: changed\ndata: {}\n\n'),
    end() {
      if (response.headersSent) response.end();
      else response.destroy();
    },
  };
}
