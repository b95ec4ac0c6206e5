import { hostname } from 'node:os';
import type { InboxAttempts, InboxWait, SessionAttempts } from 'mayfly-protocol';
import { acrossAdHoc, type ClientSight, countsOf, shownAttempts } from '../../attempts/shown-attempts.js';
import type { Wait } from '../../inbox/inboxes.js';
import type { App, Request } from '../framework.js';
import type { Served } from '../parts.js';
import { type Field, reading } from '../request/fields.js';
import { INBOX_FIELDS, RECEIVED_AT, SOURCE, timeOf } from '../request/parameters.js';
import { smtpAddress } from './service.js';

const MAX_WAITS = 20;

const MAX_FILTER_CHARS = 200;

/**
 * The attempts for an inbox that the caller may open, its waiting clients, and mail to its name in other domains. Such
 * mail reveals other inboxes, so only a local service that accepts any domain shows it. Throws 503 until SMTP listens.
 */
export function inboxAttempts(served: Served, request: Request, inbox: string, after: number): InboxAttempts {
  const { attempts: book, inboxes, viewers, adHocQuota } = served;
  const { client: own, adHoc } = request.caller;
  const seesOthers = viewers.seeOthers(request);
  const sight = sightOf(served, request);
  // With credentials, counts outside the workspace include only this client's attempts, to hide those of others.
  const client = adHoc === null && seesOthers ? null : own;
  return {
    ...answerer(served),
    attempts: shownAttempts(book.ofInbox(inbox, after), sight),
    waits: inboxes.waits(inbox, MAX_WAITS).map((wait) => shownWait(wait, sight)),
    elsewhere: viewers.areHere(request) ? book.elsewhere(inbox, after) : [],
    newSpace: adHoc !== null && !(adHocQuota?.hasMail(adHoc) ?? true),
    acrossSpaces:
      adHocQuota === null ? 0 : book.acrossAdHoc(book.addressing.addressOf(inbox), { after, client, adHoc }),
  };
}

/** Hides the IP addresses of other clients from callers of a shared service. */
function sightOf({ viewers }: Served, request: Request): ClientSight {
  const seesOthers = viewers.seeOthers(request);
  return (client) => (seesOthers || client === request.caller.client ? client : null);
}

/** Attempts that named no inbox, and counts of every attempt that the caller may see. Throws 503 until SMTP listens. */
export function sessionAttempts(served: Served, request: Request, after: number): SessionAttempts {
  const { attempts: book, viewers } = served;
  const { client, adHoc } = request.caller;
  const seesAll = adHoc !== null || viewers.areAdmitted(request);
  const counted = book.since(after, seesAll ? null : client);
  return {
    ...answerer(served),
    attempts: seesAll ? shownAttempts(book.withoutInbox(after, adHoc), (client) => client) : null,
    counts: {
      ...countsOf(counted.filter(({ attempt }) => attempt.around.adHoc === adHoc)),
      // With credentials, counts outside the workspace include only this client's attempts, to hide those of others.
      ...acrossAdHoc(adHoc === null ? counted : book.since(after, client), adHoc),
    },
  };
}

/**
 * Like `sessionAttempts`, but also lists the attempts for each inbox that the caller may list (D67). A workspace gets
 * its own attempts, without sessions that named no inbox, because other clients may have opened these.
 */
function allAttempts(served: Served, request: Request, after: number): SessionAttempts {
  const { attempts: book, viewers } = served;
  const sessions = sessionAttempts(served, request, after);
  const lister = viewers.listerOf(request);
  if (lister === null) return sessions;
  const mayList = (inbox: string | null) => (inbox === null ? sessions.attempts !== null : lister.mayOpen(inbox));
  const listed = book.ofInboxes(mayList, after, lister.adHoc);
  return { ...sessions, attempts: shownAttempts(listed, sightOf(served, request)) };
}

function answerer(served: Served): Pick<InboxAttempts, 'node' | 'now' | 'smtp'> {
  const { settings, smtpOffers, clock } = served;
  const smtp = { port: smtpAddress(served).smtp.port, domains: settings.domain, ...smtpOffers };
  return { node: hostname(), now: new Date(clock.now()).toISOString(), smtp };
}

function shownWait({ since, waiter, selection }: Wait, sight: ClientSight): InboxWait {
  const { after, ...filter } = selection;
  const shown = Object.entries(filter).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, MAX_FILTER_CHARS) : value,
  ]);
  return {
    since: new Date(since).toISOString(),
    way: waiter.way,
    client: sight(waiter.client),
    filter: {
      ...(after !== undefined && { after: new Date(after).toISOString() }),
      ...Object.fromEntries(shown),
    },
  };
}

const AFTER: Field = {
  schema: RECEIVED_AT,
  rule: 'use it once, with a time such as 2026-01-31T09:30:00.000Z',
};

const QUERY = { query: { after: AFTER, source: SOURCE }, elsewhere: 'it does not select attempts; use "after"' };
const INBOX_INPUT = reading({ path: INBOX_FIELDS, ...QUERY });
const INBOXES: Field = { schema: { type: 'string', enum: ['all'] }, rule: 'use it once, with the value "all"' };
const INPUT = reading({ ...QUERY, query: { ...QUERY.query, inboxes: INBOXES } });

interface AfterQuery {
  readonly after?: string;
}

/** `GET /api/inbox/{name}/attempts` and `GET /api/attempts` (D60). */
export function addAttemptRoutes(app: App, served: Served): void {
  app.get<{ Params: { name: string }; Querystring: AfterQuery }>(
    '/api/inbox/:name/attempts',
    INBOX_INPUT.options('read'),
    async (request): Promise<InboxAttempts> =>
      inboxAttempts(served, request, served.access.inboxOf(request), timeOf(request.query.after) ?? 0),
  );
  app.get<{ Querystring: AfterQuery & { readonly inboxes?: 'all' } }>(
    '/api/attempts',
    INPUT.options('read'),
    async (request): Promise<SessionAttempts> => {
      const { after, inboxes } = request.query;
      return (inboxes === 'all' ? allAttempts : sessionAttempts)(served, request, timeOf(after) ?? 0);
    },
  );
}
