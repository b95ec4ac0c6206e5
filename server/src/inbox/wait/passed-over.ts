import type { Selection } from '../read/selecting.js';

/** How many inboxes and filters are remembered; those that were used longest ago are forgotten first. */
const MAX_REMEMBERED = 1_000;

const MAX_KEY_CHARS = 1_000;

/**
 * Up to where filters have let the mail of an inbox go by, so that who opens one stream after another with the same filter
 * makes nobody look at the same mail again. What did not match never will: mail does not change, and what comes is later.
 */
export class PassedOver {
  readonly #upTo = new Map<string, number>();

  /** Where to look from: what `selection` says itself, or later. `now` as in the store. */
  after(inbox: string, selection: Selection, now: number): number | undefined {
    const key = keyOf(inbox, selection);
    const upTo = this.#upTo.get(key);
    // A clock that was put back may give mail of an inbox that was forgotten an earlier time.
    if (upTo === undefined || upTo > now) return selection.after;
    return Math.max(upTo, selection.after ?? upTo);
  }

  /** Remembers that no email of an inbox up to this `receivedAt` matches, of those that the selection is about. */
  note(inbox: string, selection: Selection, upTo: number): void {
    const key = keyOf(inbox, selection);
    if (key.length > MAX_KEY_CHARS) return;
    this.#upTo.delete(key);
    this.#upTo.set(key, upTo);
    const [oldest] = this.#upTo.keys();
    if (this.#upTo.size > MAX_REMEMBERED && oldest !== undefined) this.#upTo.delete(oldest);
  }
}

function keyOf(inbox: string, { after, from, subject, body, hasOtp, hasMagicLink }: Selection): string {
  return JSON.stringify([inbox, after, from, subject, body, hasOtp, hasMagicLink]);
}
