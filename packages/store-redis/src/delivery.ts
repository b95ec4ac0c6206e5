import { type Appended, bytesOf, Semaphore, StoreAwayError, type StoreLimits } from '../../server/dist/store/seam.js';
import type { AllMail } from './all-mail.js';
import { isOutOfMemory, textsOf } from './client.js';
import { emailKey, emailOf, emailsOf, GRACE_MS, keysOf, type Message, memberOf, type RedisEmail } from './rows.js';
import type { Servers } from './servers.js';
import type { TimeFloor } from './time-floor.js';
import { pause } from './timers.js';

/** Maximum number of bytes of one delivery in flight. A single larger email may exceed it. */
const MAX_IN_FLIGHT_BYTES = 16 * 1024 * 1024;

/** How long Redis refuses a rolled-back email, which a delayed command may still try to store. */
const REFUSED_MS = 10 * 60_000;
const RETRY_MS = 1_000;

const MAX_PENDING_ROLLBACKS = 10_000;

type Refusal = (Appended & { readonly stored: false })['reason'];

/** The email for one recipient of a message. */
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
 * Stores a message in the inboxes of all of its recipients or in none. If an inbox refuses its email or is unreachable,
 * the emails in the other inboxes are rolled back, but are visible until then. If replicas are required, no email is
 * visible before enough replicas have all of them. If the node dies midway, some inboxes keep an unacknowledged email.
 */
export class Deliveries {
  readonly #options: DeliveryOptions;
  #pendingRollbacks = 0;
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
        // A change of owner raises the floor (see `TimeFloor`), but the library resends a redirected command unchanged.
        const mayBeEarly = !isReplicated && owners() !== before;
        if (mayBeEarly) floor.raise();
        const isEarly = mayBeEarly && sent.some(({ receivedAt }) => floor.atLeast(receivedAt) > receivedAt);
        if (reason === null && !isEarly) return { stored: true, receivedAt: sent.map(({ receivedAt }) => receivedAt) };
        await this.#rollBackAll(sent, now);
        if (reason !== null) return { stored: false, reason };
      } catch (error) {
        await this.#rollBackAll(sent, now);
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

  /** Resolves to the reason of the first refusal, or null. Sends nothing more after a refusal. */
  async #storeAll(message: Message, sent: readonly Sent[], now: number): Promise<Refusal | null> {
    const bytes = bytesOf([message.index, message.summary, ...message.chunks]);
    const semaphore = new Semaphore(Math.max(1, Math.floor(MAX_IN_FLIGHT_BYTES / Math.max(1, bytes))));
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
      if (answer === 'rolled-back') throw new StoreAwayError('the email arrived after its rollback');
      one.outcome = answer === 'inbox-full' ? answer : 'stored';
      one.receivedAt = Number(answer);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      one.outcome = 'store-full';
    }
  }

  /** Shows stored emails in their inboxes while it indexes them, because readers of the index skip hidden emails. */
  async #show(stored: readonly RedisEmail[], now: number): Promise<void> {
    const { allMail, floor, isReplicated } = this.#options;
    const showing = isReplicated ? stored.map((email) => this.#showOne(email)) : [];
    const [, ...others] = await Promise.all([allMail.add(stored, now), ...showing]);
    await allMail.add(others.flat(), now);
    for (const { receivedAt } of stored) floor.saw(receivedAt);
  }

  /** Resolves, once enough replicas list the email, to the other emails of the inbox that became visible with it. */
  async #showOne({ inbox, name, receivedAt, expiresAt }: RedisEmail): Promise<RedisEmail[]> {
    const { emails, hidden, state } = keysOf(inbox);
    const args = [`${receivedAt}`, `${expiresAt + GRACE_MS}`];
    const rows = await this.#options.servers.script(inbox, 'show', [emails, hidden, state], args, { isLasting: true });
    return emailsOf(inbox, textsOf(rows)).filter((other) => other.name !== name);
  }

  /** Rolls back all copies. Waits for at most a second, because the sender gets the same reply either way. */
  async #rollBackAll(sent: readonly Sent[], now: number): Promise<void> {
    const rollBack = (wanted: Sent['outcome']) => {
      return sent.filter(({ outcome }) => outcome === wanted).map((one) => this.#rollBack(one, now));
    };
    // Not awaited: an outcome is unknown only if the server did not reply, and it may not reply to a rollback either.
    rollBack('unknown');
    await Promise.race([Promise.all(rollBack('stored')), pause(RETRY_MS)]);
  }

  async #rollBack({ inbox, name, member }: Sent, now: number): Promise<void> {
    if (this.#pendingRollbacks >= MAX_PENDING_ROLLBACKS) return;
    this.#pendingRollbacks += 1;
    const { emails, hidden } = keysOf(inbox);
    const args = [member, `${now + REFUSED_MS}`];
    for (let waited = 0; waited < REFUSED_MS && !this.#isClosed; waited += RETRY_MS) {
      const running = this.#options.servers.script(inbox, 'roll-back', [emails, hidden, emailKey(inbox, name)], args);
      const isDone = await running.then(
        () => true,
        () => false,
      );
      if (isDone) break;
      await pause(RETRY_MS);
    }
    this.#pendingRollbacks -= 1;
  }
}
