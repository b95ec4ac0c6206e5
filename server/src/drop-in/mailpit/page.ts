import { httpErrors } from '../../errors.js';
import { type App, type Reply, type Request, RequestError } from '../../http/http.js';
import type { Message } from '../../inbox/mailbox/mailbox.js';
import { textParameter } from '../parameters.js';
import { CONFIG, type Shared } from '../shared.js';
import { searched, zoneIn } from './mailpit-search.js';
import { searchTerms } from './search-query.js';

/** `GET /search?q=`, a page of Mailpit's: leads to the newest message found on our page, or to its start. */
export function addPageRoutes(api: App, shared: Shared): void {
  api.get('/search', CONFIG, async (request, reply) => {
    const query = textParameter(request, 'q').trim();
    if (query === '') return redirectToPage(request, reply, null, shared);
    const found = await searched(searchTerms(query, zoneIn(request)), shared, shared.callers.viewerOf(request));
    return redirectToPage(request, reply, found[0] ?? null, shared);
  });
}

/** Leads to a message on our page, or for null to its start. Throws 501 without the page, 404 for a deleted message. */
export async function redirectToPage(request: Request, reply: Reply, message: Message | null, shared: Shared) {
  const { mailbox, callers, hasPage } = shared;
  if (!hasPage) throw new RequestError(httpErrors.notServed, { server: 'Mailpit' });
  if (message === null) return reply.redirect('/', 302);
  const viewer = callers.viewerOf(request);
  const head = await mailbox.head(message, viewer);
  if (head === null) throw new RequestError(httpErrors.noSuchMessage);
  const { inbox, receivedAt } = await mailbox.standIn(message, head, viewer);
  return reply.redirect(`/inbox/${encodeURIComponent(inbox)}#${new Date(receivedAt).toISOString()}`, 302);
}
