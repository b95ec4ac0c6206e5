import type { InboxAttempts, InboxWait, InboxWaitFilter, SessionAttempts } from 'mayfly-protocol';
import type { AttemptBook } from '../../attempts/book.js';
import { acrossSpaces, type ClientSight, countsOf, shownAttempts } from '../../attempts/shown-attempts.js';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import type { Inboxes, Selection, Wait } from '../../inbox/inboxes.js';
import type { SpaceAccounts } from '../../inbox/spaces/space-accounts.js';
import type { Access } from '../access/access.js';
import type { Viewers } from '../access/viewers.js';
import type { Request } from '../framework.js';
import type { PublicSettings } from '../routes/public-settings.js';
import { RequestError } from './request-error.js';

const MAX_WAITS = 20;

const MAX_FILTER_CHARS = 200;

export interface AttemptAnswersOptions {
  readonly inboxes: Pick<Inboxes, 'waits'>;
  readonly book: AttemptBook;
  readonly access: Access;
  readonly viewers: Viewers;
  readonly spaces: Pick<SpaceAccounts, 'hasMail'> | null;
  readonly settings: Pick<PublicSettings, 'domains' | 'smtp' | 'smtpOffers'>;
  readonly node: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** What clients are told of attempts to send mail (D60). Both methods throw 503 until SMTP listens. */
export class AttemptAnswers {
  readonly #options: AttemptAnswersOptions;

  constructor(options: AttemptAnswersOptions) {
    this.#options = options;
  }

  /**
   * The attempts for an inbox that the caller may open, who waits there, and mail for its name in other domains. The
   * last names other inboxes, so only a service that others cannot reach, and that takes any domain, tells it.
   */
  ofInbox(request: Request, inbox: string, after: number): InboxAttempts {
    const { book, inboxes, viewers, access, spaces } = this.#options;
    const space = access.spaceOf(request);
    const sight = this.#sightOf(request);
    // A pair must not tell what strangers send outside of its space.
    const client = space === null && viewers.seeOthers(request) ? null : access.clientOf(request);
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
    const { book, access, viewers } = this.#options;
    const space = access.spaceOf(request);
    const seesAll = space !== null || viewers.areAdmitted(request);
    const counted = book.since(after, seesAll ? null : access.clientOf(request));
    return {
      ...this.#answerer(),
      attempts: seesAll ? shownAttempts(book.withoutInbox(after, space), (client) => client) : null,
      counts: {
        ...countsOf(counted.filter(({ attempt }) => attempt.around.space === space)),
        // A pair must not tell what strangers send outside of its space.
        ...acrossSpaces(space === null ? counted : book.since(after, access.clientOf(request)), space),
      },
    };
  }

  /** On a service that others use, too, a caller sees no address but its own. */
  #sightOf(request: Request): ClientSight {
    const { access, viewers } = this.#options;
    if (viewers.seeOthers(request)) return (client) => client;
    const own = access.clientOf(request);
    return (client) => (client === own ? client : null);
  }

  #answerer(): Pick<InboxAttempts, 'node' | 'now' | 'smtp'> {
    const { settings, node, clock } = this.#options;
    const { domains, smtpOffers } = settings;
    const address = settings.smtp();
    if (address === null) throw new RequestError(httpErrors.notReady, { part: 'the SMTP listener' });
    const smtp = { port: address.smtp.port, domains, ...smtpOffers };
    return { node, now: new Date(clock.now()).toISOString(), smtp };
  }
}

function shownWait({ since, waiter, selection }: Wait, sight: ClientSight): InboxWait {
  return {
    since: new Date(since).toISOString(),
    way: waiter.way,
    client: sight(waiter.client),
    filter: shownFilter(selection),
  };
}

function shownFilter({ after, from, subject, body, hasOtp, hasMagicLink }: Selection): InboxWaitFilter {
  const text = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [name]: value.slice(0, MAX_FILTER_CHARS) };
  return {
    ...(after !== undefined && { after: new Date(after).toISOString() }),
    ...text('from', from),
    ...text('subject', subject),
    ...text('body', body),
    ...(hasOtp !== undefined && { hasOtp }),
    ...(hasMagicLink !== undefined && { hasMagicLink }),
  };
}
