import { hostname } from 'node:os';
import type { InboxAttempts, InboxWait, SessionAttempts } from 'mayfly-protocol';
import type { Sought } from '../../attempts/book.js';
import { acrossAdHoc, type ClientSight, countsOf, isFailure, shownAttempts } from '../../attempts/shown-attempts.js';
import type { Viewer } from '../../inbox/all-mail.js';
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
export function inboxAttempts(served: Served, request: Request, inbox: string, sought: Sought): InboxAttempts {
  const { attempts: book, inboxes, viewers, adHocQuota } = served;
  const { client: own, adHoc } = request.caller;
  const { after } = sought;
  const seesOthers = viewers.seeOthers(request);
  const sight = sightOf(served, request);
  // With credentials, counts outside the workspace include only this client's attempts, to hide those of others.
  const client = adHoc === null && seesOthers ? null : own;
  return {
    ...answerer(served),
    attempts: shownAttempts(book.ofInbox(inbox, sought), sight),
    waits: [...inboxes.changes.of(inbox)].slice(0, MAX_WAITS).map((wait) => shownWait(wait, sight)),
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

/**
 * Attempts that named no inbox, and counts of every attempt that the caller may see. With `lister`, also lists the
 * attempts for each inbox that the caller may list (D67). A workspace gets its own attempts, without sessions that named
 * no inbox, because other clients may have opened these. Throws 503 until SMTP listens.
 */
export function sessionAttempts(
  served: Served,
  request: Request,
  sought: Sought,
  lister: Viewer | null = null,
): SessionAttempts {
  const { attempts: book, viewers } = served;
  const { client, adHoc } = request.caller;
  const { after } = sought;
  const seesAll = adHoc !== null || viewers.areAdmitted(request);
  const counted = book.since(after, seesAll ? null : client);
  const listed = () => {
    if (lister === null) return seesAll ? shownAttempts(book.withoutInbox(sought, adHoc), (one) => one) : null;
    const mayList = (inbox: string | null) => (inbox === null ? seesAll : lister.mayOpen(inbox));
    return shownAttempts(book.ofInboxes(mayList, sought, lister.adHoc), sightOf(served, request));
  };
  return {
    ...answerer(served),
    attempts: listed(),
    counts: {
      ...countsOf(counted.filter(({ attempt }) => attempt.around.adHoc === adHoc)),
      // With credentials, counts outside the workspace include only this client's attempts, to hide those of others.
      ...acrossAdHoc(adHoc === null ? counted : book.since(after, client), adHoc),
    },
  };
}

function answerer(served: Served): Pick<InboxAttempts, 'node' | 'now' | 'smtp'> {
  const { settings, smtpOffers, clock } = served;
  const smtp = { port: smtpAddress(served).smtp.port, domains: settings.domain, ...smtpOffers };
  return { node: hostname(), now: new Date(clock.now()).toISOString(), smtp };
}

function shownWait({ since, waiter, selection }: Wait, sight: ClientSight): InboxWait {
  const { after, ...filter } = selection;
  const shown = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value.slice(0, MAX_FILTER_CHARS) : value]],
  );
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

const OUTCOME: Field = { schema: { type: 'string', enum: ['failed'] }, rule: 'use it once, with the value "failed"' };

const QUERY = {
  query: { after: AFTER, outcome: OUTCOME, source: SOURCE },
  elsewhere: 'it does not select attempts; use "after" or "outcome"',
};
const INBOX_INPUT = reading({ path: INBOX_FIELDS, ...QUERY });
const INBOXES: Field = { schema: { type: 'string', enum: ['all'] }, rule: 'use it once, with the value "all"' };
const INPUT = reading({ ...QUERY, query: { ...QUERY.query, inboxes: INBOXES } });

interface AttemptQuery {
  readonly after?: string;
  readonly outcome?: 'failed';
}

function soughtBy({ after, outcome }: AttemptQuery): Sought {
  return { after: timeOf(after) ?? 0, ...(outcome && { isListed: isFailure }) };
}

/** `GET /api/inbox/{name}/attempts` and `GET /api/attempts` (D60). */
export function addAttemptRoutes(app: App, served: Served): void {
  app.get<{ Params: { name: string }; Querystring: AttemptQuery }>(
    '/api/inbox/:name/attempts',
    INBOX_INPUT.options('read'),
    async (request): Promise<InboxAttempts> =>
      inboxAttempts(served, request, served.access.inboxOf(request), soughtBy(request.query)),
  );
  app.get<{ Querystring: AttemptQuery & { readonly inboxes?: 'all' } }>(
    '/api/attempts',
    INPUT.options('read'),
    async (request): Promise<SessionAttempts> => {
      const { inboxes, ...query } = request.query;
      const lister = inboxes === 'all' ? served.viewers.listerOf(request) : null;
      return sessionAttempts(served, request, soughtBy(query), lister);
    },
  );
}
