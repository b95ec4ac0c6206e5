/**
 * Maximum number of remembered clients. The least recently used is dropped first. Together with the next two limits,
 * this limits memory to about 100 MB.
 */
const MAX_CLIENTS = 500;

/** Maximum number of remembered inboxes per client. */
const MAX_INBOXES = 200;

/** Maximum number of remembered emails per inbox. Emails older than these count as returned. */
const MAX_EMAILS = 20;

/** The emails that waits have returned from one inbox. */
interface GivenOfInbox {
  readonly emails: Set<string>;
  /** Every email received up to this time counts as returned. */
  upTo: string;
}

/**
 * The emails that waits have returned to one caller. HTTP requests share no state, so without this record, an agent
 * that omits or mistakes the time of its last email would get that email's old code instead of the new one.
 */
export class Given {
  /** The emails by inbox, the least recently used inbox first. */
  readonly #inboxes = new Map<string, GivenOfInbox>();

  /** Whether a wait has returned the email with this `receivedAt`. */
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

/** The emails that waits have returned to each client. */
export class GivenByClient {
  readonly #clients = new Map<string, Given>();

  /** Emails returned to a client. */
  to(client: string): Given {
    const given = this.#clients.get(client) ?? new Given();
    keepLast(this.#clients, client, given, MAX_CLIENTS);
    return given;
  }
}

/** Moves an entry to the end, and drops the first if there are too many. */
export function keepLast<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [first] = map.keys();
  if (map.size > most && first !== undefined) map.delete(first);
}
