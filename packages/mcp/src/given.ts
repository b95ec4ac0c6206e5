/**
 * How many clients are remembered; the one that asked longest ago is forgotten first. With the next two, some 100 MB at
 * the worst.
 */
const MAX_CLIENTS = 500;

/** How many inboxes of one client are remembered. */
const MAX_INBOXES = 200;

/** Emails per inbox that are remembered one by one. Older ones count as returned. */
const MAX_EMAILS = 20;

/** What waits gave of one inbox. */
interface GivenOfInbox {
  readonly emails: Set<string>;
  /** Whatever was received up to here counts as given. */
  upTo: string;
}

/**
 * Which emails waits have given to one caller. Requests over HTTP know nothing of each other, and an agent may forget
 * to say where it left off, or say it wrongly: it would take the code of the mail before for the one that it has just
 * asked for.
 */
export class Given {
  /** By inbox; the one that was used longest ago is first. */
  readonly #inboxes = new Map<string, GivenOfInbox>();

  /** Whether a wait gave an email, by its `receivedAt`. */
  has(inbox: string, receivedAt: string): boolean {
    const given = this.#inboxes.get(inbox);
    return given !== undefined && (receivedAt <= given.upTo || given.emails.has(receivedAt));
  }

  add(inbox: string, receivedAt: string): void {
    const given = this.#inboxes.get(inbox) ?? { emails: new Set(), upTo: '' };
    given.emails.add(receivedAt);
    if (given.emails.size > MAX_EMAILS) {
      const [oldest = ''] = [...given.emails].sort();
      given.emails.delete(oldest);
      given.upTo = oldest;
    }
    keepLast(this.#inboxes, inbox, given, MAX_INBOXES);
  }
}

/** The same of many callers. */
export class GivenByClient {
  readonly #clients = new Map<string, Given>();

  /** Emails returned to a client. */
  to(client: string): Given {
    const given = this.#clients.get(client) ?? new Given();
    keepLast(this.#clients, client, given, MAX_CLIENTS);
    return given;
  }
}

/** Puts an entry last, and drops the first where there are too many. */
function keepLast<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [first] = map.keys();
  if (map.size > most && first !== undefined) map.delete(first);
}
