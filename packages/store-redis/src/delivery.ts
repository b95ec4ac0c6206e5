import { type Appended, bytesOf, Semaphore, StoreAwayError, type StoreLimits } from '../../server/dist/store/seam.js';
import type { AllMail } from './all-mail.js';
import { isOutOfMemory, textsOf } from './client.js';
import { emailKey, emailOf, emailsOf, GRACE_MS, keysOf, type Message, memberOf, type RedisEmail } from './rows.js';
import type { Servers } from './servers.js';
import type { TimeFloor } from './time-floor.js';
import { pause } from './timers.js';

/** A delivery's bytes on their way at a time, beside one email that has more by itself. */
const MAX_UNDER_WAY_BYTES = 16 * 1024 * 1024;

/** How long an email is turned away that was taken back, and in which pauses a master is asked to that was away. */
const TURNED_AWAY_MS = 10 * 60_000;
const AGAIN_MS = 1_000;

/** Emails that are still to be taken back, at most. */
const MAX_LEFT = 10_000;

type Refusal = (Appended & { readonly stored: false })['reason'];

/** One recipient's email on its way. */
interface Sent {
  readonly inbox: string;
  readonly name: string;
  readonly member: string;
  outcome: 'unsent' | 'unknown' | 'stored' | Refusal;
  receivedAt: number;
}

export interface DeliveryOptions {
  readonly servers: Servers;
  readonly limits: StoreLimits;
  readonly allMail: AllMail;
  readonly floor: TimeFloor;
  readonly isReplicated: boolean;
}

/**
 * Stores messages in all of their recipients' inboxes or in none: when an inbox refuses its email or cannot be reached,
 * the others take theirs back. Until then they show it, unless replicas must have mail first: then it is shown once all
 * inboxes have it. A node that dies in between leaves it there, unacknowledged.
 */
export class Deliveries {
  readonly #options: DeliveryOptions;
  #left = 0;
  #isClosed = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  async store(message: Message, now: number): Promise<Appended> {
    const { servers, floor, isReplicated } = this.#options;
    const owners = () => message.recipients.map(({ inbox }) => servers.ownerOf(inbox)).join();
    for (;;) {
      const before = owners();
      const sent = this.#emailsOf(message);
      try {
        const reason = await this.#storeAll(message, sent, now);
        // The library repeats a redirected command as it was: it may not be behind all that was shown (see `TimeFloor`).
        const mayBeEarly = !isReplicated && owners() !== before;
        if (mayBeEarly) floor.raise();
        const isEarly = mayBeEarly && sent.some(({ receivedAt }) => floor.atLeast(receivedAt) > receivedAt);
        if (reason === null && !isEarly) return { stored: true, receivedAt: sent.map(({ receivedAt }) => receivedAt) };
        await this.#takeBackAll(sent, now);
        if (reason !== null) return { stored: false, reason };
      } catch (error) {
        await this.#takeBackAll(sent, now);
        throw error;
      }
      message = { ...message, name: `${message.name}~` };
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  #emailsOf({ recipients, name: message, sizes, chunks }: Message): Sent[] {
    return recipients.map(({ inbox, to }, ordinal) => {
      const name = `${message}.${ordinal}`;
      const member = memberOf({ name, to, ...sizes, chunks: chunks.length }, this.#options.limits.retentionMs);
      return { inbox, name, member, outcome: 'unsent', receivedAt: 0 };
    });
  }

  /** Resolves to why one is refused; after that, later ones are not tried. */
  async #storeAll(message: Message, sent: readonly Sent[], now: number): Promise<Refusal | null> {
    const bytes = bytesOf([message.index, message.summary, ...message.chunks]);
    const semaphore = new Semaphore(Math.max(1, Math.floor(MAX_UNDER_WAY_BYTES / Math.max(1, bytes))));
    let isOver = false;
    const storing = sent.map((one) =>
      semaphore.run(async () => {
        if (!isOver)
          await this.#storeOne(message, one, now).finally(() => {
            isOver ||= one.outcome !== 'stored';
          });
      }),
    );
    for (const result of await Promise.allSettled(storing)) if (result.status === 'rejected') throw result.reason;
    for (const reason of ['inbox-full', 'store-full'] as const) {
      if (sent.some(({ outcome }) => outcome === reason)) return reason;
    }
    const stored = sent.map(({ inbox, member, receivedAt }) => emailOf(inbox, member, receivedAt));
    await this.#show(
      stored.filter(({ expiresAt }) => expiresAt > now),
      now,
    );
    return null;
  }

  async #storeOne(message: Message, one: Sent, now: number): Promise<void> {
    const { servers, limits, floor, isReplicated } = this.#options;
    const { emails, hidden, state } = keysOf(one.inbox);
    const args = () => {
      const numbers = [now, floor.atLeast(message.receivedAt), limits.retentionMs, limits.maxEmails, GRACE_MS];
      const { index, summary, chunks } = message;
      return [...numbers.map(String), isReplicated ? '1' : '', one.member, index, summary, ...chunks];
    };
    one.outcome = 'unknown';
    try {
      const keys = [emails, hidden, state, emailKey(one.inbox, one.name)];
      const answer = String(await servers.script(one.inbox, 'store', keys, args, { isLasting: true }));
      if (answer === 'taken-back') throw new StoreAwayError('the email arrived after it was taken back');
      one.outcome = answer === 'inbox-full' ? answer : 'stored';
      one.receivedAt = Number(answer);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      one.outcome = 'store-full';
    }
  }

  /** Has emails that are stored listed in their inboxes, and among all mail, which shows none that its inbox does not. */
  async #show(stored: readonly RedisEmail[], now: number): Promise<void> {
    const { allMail, floor, isReplicated } = this.#options;
    const showing = isReplicated ? stored.map((email) => this.#showOne(email)) : [];
    const [, ...others] = await Promise.all([allMail.add(stored, now), ...showing]);
    await allMail.add(others.flat(), now);
    for (const { receivedAt } of stored) floor.saw(receivedAt);
  }

  /** Resolves once enough replicas know that it is shown, so that the next master shows it; to the others shown with it. */
  async #showOne({ inbox, name, receivedAt, expiresAt }: RedisEmail): Promise<RedisEmail[]> {
    const { emails, hidden, state } = keysOf(inbox);
    const args = [`${receivedAt}`, `${expiresAt + GRACE_MS}`];
    const rows = await this.#options.servers.script(inbox, 'show', [emails, hidden, state], args, { isLasting: true });
    return emailsOf(inbox, textsOf(rows)).filter((other) => other.name !== name);
  }

  /** Resolves once those that were stored are taken back, or soon: the sender is told the reason anyway. */
  async #takeBackAll(sent: readonly Sent[], now: number): Promise<void> {
    const takingBack = (wanted: Sent['outcome']) => {
      return sent.filter(({ outcome }) => outcome === wanted).map((one) => this.#takeBack(one, now));
    };
    // Whether these came, their servers do not say now.
    takingBack('unknown');
    await Promise.race([Promise.all(takingBack('stored')), pause(AGAIN_MS)]);
  }

  /** As long as an email would be turned away that comes late. */
  async #takeBack({ inbox, name, member }: Sent, now: number): Promise<void> {
    if (this.#left >= MAX_LEFT) return;
    this.#left += 1;
    const { emails, hidden } = keysOf(inbox);
    const args = [member, `${now + TURNED_AWAY_MS}`];
    for (let waited = 0; waited < TURNED_AWAY_MS && !this.#isClosed; waited += AGAIN_MS) {
      const taking = this.#options.servers.script(inbox, 'take-back', [emails, hidden, emailKey(inbox, name)], args);
      const isDone = await taking.then(
        () => true,
        () => false,
      );
      if (isDone) break;
      await pause(AGAIN_MS);
    }
    this.#left -= 1;
  }
}
