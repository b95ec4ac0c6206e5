import type { InboxAttempts, InboxWait, SessionAttempts } from 'mayfly-protocol';
import type { AttemptBook } from '../../attempts/book.js';
import { acrossSpaces, type ClientSight, countsOf, shownAttempts } from '../../attempts/shown-attempts.js';
import type { Clock } from '../../base/clock.js';
import type { Inboxes, Wait } from '../../inbox/inboxes.js';
import type { SpaceAccounts } from '../../inbox/spaces.js';
import type { Access } from '../access/access.js';
import type { Viewers } from '../access/viewers.js';
import type { App, Request } from '../framework.js';
import { type Field, reading } from '../request/fields.js';
import { INBOX_FIELDS, RECEIVED_AT, SOURCE, takenElsewhere } from '../request/parameters.js';
import { type PublicSettings, smtpAddress } from './service.js';

const MAX_WAITS = 20;

const MAX_FILTER_CHARS = 200;

export interface AttemptAnswersOptions {
  readonly inboxes: Pick<Inboxes, 'waits'>;
  readonly attempts: AttemptBook;
  readonly access: Access;
  readonly viewers: Viewers;
  readonly spaces: Pick<SpaceAccounts, 'hasMail'> | null;
  readonly settings: Pick<PublicSettings, 'domains' | 'smtp' | 'smtpOffers'>;
  readonly node: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** The delivery log for clients (D60). Both methods throw 503 until SMTP listens. */
export class AttemptAnswers {
  readonly #options: AttemptAnswersOptions;

  constructor(options: AttemptAnswersOptions) {
    this.#options = options;
  }

  /**
   * The attempts for an inbox that the caller may open, its waiting clients, and mail to its name in other domains. The
   * last reveals other inboxes, so only a local service that accepts any domain returns it.
   */
  ofInbox(request: Request, inbox: string, after: number): InboxAttempts {
    const { attempts: book, inboxes, viewers, access, spaces } = this.#options;
    const space = access.spaceOf(request);
    const own = access.clientOf(request);
    const seesOthers = viewers.seeOthers(request);
    // On a shared service, a caller sees only its own address.
    const sight: ClientSight = (client) => (seesOthers || client === own ? client : null);
    // Credentials must not reveal what strangers send outside of their workspace.
    const client = space === null && seesOthers ? null : own;
    return {
      ...this.#answerer(),
      attempts: shownAttempts(book.ofInbox(inbox, after), sight),
      waits: inboxes.waits(inbox, MAX_WAITS).map((wait) => shownWait(wait, sight)),
      elsewhere: viewers.areHere(request) ? book.elsewhere(inbox, after) : [],
      newSpace: space !== null && !(spaces?.hasMail(space) ?? true),
      acrossSpaces: spaces === null ? 0 : book.acrossSpaces(book.addressing.addressOf(inbox), { after, client, space }),
    };
  }

  /** The attempts that named no inbox, and the counts of all, as far as the caller may see them. */
  sessions(request: Request, after: number): SessionAttempts {
    const { attempts: book, access, viewers } = this.#options;
    const space = access.spaceOf(request);
    const seesAll = space !== null || viewers.areAdmitted(request);
    const counted = book.since(after, seesAll ? null : access.clientOf(request));
    return {
      ...this.#answerer(),
      attempts: seesAll ? shownAttempts(book.withoutInbox(after, space), (client) => client) : null,
      counts: {
        ...countsOf(counted.filter(({ attempt }) => attempt.around.space === space)),
        // Credentials must not reveal what strangers send outside of their workspace.
        ...acrossSpaces(space === null ? counted : book.since(after, access.clientOf(request)), space),
      },
    };
  }

  #answerer(): Pick<InboxAttempts, 'node' | 'now' | 'smtp'> {
    const { settings, node, clock } = this.#options;
    const { domains, smtpOffers } = settings;
    const smtp = { port: smtpAddress(settings).smtp.port, domains, ...smtpOffers };
    return { node, now: new Date(clock.now()).toISOString(), smtp };
  }
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
  rule: 'give a time once, such as 2026-01-31T09:30:00.000Z',
};

const QUERY = { after: AFTER, source: SOURCE };
const refused = takenElsewhere(QUERY, 'it does not select attempts: use after');
const INBOX_INPUT = reading({ path: INBOX_FIELDS, query: QUERY, refused });
const INPUT = reading({ query: QUERY, refused });

interface AfterQuery {
  readonly after?: string;
}

/** `GET /api/inbox/{name}/attempts` and `GET /api/attempts` (D60). */
export function addAttemptRoutes(app: App, answers: AttemptAnswers, access: Access): void {
  app.get<{ Params: { name: string }; Querystring: AfterQuery }>(
    '/api/inbox/:name/attempts',
    INBOX_INPUT.options('read'),
    async (request): Promise<InboxAttempts> => {
      return answers.ofInbox(request, access.inboxOf(request), momentOf(request.query));
    },
  );
  app.get<{ Querystring: AfterQuery }>(
    '/api/attempts',
    INPUT.options('read'),
    async (request): Promise<SessionAttempts> => answers.sessions(request, momentOf(request.query)),
  );
}

function momentOf({ after }: AfterQuery): number {
  return after === undefined ? 0 : Date.parse(after);
}
