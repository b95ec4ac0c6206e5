import { type App, type Reply, sendJson, type Viewer } from 'mayfly-inbox/plugin';
import type { Message } from 'mayfly-plugins-shared/all-inboxes';
import { CONFIG } from 'mayfly-plugins-shared/compat-api';
import { type Page, pageOf } from 'mayfly-plugins-shared/requests';
import { awaitUnframedBody, choiceOf, MAX_CHOICE_BYTES } from './choice.js';
import type { Events } from './events.js';
import type { Mailpit } from './mailpit.js';
import { searched, termsOf, zoneIn } from './search.js';
import { badSearch, searchTerms } from './search-query.js';
import { untilFound, waitOf } from './search-wait.js';
import { mailpitSummary, Tags } from './summary.js';

/** Number of messages per page. Mailpit's clients request 50, or pages of 250 to get all messages. */
const PAGE = { standard: 50, most: 500 } as const;

/** Number of emails read, and of bytes of summaries created, in one turn of the event loop. */
const SHARE = 50;
const SHARE_BYTES = 32 * 1024;
const CHOICE = { ...CONFIG, bodyLimit: MAX_CHOICE_BYTES } as const;

export function addListRoutes(api: App, shared: Mailpit, events: Events): void {
  const { inboxes, viewers, marks, access } = shared;

  api.get('/api/v1/messages', CONFIG, async (request, reply) => {
    const viewer = viewers.viewerOf(request);
    const { start, limit } = pageOf(request, PAGE);
    // As in Mailpit, a limit of 0 lists all messages from the start, but none in a search.
    const page = limit === 0 ? { start: 0, limit: PAGE.most } : { start, limit };
    return sendList(reply, shared, viewer, await inboxes.list(viewer), page);
  });

  api.get('/api/v1/search', CONFIG, async (request, reply) => {
    const viewer = viewers.viewerOf(request);
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
    const viewer = viewers.viewerOf(request);
    const { ids } = choiceOf(request, ['ids']);
    if (ids.length === 0) {
      await awaitUnframedBody(request, shared.clock);
      if (viewer.leaving.aborted) return ok(reply);
      const deleted = events.deletesAll(access.viewOf(request), viewer);
      await inboxes.clearAll(viewer).finally(deleted);
    } else await inboxes.clearEach(await named(ids, shared, viewer), viewer);
    return ok(reply);
  });

  api.delete('/api/v1/search', CHOICE, async (request, reply) => {
    const viewer = viewers.viewerOf(request);
    await inboxes.clearEach(await searched(termsOf(request), shared, viewer), viewer);
    return ok(reply);
  });

  api.put('/api/v1/messages', CHOICE, async (request, reply) => {
    const viewer = viewers.viewerOf(request);
    const { ids, search, read } = choiceOf(request, ['ids', 'read', 'search']);
    if (ids.length > 0 && search !== '') throw badSearch('use either IDs or a search, not both');
    const chosen = () => (ids.length > 0 ? named(ids, shared, viewer) : inboxes.list(viewer));
    const found = await (search === '' ? chosen() : searched(searchTerms(search, zoneIn(request)), shared, viewer));
    for (const { key } of found) marks.mark(key, read);
    return ok(reply);
  });
}

/** Returns the messages with these IDs. Skips unknown IDs, as Mailpit does. */
async function named(ids: readonly string[], { inboxes, records }: Mailpit, viewer: Viewer): Promise<Message[]> {
  const messages: Message[] = [];
  let looked = 0;
  for (const id of new Set(ids)) {
    if (viewer.leaving.aborted) break;
    if (looked % SHARE === SHARE - 1) await records.turn();
    looked += 1;
    const message = await inboxes.find(id, viewer);
    if (message) messages.push(message);
  }
  return messages;
}

async function sendList(reply: Reply, shared: Mailpit, viewer: Viewer, found: readonly Message[], page: Page) {
  const { inboxes, marks } = shared;
  const { start, limit } = page;
  const all = await inboxes.list(viewer);
  const counts = {
    total: all.length,
    unread: marks.unread(all),
    messages_count: found.length,
    messages_unread: marks.unread(found),
    start,
  };
  return sendJson(reply, () => listOf(counts, found.slice(start, start + limit), shared, viewer));
}

/** Reads each message just before sending it. Skips messages deleted meanwhile, so `count` is only known at the end. */
async function* listOf(counts: object, messages: readonly Message[], shared: Mailpit, viewer: Viewer) {
  const { inboxes, records, marks, senders } = shared;
  const tags = new Tags();
  let [count, bytes] = [0, 0];
  yield Buffer.from(`${JSON.stringify(counts).slice(0, -1)},"messages":[`);
  for (const message of messages) {
    const shown = await inboxes.shown(message, viewer);
    if (shown === null) continue;
    const { head, email } = shown;
    const fields = mailpitSummary(email, head, { isRead: marks.has(message.key), username: senders.get(head.id) });
    tags.add(fields.Tags);
    const summary = Buffer.from((count === 0 ? '' : ',') + JSON.stringify(fields));
    count += 1;
    bytes += summary.length;
    yield summary;
    if (bytes < SHARE_BYTES) continue;
    await records.turn();
    bytes = 0;
  }
  yield Buffer.from(`],"count":${count},"tags":${JSON.stringify([...tags.counts.keys()])}}`);
}

function ok(reply: Reply): string {
  reply.type('text/plain; charset=utf-8');
  return 'ok';
}
