import type { Attempt } from './attempt.js';

/** Which attempts are for which inbox, the oldest first. Most inboxes have one, for which there is no list. */
export class InboxIndex {
  readonly #byInbox = new Map<string, Attempt | Attempt[]>();

  of(inbox: string): readonly Attempt[] {
    const known = this.#byInbox.get(inbox);
    if (known === undefined) return [];
    return Array.isArray(known) ? known : [known];
  }

  add(attempt: Attempt): void {
    for (const { inbox } of attempt.recipients) if (inbox !== null) this.#add(inbox, attempt);
  }

  remove(attempt: Attempt): void {
    for (const { inbox } of attempt.recipients) if (inbox !== null) this.#remove(inbox, attempt);
  }

  #add(inbox: string, attempt: Attempt): void {
    const known = this.#byInbox.get(inbox);
    if (known === undefined) this.#byInbox.set(inbox, attempt);
    // It is there already where a mail names an inbox twice.
    else if (!Array.isArray(known)) known === attempt || this.#byInbox.set(inbox, [known, attempt]);
    else if (known.at(-1) !== attempt) known.push(attempt);
  }

  #remove(inbox: string, attempt: Attempt): void {
    const known = this.#byInbox.get(inbox);
    if (known === attempt) this.#byInbox.delete(inbox);
    if (!Array.isArray(known)) return;
    const at = known.indexOf(attempt);
    if (at >= 0) known.splice(at, 1);
    if (known.length === 0) this.#byInbox.delete(inbox);
  }
}
