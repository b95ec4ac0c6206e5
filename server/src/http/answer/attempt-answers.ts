import type { InboxAttempts, SessionAttempts } from 'mayfly-client';
import type { AttemptBook } from '../../attempts/book.js';
import { countsOf, shownAttempts } from '../../attempts/shown-attempts.js';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import type { SpaceAccounts } from '../../inbox/spaces/space-accounts.js';
import type { Access } from '../access/access.js';
import type { Viewers } from '../access/viewers.js';
import type { Request } from '../framework.js';
import type { PublicSettings } from '../routes/public-settings.js';
import { RequestError } from './request-error.js';

export interface AttemptAnswersOptions {
  readonly book: AttemptBook;
  readonly access: Access;
  readonly viewers: Viewers;
  /** Null without spaces. */
  readonly spaces: Pick<SpaceAccounts, 'hasMail'> | null;
  readonly settings: Pick<PublicSettings, 'domains' | 'smtp' | 'smtpOffers'>;
  /** The name of this node. */
  readonly node: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** What clients are told of attempts to send mail (D60). Both throw 503 until SMTP listens. */
export class AttemptAnswers {
  readonly #options: AttemptAnswersOptions;

  constructor(options: AttemptAnswersOptions) {
    this.#options = options;
  }

  /**
   * The attempts for an inbox, which the caller may open, since a moment; and mail for its name in other domains. That
   * tells the names of other inboxes, so a service that others reach, or whose domains were chosen, keeps it.
   */
  ofInbox(request: Request, inbox: string, after: number): InboxAttempts {
    const { book, viewers, access, spaces } = this.#options;
    const space = access.spaceOf(request);
    return {
      ...this.#answerer(),
      attempts: shownAttempts(book.ofInbox(inbox, after)),
      elsewhere: viewers.areHere(request) ? book.elsewhere(inbox, after) : [],
      newSpace: space !== null && !(spaces?.hasMail(space) ?? true),
    };
  }

  /** The attempts without an inbox since a moment, and the counts of all, as far as a caller may see them. */
  sessions(request: Request, after: number): SessionAttempts {
    const { book, access, viewers } = this.#options;
    const space = access.spaceOf(request);
    const seesAll = space !== null || viewers.areAdmitted(request);
    const counted = book.since(after, seesAll ? null : access.clientOf(request));
    return {
      ...this.#answerer(),
      attempts: seesAll ? shownAttempts(book.withoutInbox(after, space)) : null,
      counts: countsOf(counted.filter((attempt) => attempt.space === space)),
    };
  }

  #answerer(): Pick<InboxAttempts, 'node' | 'now' | 'smtp'> {
    const { settings, node, clock } = this.#options;
    const { domains, smtpOffers } = settings;
    const address = settings.smtp();
    if (address === null) throw new RequestError(httpErrors.notReady, { part: 'the SMTP listener' });
    const smtp = { port: address.port, domains, ...smtpOffers };
    return { node, now: new Date(clock.now()).toISOString(), smtp };
  }
}
