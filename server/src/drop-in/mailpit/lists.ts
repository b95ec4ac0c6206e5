import { httpErrors } from '../../errors.js';
import { sendJson } from '../../http/answer-body.js';
import type { App, Reply, Request } from '../../http/framework.js';
import { RequestError } from '../../http/request-error.js';
import type { Message, Viewer } from '../../inbox/mailbox/mailbox.js';
import { startingWith } from '../../starting-with.js';
import { choiceOf, MAX_CHOICE_BYTES } from '../bodies.js';
import { placeOf } from '../ids.js';
import { type Page, pageOf, textParameter } from '../paging.js';
import type { Shared } from '../shared.js';
import { UTC, type Zone, zoneOf } from './dates.js';
import { searched } from './search.js';
import { badSearch, searchTerms, type Term } from './search-query.js';
import { mailpitSummary } from './summary.js';
import { untilFound, waitOf } from './waiting.js';

/** How many messages one page has: Mailpit's clients ask for 50, and for 250 where they want all. */
const PAGE = { standard: 50, most: 500 } as const;

/** How many summaries are made, or messages looked for by their IDs, in one turn. */
const SHARE = 50;
const SHARE_BYTES = 128 * 1024;

/** A larger list is sent in pieces: senders may name hundreds in each mail. */
const WHOLE_BYTES = 1024 * 1024;

const CONFIG = { config: { limit: 'drop-in' } } as const;
const CHOICE = { ...CONFIG, bodyLimit: MAX_CHOICE_BYTES } as const;

/** `GET`, `PUT` and `DELETE /api/v1/messages`, `GET` and `DELETE /api/v1/search`. */
export function addListRoutes(api: App, shared: Shared): void {
  const { mailbox, inboxes, callers, marks } = shared;

  api.get('/api/v1/messages', CONFIG, async (request, reply) => {
    const viewer = callers.viewerOf(request);
    const { start, limit } = pageOf(request, PAGE);
    // As there, a limit of 0 is none of a list, from its first message on; of a search it asks for no message.
    const page = limit === 0 ? { start: 0, limit: PAGE.most } : { start, limit };
    return sendList(reply, shared, viewer, await mailbox.messages(viewer), page);
  });

  api.get('/api/v1/search', CONFIG, async (request, reply) => {
    const viewer = callers.viewerOf(request);
    const terms = termsOf(request);
    let lookedAt: number | null = null;
    const find = async () => {
      const since = lookedAt;
      lookedAt = shared.clock.now();
      return searched(terms, shared, viewer, since);
    };
    const found = await untilFound(find, shared, { request, reply, waitMs: waitOf(request) });
    return sendList(reply, shared, viewer, found, pageOf(request, PAGE));
  });

  api.delete('/api/v1/messages', CHOICE, async (request, reply) => {
    const viewer = callers.viewerOf(request);
    const { ids } = choiceOf(request, ['ids']);
    if (ids.length === 0) await mailbox.clearAll(inboxes, viewer);
    else await mailbox.clearEach(await named(ids, shared, viewer), inboxes, viewer);
    return ok(reply);
  });

  api.delete('/api/v1/search', CHOICE, async (request, reply) => {
    const viewer = callers.viewerOf(request);
    await mailbox.clearEach(await searched(termsOf(request), shared, viewer), inboxes, viewer);
    return ok(reply);
  });

  api.put('/api/v1/messages', CHOICE, async (request, reply) => {
    const viewer = callers.viewerOf(request);
    const { ids, search, read } = choiceOf(request, ['ids', 'read', 'search']);
    if (ids.length > 0 && search !== '') throw badSearch('give either IDs or a search, and not both');
    const messages = await chosen({ ids, search }, request, shared, viewer);
    for (const { key } of messages) marks.mark(key, read);
    return ok(reply);
  });
}

async function chosen(
  { ids, search }: { readonly ids: readonly string[]; readonly search: string },
  request: Request,
  shared: Shared,
  viewer: Viewer,
): Promise<readonly Message[]> {
  if (search !== '') return searched(searchTerms(search, zoneIn(request)), shared, viewer);
  return ids.length > 0 ? named(ids, shared, viewer) : shared.mailbox.messages(viewer);
}

/** The messages of these IDs; what is none of them is passed over, as it is there. */
async function named(ids: readonly string[], { mailbox }: Shared, viewer: Viewer): Promise<Message[]> {
  const messages: Message[] = [];
  let looked = 0;
  for (const id of new Set(ids)) {
    if (viewer.leaving.aborted) break;
    if (looked % SHARE === SHARE - 1) await mailbox.turn();
    looked += 1;
    const place = placeOf(id);
    const message = place && (await mailbox.message(place.inbox, place.receivedAt, viewer));
    if (message) messages.push(message);
  }
  return messages;
}

/** What a request searches for. Throws 400. */
export function termsOf(request: Request): Term[] {
  return searchTerms(textParameter(request, 'query'), zoneIn(request));
}

/** The zone of `tz`, in which times without one are meant. Throws 400. */
function zoneIn(request: Request): Zone {
  const name = textParameter(request, 'tz');
  if (name === '') return UTC;
  const zone = zoneOf(name);
  if (zone !== null) return zone;
  throw new RequestError(httpErrors.badQuery, {
    name: 'tz',
    rule: 'give the name of a time zone such as Europe/Berlin',
  });
}

/** Sends a page of some messages, and how many there are of them and of all. One that is large is made no faster than it is read. */
async function sendList(
  reply: Reply,
  shared: Shared,
  viewer: Viewer,
  found: readonly Message[],
  { start, limit }: Page,
) {
  const { mailbox, marks } = shared;
  const all = await mailbox.messages(viewer);
  const counts = {
    total: all.length,
    unread: marks.unread(all),
    messages_count: found.length,
    messages_unread: marks.unread(found),
    start,
    tags: [],
  };
  const rest = summaries(found.slice(start, start + limit), shared, viewer);
  const first: Buffer[] = [];
  let bytes = 0;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    first.push(next.value);
    bytes += next.value.length;
    if (bytes > WHOLE_BYTES) return sendJson(reply, () => listOf(counts, startingWith(first, rest)));
  }
  const answer = `${beginningOf(counts)}${first.join(',')}],"count":${first.length}}`;
  return sendJson(reply, () => Buffer.from(answer).toString('latin1'));
}

/** The JSON of messages, one by one. */
async function* summaries(
  messages: readonly Message[],
  { mailbox, marks }: Shared,
  viewer: Viewer,
): AsyncGenerator<Buffer, undefined> {
  let bytes = 0;
  for (const [i, message] of messages.entries()) {
    if (i % SHARE === SHARE - 1 || bytes > SHARE_BYTES) {
      await mailbox.turn();
      bytes = 0;
    }
    const head = await mailbox.head(message);
    if (head === null) continue;
    const email = await mailbox.standIn(message, head, viewer);
    const summary = Buffer.from(JSON.stringify(mailpitSummary(email, head, marks.has(message.key))));
    bytes += summary.length;
    yield summary;
  }
}

/** A list whose messages are made when they are asked for. How many they are is known at the end: one may be deleted meanwhile. */
async function* listOf(counts: object, messages: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from(beginningOf(counts));
  let count = 0;
  for await (const message of messages) {
    if (count > 0) yield COMMA;
    count += 1;
    yield message;
  }
  yield Buffer.from(`],"count":${count}}`);
}

const COMMA = Buffer.from(',');

/** The JSON of a list up to its first message. */
function beginningOf(counts: object): string {
  return `${JSON.stringify(counts).slice(0, -1)},"messages":[`;
}

function ok(reply: Reply): string {
  reply.type('text/plain; charset=utf-8');
  return 'ok';
}
