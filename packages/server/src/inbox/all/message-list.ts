import type { ContentKey, Store, StoredEmail } from '../../store/store.js';

/** One message with at least one email of its recipients. Immutable. */
export interface Message {
  readonly key: ContentKey;
  readonly emails: readonly StoredEmail[];
}

/** Emails by message, the last to expire first. A change costs its inbox and a pass. Lists given out do not change. */
export class Listing {
  readonly #store: Store;
  #messages: Message[] = [];
  readonly #byKey = new Map<ContentKey, Message>();
  readonly #byInbox = new Map<string, StoredEmail[]>();
  #emails = 0;
  /** What expires earlier is beyond the list. */
  #end = Number.NEGATIVE_INFINITY;
  #isGivenOut = false;

  constructor(store: Store) {
    this.#store = store;
  }

  get messages(): readonly Message[] {
    this.#isGivenOut = true;
    return this.#messages;
  }

  get emails(): number {
    return this.#emails;
  }

  /** Adds an email that expires last. Only while the list is not given out. */
  append(email: StoredEmail): void {
    const key = this.#store.contentKey(email);
    const before = this.#byKey.get(key);
    this.#note(email);
    if (before === undefined) {
      const message = { key, emails: [email] };
      this.#byKey.set(key, message);
      this.#messages.push(message);
    } else (before.emails as StoredEmail[]).push(email);
  }

  end(): void {
    const last = this.#messages.at(-1);
    if (last !== undefined) this.#end = placeOf(last);
  }

  /** Updates these inboxes. Emails beyond the end of the list stay out. */
  replace(inboxes: ReadonlyMap<string, readonly StoredEmail[]>): void {
    /** Null if nothing of a message is left. */
    const touched = new Map<ContentKey, Message | null>();
    const change = (email: StoredEmail, next: (emails: readonly StoredEmail[]) => readonly StoredEmail[]) => {
      const key = this.#store.contentKey(email);
      const before = touched.has(key) ? touched.get(key) : this.#byKey.get(key);
      const emails = next(before?.emails ?? []);
      touched.set(key, emails.length === 0 ? null : { key, emails });
    };
    for (const [inbox, all] of inboxes) {
      const emails = all.filter(({ expiresAt }) => expiresAt >= this.#end);
      const before = this.#byInbox.get(inbox) ?? [];
      const [had, has] = [before, emails].map((list) => new Set(list.map(({ receivedAt }) => receivedAt)));
      const come = emails.filter(({ receivedAt }) => !had?.has(receivedAt));
      for (const email of before)
        if (!has?.has(email.receivedAt)) change(email, (all) => all.filter((one) => one !== email));
      for (const email of come) change(email, (all) => [...all, email]);
      this.#has(inbox, [...before.filter(({ receivedAt }) => has?.has(receivedAt)), ...come]);
    }
    const changes = new Map<Message, Message | null>();
    const added: Message[] = [];
    for (const [key, message] of touched) {
      const before = this.#byKey.get(key);
      if (before !== undefined) changes.set(before, message);
      else if (message !== null) added.push(message);
      if (message === null) this.#byKey.delete(key);
      else this.#byKey.set(key, message);
    }
    this.#put(changes, added);
  }

  cut(now: number, most: number): void {
    for (let last = this.#messages.at(-1); last !== undefined; last = this.#messages.at(-1)) {
      const isExpired = last.emails.every(({ expiresAt }) => expiresAt <= now);
      if (this.#emails <= most && !isExpired) return;
      if (!isExpired) this.end();
      this.#own();
      this.#messages.pop();
      this.#byKey.delete(last.key);
      for (const email of last.emails) {
        this.#has(
          email.inbox,
          (this.#byInbox.get(email.inbox) ?? []).filter((one) => one !== email),
        );
      }
    }
  }

  #put(changes: ReadonlyMap<Message, Message | null>, added: Message[]): void {
    if (changes.size > 0) {
      const put: Message[] = [];
      for (const message of this.#messages) {
        const next = changes.get(message);
        if (next === undefined) put.push(message);
        else if (next !== null) put.push(next);
      }
      this.#messages = put;
      this.#isGivenOut = false;
    }
    if (added.length === 0) return;
    this.#own();
    // Of two that expire together, the later message is first.
    added.sort((one, other) => placeOf(one) - placeOf(other) || laterLast(one.key, other.key));
    for (const message of added) this.#messages.splice(this.#positionOf(placeOf(message)), 0, message);
  }

  /** Before all that expire no later. */
  #positionOf(expiresAt: number): number {
    let [low, high] = [0, this.#messages.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (placeOf(this.#messages[middle] as Message) > expiresAt) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #own(): void {
    if (!this.#isGivenOut) return;
    this.#messages = this.#messages.slice();
    this.#isGivenOut = false;
  }

  #note(email: StoredEmail): void {
    const others = this.#byInbox.get(email.inbox);
    if (others === undefined) this.#byInbox.set(email.inbox, [email]);
    else others.push(email);
    this.#emails += 1;
  }

  #has(inbox: string, emails: StoredEmail[]): void {
    this.#emails += emails.length - (this.#byInbox.get(inbox)?.length ?? 0);
    if (emails.length === 0) this.#byInbox.delete(inbox);
    else this.#byInbox.set(inbox, emails);
  }
}

function placeOf({ emails }: Message): number {
  return emails[0]?.expiresAt ?? 0;
}

function laterLast(one: ContentKey, other: ContentKey): number {
  return typeof one === 'number' && typeof other === 'number' ? one - other : 0;
}
