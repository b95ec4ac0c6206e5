import { beforeEach, describe, expect, test } from 'vitest';
import { HELD_BOUNDS, HeldBytes } from '../../src/fairness/client-memory.js';
import {
  FairSemaphore,
  MAX_WAIT_MS,
  MAX_WAITING,
  MAX_WAITING_PER_CLIENT,
  type Release,
} from '../../src/fairness/semaphore.js';
import { InspectorBusyError, InspectorClosedError } from '../../src/inbox/threads/inspector.js';
import { ManualClock } from '../manual-clock.js';

let clock: ManualClock;
let held: HeldBytes;
let turns: FairSemaphore;
/** Whose turns have come, in their order. */
let begun: string[];

beforeEach(() => {
  clock = new ManualClock();
  held = new HeldBytes(clock);
  turns = semaphore();
  begun = [];
});

function semaphore(): FairSemaphore {
  return new FairSemaphore({
    ...{ clock, held, bounds: { total: 8, perClient: 2 } },
    busy: () => new InspectorBusyError(),
    closed: () => new InspectorClosedError(),
  });
}

/** Somebody who waits for a turn. */
class Visitor {
  readonly client: string;
  readonly turn: Promise<Release>;
  readonly #leaving = new AbortController();

  constructor(client: string) {
    this.client = client;
    const reader = { client, signal: this.#leaving.signal, cut() {}, hold: (bytes: number) => this.hold(bytes) };
    this.turn = turns.acquire(reader).then((turn) => {
      begun.push(client);
      return turn;
    });
    this.turn.catch(() => {});
  }

  /** An answer of so many bytes is not read. */
  hold(bytes: number): void {
    held.set(this, { client: this.client, bytes, cut() {} });
  }

  /** The client leaves, or has its answer. */
  leave(reason = new Error(`${this.client} has left`)): void {
    this.#leaving.abort(reason);
    this.hold(0);
  }

  async end(): Promise<void> {
    (await this.turn)();
  }
}

function visit(client: string, times = 1): Visitor[] {
  return Array.from({ length: times }, () => new Visitor(client));
}

/** Lets whoever may begin do so. */
function settle(): Promise<void> {
  return clock.advance(0);
}

/** Takes every turn there is, so that whoever comes has to wait. */
async function fill(): Promise<Visitor[]> {
  const all = [1, 2, 3, 4].flatMap((n) => visit(`filler ${n}`, 2));
  await settle();
  begun = [];
  return all;
}

describe('how many begin', () => {
  test('two of a client and eight in all begin at once, and another when one has ended', async () => {
    const [first] = visit('a', 10);
    for (const client of ['b', 'c', 'd']) visit(client, 10);
    await settle();
    expect(begun).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']);
    visit('e');
    await settle();
    expect(begun).toHaveLength(8);
    await first?.end();
    await settle();
    expect(begun.slice(8)).toEqual(['e']);
  });

  test('a client with two has no more, though there is room, and others do', async () => {
    const visits = visit('a', 100);
    await settle();
    expect(begun).toEqual(['a', 'a']);
    visit('b');
    await settle();
    expect(begun.slice(2)).toEqual(['b']);
    await visits[0]?.end();
    await settle();
    expect(begun.slice(3)).toEqual(['a']);
  });

  test('all who wait have their turn in the end', async () => {
    const visits = [...visit('a', 50), ...visit('b', 3), ...visit('c', 30)];
    await Promise.all(visits.map((visitor) => visitor.end()));
    expect(begun).toHaveLength(83);
    expect(clock.alarms).toBe(0);
  });
});

describe('turns', () => {
  test('go by the time that was used, and not by who came first', async () => {
    const fillers = await fill();
    visit('filler 1', 100);
    visit('other', 2);
    await clock.advance(1_000);
    await fillers[0]?.end();
    await fillers[4]?.end();
    await settle();
    expect(begun).toEqual(['other', 'other']);
  });

  test('are shared by time: who is short has more of them', async () => {
    const ended = new Map<string, number>();
    const run = async (client: string, ms: number) => {
      await Promise.all(
        visit(client, 300).map(async (visitor) => {
          const turn = await visitor.turn.catch(() => null);
          await new Promise<void>((resolve) => void clock.after(ms, resolve));
          ended.set(client, (ended.get(client) ?? 0) + 1);
          turn?.();
        }),
      );
    };
    for (const filler of ['filler 1', 'filler 2']) visit(filler, 2);
    await settle();
    void run('short', 10);
    void run('long', 40);
    void run('middle', 20);
    await clock.advance(2_000);
    const [short = 0, middle = 0, long = 0] = ['short', 'middle', 'long'].map((client) => ended.get(client));
    expect(short / long).toBeGreaterThan(2.5);
    expect(middle / long).toBeGreaterThan(1.4);
  });

  test('come again soon to a client whose inspection took less than those before', async () => {
    visit('keeper');
    const costly = visit('costly', 2);
    await clock.advance(60_000);
    for (const visitor of costly) await visitor.end();
    const fillers = [1, 2, 3, 4].flatMap((n) => visit(`filler ${n}`, n === 4 ? 1 : 2));
    await settle();
    begun = [];
    const cheap = visit('costly', 3);
    await fillers[0]?.end();
    await cheap[0]?.turn;
    visit('other', 100);
    await fillers[1]?.end();
    await clock.advance(100);
    // It was expected to take a minute again, and took less than one of the other is expected to.
    await cheap[0]?.end();
    await settle();
    expect(begun).toEqual(['costly', 'other', 'costly']);
  });
});

describe('who waits', () => {
  test('is bounded for each client: one more is refused at once, and others are not', async () => {
    await fill();
    const waiting = visit('a', MAX_WAITING_PER_CLIENT);
    await expect(new Visitor('a').turn).rejects.toThrow(InspectorBusyError);
    const other = new Visitor('b');
    waiting[0]?.leave();
    const again = new Visitor('a');
    await expect(new Visitor('a').turn).rejects.toThrow(InspectorBusyError);
    turns.close();
    for (const visitor of [other, again]) await expect(visitor.turn).rejects.toThrow(InspectorClosedError);
  });

  test('is bounded in all, for those who would have to wait', async () => {
    const fillers = await fill();
    const clients = Array.from({ length: MAX_WAITING / MAX_WAITING_PER_CLIENT }, (_, n) => `client ${n}`);
    for (const client of clients) visit(client, MAX_WAITING_PER_CLIENT);
    await expect(new Visitor('new').turn).rejects.toThrow(InspectorBusyError);
    await fillers[0]?.end();
    await settle();
    const late = new Visitor('new');
    await expect(new Visitor('new').turn).rejects.toThrow(InspectorBusyError);
    late.leave();
    await expect(late.turn).rejects.toThrow('has left');
  });

  test('keeps nobody out whose turn may come at once', async () => {
    const clients = Array.from({ length: MAX_WAITING / MAX_WAITING_PER_CLIENT - 4 }, (_, n) => `client ${n}`);
    const perClient = 1_000;
    held = new HeldBytes(clock, { total: clients.length * perClient, perClient });
    turns = semaphore();
    for (const client of clients) {
      const reader = new Visitor(client);
      reader.hold(perClient);
      await reader.end();
      visit(client, MAX_WAITING_PER_CLIENT);
    }
    begun = [];
    visit('new');
    await settle();
    expect(begun).toEqual(['new']);
  });

  test('is told after ten seconds that there are too many, and takes no place any more', async () => {
    const fillers = await fill();
    const early = visit('a', MAX_WAITING_PER_CLIENT);
    await clock.advance(MAX_WAIT_MS - 1);
    await fillers[0]?.end();
    await settle();
    expect(begun).toEqual(['a']);
    await clock.advance(1);
    const outcomes = await Promise.allSettled(early.slice(1).map(({ turn }) => turn));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'InspectorBusyError' } });
    }
    expect(clock.alarms).toBe(0);
    visit('a', MAX_WAITING_PER_CLIENT);
    await fillers[1]?.end();
    await settle();
    expect(begun).toEqual(['a', 'a']);
  });

  test('is out at once when the client leaves, and his turn goes to the next', async () => {
    const fillers = await fill();
    const [first, second, third] = visit('a', 3);
    const reason = new Error('gone');
    second?.leave(reason);
    await expect(second?.turn).rejects.toBe(reason);
    first?.leave();
    await expect(first?.turn).rejects.toThrow('has left');
    await fillers[0]?.end();
    await third?.turn;
    expect(begun).toEqual(['a']);
    expect(clock.alarms).toBe(0);
  });

  test('who has left before gets no turn, and takes none', async () => {
    const controller = new AbortController();
    controller.abort(new Error('never was here'));
    for (let times = 0; times < 20; times += 1) {
      const given = turns.acquire({ client: 'a', signal: controller.signal });
      await expect(given).rejects.toThrow('never was here');
    }
    visit('a', 2);
    await settle();
    expect(begun).toEqual(['a', 'a']);
  });

  test('has left without harm once the turn has come', async () => {
    const visits = visit('a', 3);
    await settle();
    visits[0]?.leave();
    await settle();
    expect(begun).toHaveLength(2);
    await visits[0]?.end();
    await settle();
    expect(begun).toHaveLength(3);
  });

  test('is told when the service stops; what has begun goes on', async () => {
    const fillers = await fill();
    const waiting = [...visit('a', 20), ...visit('b', 20)];
    turns.close();
    for (const { turn } of waiting) await expect(turn).rejects.toThrow(InspectorClosedError);
    await expect(new Visitor('a').turn).rejects.toThrow(InspectorClosedError);
    for (const filler of fillers) await filler.end();
    expect(begun).toEqual([]);
    expect(clock.alarms).toBe(0);
  });
});

describe('answers that are not read', () => {
  /** An inspection that has ended, with an answer that its client does not read. */
  async function unread(client: string, bytes: number): Promise<Visitor> {
    const visitor = new Visitor(client);
    visitor.hold(bytes);
    await visitor.end();
    return visitor;
  }

  test('of one client are bounded: it has no turn until it has read one, and others have', async () => {
    const half = HELD_BOUNDS.perClient / 2;
    const first = await unread('a', half);
    await unread('a', half);
    begun = [];
    visit('a', 2);
    visit('b');
    await settle();
    expect(begun).toEqual(['b']);
    first.leave();
    await settle();
    expect(begun).toEqual(['b', 'a', 'a']);
  });
});
