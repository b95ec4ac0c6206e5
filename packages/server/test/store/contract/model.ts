import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delivery, Store } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { contentOf, costOf, delivery, indexOf, NOON, shareAPart, summaryOf } from '../mail.js';

const LIMITS = { retentionMs: 1_000, maxEmails: 3, budgetBytes: 12_000 };
const INBOXES = ['a', 'b', 'c'];

interface Append {
  readonly do: 'append';
  readonly inboxes: string[];
  /** How long before the current time the mail was received. */
  readonly lagMs: number;
  readonly bytes: number;
}

/** A time at which no email of the model is received. */
const NO_TIME = 0;

/** A step of the model. The store's clock only moves forward, but the time of receipt may move back. */
type Step =
  | Append
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'clear'; readonly inbox: string }
  /** Clears the email with this index in the list, newest first. */
  | { readonly do: 'clearOne'; readonly inbox: string; readonly newer: number }
  | { readonly do: 'purge' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      inboxes: fc.array(fc.constantFrom(...INBOXES), { minLength: 1, maxLength: 3 }),
      lagMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_200 })),
      // Mostly small, so that an inbox often reaches `maxEmails` before the store reaches its quota.
      bytes: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 60 }) }, fc.integer({ min: 0, max: 4_000 })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 600 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'purge' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), inbox: fc.constantFrom(...INBOXES) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('clearOne' as const),
      inbox: fc.constantFrom(...INBOXES),
      newer: fc.integer({ min: 0, max: 4 }),
    }),
  },
);

/** An email in the model. */
interface Remembered {
  readonly inbox: string;
  readonly receivedAt: number;
  readonly text: string;
  isCleared: boolean;
}

/** The simplest implementation of the contract: it keeps every email forever, and always searches all of them. */
class Model {
  now = NOON;
  readonly #remembered: Remembered[] = [];
  readonly expiresByItself: boolean;

  constructor(expiresByItself: boolean) {
    this.expiresByItself = expiresByItself;
  }

  readonly isUnexpired = ({ receivedAt }: { receivedAt: number }): boolean =>
    this.now < receivedAt + LIMITS.retentionMs;

  /** Returns the unexpired emails of an inbox, newest first, including cleared emails. */
  had(inbox: string): Remembered[] {
    return this.#remembered.filter((email) => email.inbox === inbox && this.isUnexpired(email)).reverse();
  }

  /** Returns the visible emails of an inbox, newest first. */
  list(inbox: string): Remembered[] {
    return this.had(inbox).filter((email) => !email.isCleared);
  }

  clear(inbox: string): void {
    for (const email of this.had(inbox)) email.isCleared = true;
  }

  /**
   * Returns the `receivedAt` of a delivery's emails if the store accepts the delivery. A new email gets a later
   * `receivedAt` than all emails of its inbox that are not purged yet, even if these have expired.
   */
  timesOf(inboxes: readonly string[], receivedAt: number, isPurged: boolean): number[] {
    const newestOf = (inbox: string) =>
      isPurged ? this.had(inbox)[0] : this.#remembered.filter((email) => email.inbox === inbox).at(-1);
    const newest = new Map(INBOXES.map((inbox) => [inbox, newestOf(inbox)?.receivedAt ?? 0]));
    return inboxes.map((inbox) => {
      const time = Math.max(receivedAt, (newest.get(inbox) ?? 0) + 1);
      if (!isPurged || this.isUnexpired({ receivedAt: time })) newest.set(inbox, time);
      return time;
    });
  }

  /** Returns the possible reasons to refuse the emails of one delivery; empty if the emails are stored. */
  refusalsOf(emails: readonly Remembered[]): string[] {
    const arriving = emails.filter(this.isUnexpired);
    if (arriving.length === 0) return [];
    const held = [...INBOXES.flatMap((inbox) => this.list(inbox)), ...arriving];
    const isFull = (inbox: string) => held.filter((email) => email.inbox === inbox).length > LIMITS.maxEmails;
    const isInboxFull = arriving.some((email) => isFull(email.inbox));
    // `held` omits cleared mail, because the store deletes that when it needs room.
    const texts = [...new Set(held.map((email) => email.text))];
    const costs = texts.map((text) => {
      const inboxes = held.filter((email) => email.text === text).map((email) => email.inbox);
      return costOf(deliveryOf(inboxes, NOON, text));
    });
    const isStoreFull = !this.expiresByItself && costs.reduce((sum, cost) => sum + cost, 0) > LIMITS.budgetBytes;
    return [...(isInboxFull ? ['inbox-full'] : []), ...(isStoreFull ? ['store-full'] : [])];
  }

  remember(emails: readonly Remembered[]): void {
    this.#remembered.push(...emails);
  }
}

/** Time limit for all sequences if each step needs several servers. */
const MODEL_TIMEOUT_MS = 300_000;

/** Compares a store with the model after each step of random sequences of deliveries, waits and purges. */
export function describeModel(open: Open, numRuns: number, expiresByItself = false): void {
  describe('a random sequence of steps', () => {
    const whateverHappens = async () => {
      const property = async (steps: Step[]) => {
        const store = await open(LIMITS);
        const model = new Model(expiresByItself);
        for (const [number, next] of steps.entries()) {
          await take(store, model, next, number);
          for (const inbox of INBOXES) await compare(store, model, inbox);
        }
        await store.close();
      };
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), property), { numRuns });
    };
    it('leaves a store with the mail that a simple model predicts', whateverHappens, MODEL_TIMEOUT_MS);
  });
}

async function take(store: Store, model: Model, next: Step, number: number): Promise<void> {
  if (next.do === 'wait') model.now += next.ms;
  else if (next.do === 'purge') await store.purge(model.now);
  else if (next.do === 'clear') {
    await store.clear(next.inbox, model.now);
    model.clear(next.inbox);
  } else if (next.do === 'clearOne') {
    const email = model.had(next.inbox)[next.newer];
    const isThere = email !== undefined && !email.isCleared;
    expect(await store.clearOne(next.inbox, email?.receivedAt ?? NO_TIME, model.now)).toBe(isThere);
    if (email) email.isCleared = true;
  } else await append(store, model, next, `${number}`);
}

/** Returns a delivery whose index, summary and content are three consecutive pieces of a text. */
function deliveryOf(inboxes: string[], receivedAt: number, text: string): Delivery {
  const [index, summary] = [Buffer.from(text.slice(0, 2)), Buffer.from(text.slice(2, 5))];
  return delivery(inboxes, receivedAt, { index, summary, content: [Buffer.from(text.slice(5))] });
}

async function append(store: Store, model: Model, { inboxes, lagMs, bytes }: Append, number: string): Promise<void> {
  const text = number.padEnd(bytes);
  const emailsAt = (times: readonly number[]) =>
    inboxes.map((inbox, i) => ({ inbox, receivedAt: times[i] as number, text, isCleared: false }));
  const received = model.now - lagMs;
  const [earliest, latest] = [true, false].map((isPurged) => emailsAt(model.timesOf(inboxes, received, isPurged)));
  const appended = await store.append(deliveryOf(inboxes, received, text), model.now);
  // A store with several parts may report any part's reason, because it stops at the first part that refuses.
  const reasonsFor = (emails: readonly Remembered[] = []) =>
    shareAPart(...INBOXES) ? model.refusalsOf(emails).slice(0, 1) : model.refusalsOf(emails);
  if (!appended.stored) {
    expect([...reasonsFor(earliest), ...reasonsFor(latest)]).toContain(appended.reason);
    return;
  }
  const given = emailsAt(appended.receivedAt);
  expect(reasonsFor(given)).toEqual([]);
  for (const [i, email] of given.entries()) {
    const times = [earliest?.[i]?.receivedAt, latest?.[i]?.receivedAt];
    // A message that was rolled back has used up its time, so the next email may have a later time than in the model.
    if (model.expiresByItself)
      expect(email.receivedAt).toBeGreaterThanOrEqual(Math.min(...times.map((time) => time ?? 0)));
    else if (model.isUnexpired(email)) expect(times).toContain(email.receivedAt);
    else expect(model.isUnexpired({ receivedAt: Math.min(...times.map((time) => time ?? 0)) })).toBe(false);
  }
  model.remember(given);
}

async function compare(store: Store, model: Model, inbox: string): Promise<void> {
  const listed = await store.list(inbox, {}, model.now);
  const expected = model.list(inbox);
  expect(listed.map((email) => email.receivedAt)).toEqual(expected.map((email) => email.receivedAt));
  for (const [i, email] of listed.entries()) {
    const bytes = Buffer.concat([
      (await indexOf(store, inbox, email, model.now)) ?? Buffer.alloc(0),
      Buffer.from((await summaryOf(store, email)) ?? ''),
      await contentOf(store, email),
    ]);
    expect(bytes.toString()).toBe(expected[i]?.text);
  }
}
