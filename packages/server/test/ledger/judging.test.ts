import { expect, test } from 'vitest';
import type { Mail, Read } from './book.js';
import { type Allowed, type Breaches, judge } from './judging.js';

/** A mail to the inbox `a` that was sent once and acknowledged at once. */
function mail(n: number, changes: Partial<Mail> = {}): Mail {
  const times = { begunAt: 10 * n, acknowledgedAt: 10 * n + 5 };
  return { id: `${n}`, inboxes: ['a'], text: '', ...times, finished: 1, cut: 0, left: 0, ...changes };
}

/** A whole email, which was asked for when everything had been acknowledged. */
function found(n: number, changes: Partial<Read> = {}): Read {
  return { id: `${n}`, receivedAt: 1_000 + n, isWhole: true, askedAt: 1_000, ...changes };
}

const unanswered = { acknowledgedAt: null };

interface Case {
  readonly what: string;
  readonly mails?: readonly Mail[];
  /** Newest first. */
  readonly a?: readonly Read[];
  readonly b?: readonly Read[];
  readonly read?: readonly Read[];
  readonly allowed?: Allowed;
  readonly breaches: readonly (keyof Breaches)[];
}

const vanishing = { unacknowledgedMayVanish: true };
const both = { inboxes: ['a', 'b'] };

const CASES: readonly Case[] = [
  { what: 'all is there', breaches: [] },
  { what: 'an acknowledged mail is missing', a: [found(1)], read: [found(1)], breaches: ['lost'] },
  {
    what: 'a mail is missing that nobody acknowledged',
    mails: [mail(1), mail(2, unanswered)],
    a: [found(1)],
    read: [found(1)],
    breaches: [],
  },
  {
    what: 'a mail is there twice that was sent once',
    a: [found(2, { receivedAt: 1_003 }), found(2), found(1)],
    read: [found(1), found(2), found(2, { receivedAt: 1_003 })],
    breaches: ['twice'],
  },
  {
    what: 'a mail is there twice that was sent twice',
    mails: [mail(1), mail(2, { finished: 2 })],
    a: [found(2, { receivedAt: 1_003 }), found(2), found(1)],
    read: [found(1), found(2), found(2, { receivedAt: 1_003 })],
    breaches: [],
  },
  {
    what: 'a mail is there whose final dot was never sent',
    mails: [mail(1), mail(2, { ...unanswered, finished: 0, cut: 1 })],
    breaches: ['twice'],
  },
  { what: 'a text is another', a: [found(2, { isWhole: false }), found(1)], breaches: ['torn'] },
  {
    what: 'one of two recipients has it',
    mails: [mail(1), mail(2, { ...both, ...unanswered })],
    breaches: ['halved'],
  },
  {
    what: 'one of two recipients has it, nobody acknowledged it, and that may be',
    mails: [mail(1), mail(2, { ...both, ...unanswered })],
    allowed: { unacknowledgedMayBeHalved: true },
    breaches: [],
  },
  {
    what: 'one of two recipients has what was acknowledged, where halves may be',
    mails: [mail(1), mail(2, both)],
    allowed: { unacknowledgedMayBeHalved: true },
    breaches: ['lost', 'halved'],
  },
  {
    what: 'two of the same moment',
    a: [found(2, { receivedAt: 1_001 }), found(1)],
    read: [found(1), found(2, { receivedAt: 1_001 })],
    breaches: ['out of order'],
  },
  {
    what: 'the later one stands first',
    a: [found(1, { receivedAt: 1_009 }), found(2)],
    read: [found(2), found(1, { receivedAt: 1_009 })],
    breaches: ['out of order'],
  },
  {
    what: 'the later one stands first, but was begun before the other was answered',
    mails: [mail(1, { acknowledgedAt: 25 }), mail(2)],
    a: [found(1, { receivedAt: 1_009 }), found(2)],
    read: [found(2), found(1, { receivedAt: 1_009 })],
    breaches: [],
  },
  { what: 'who follows was never shown one', read: [found(2)], breaches: ['passed over'] },
  { what: 'who follows was shown one again', read: [found(1), found(1), found(2)], breaches: ['out of order'] },
  {
    what: 'who follows was shown one that nobody acknowledged and that is gone',
    mails: [mail(1), mail(2), mail(3, unanswered)],
    read: [found(1), found(2), found(3)],
    breaches: ['vanished'],
  },
  {
    what: 'the same where that may be',
    mails: [mail(1), mail(2), mail(3, unanswered)],
    read: [found(1), found(2), found(3)],
    allowed: vanishing,
    breaches: [],
  },
  {
    what: 'who follows was shown one that its node stored again where its master died',
    read: [found(1), found(2, { receivedAt: 1_003, askedAt: 24 })],
    allowed: vanishing,
    breaches: [],
  },
  {
    what: 'who follows was shown one before it was acknowledged, and its node stored it again',
    a: [found(2, { receivedAt: 1_005 }), found(1)],
    read: [found(1), found(2, { askedAt: 24 }), found(2, { receivedAt: 1_005 })],
    allowed: vanishing,
    breaches: [],
  },
  {
    what: 'the same once it was acknowledged',
    a: [found(2, { receivedAt: 1_005 }), found(1)],
    read: [found(1), found(2, { askedAt: 25 }), found(2, { receivedAt: 1_005 })],
    allowed: vanishing,
    breaches: ['vanished'],
  },
  {
    what: 'who follows was shown one that was acknowledged and that is gone',
    mails: [mail(1), mail(2), mail(3)],
    read: [found(1), found(2), found(3)],
    allowed: vanishing,
    breaches: ['lost', 'vanished'],
  },
];

test.each(CASES)('$what: $breaches', ({ mails, a, b = [], read, allowed, breaches }) => {
  const book = new Map((mails ?? [mail(1), mail(2)]).map((one) => [one.id, one]));
  const inboxes = new Map([
    ['a', a ?? [found(2), found(1)]],
    ['b', b],
  ]);
  const followed = new Map([['a', read ?? [found(1), found(2)]]]);
  const judged = judge(book, { inboxes, followed }, allowed);
  const names = Object.entries(judged).flatMap(([name, sentences]) => (sentences.length > 0 ? [name] : []));
  expect(names.sort()).toEqual([...breaches].sort());
});
