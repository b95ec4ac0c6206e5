import { describe, expect, test } from 'vitest';
import { momentOf, searchTerms, UTC, zoneOf } from '../src/search-query.js';

const field = (name: string, text: string) => ({ name, text, isExcluded: false });
const word = (text: string) => field('', text);
const not = (term: object) => ({ ...term, isExcluded: true });

describe('a query of a Mailpit search', () => {
  test.each<[string, readonly object[]]>([
    ['one  Two\tthree', [word('one'), word('two'), word('three')]],
    ['"one two" three', [word('one two'), word('three')]],
    ['o"ne t"wo', [word('one two')]],
    ['one "two three', [word('one'), word('two three')]],
    ['-one !two --three', [not(word('one')), not(word('two')), not(word('-three'))]],
    ['"-one two"', [not(word('one two'))]],
    ['TO:A@x.Test from:"b c"', [field('to', 'a@x.test'), field('from', 'b c')]],
    ['other:x http://x', [word('other:x'), word('http://x')]],
    ['to :x before " " to: is:read', [word('to'), word(':x'), word('before'), field('is:read', '')]],
    [
      'before:2026-01-31 !after:1769850000',
      [
        { name: 'before', number: Date.UTC(2026, 0, 31), isExcluded: false },
        { name: 'after', number: 1_769_850_000_000, isExcluded: true },
      ],
    ],
  ])('%j is split into the correct terms', (query, terms) => {
    expect(searchTerms(query, UTC)).toMatchObject(terms);
  });

  test.each([
    ['larger:500', 500],
    ['LARGER:2K', 2_048],
    ['larger:1.5kb', 1_536],
    ['larger:"2 MB"', 2 * 1024 * 1024],
  ])('%s is accepted as a size', (query, bytes) => {
    expect(searchTerms(query, UTC)).toMatchObject([{ name: 'larger', number: bytes, isExcluded: false }]);
  });

  test.each(['larger:', 'larger:0', 'smaller:x', 'larger:1g', 'larger:-1'])('%s is rejected as a size', (query) => {
    expect(() => searchTerms(query, UTC)).toThrow(/is not a valid size/);
  });

  test('is rejected if it has more than 16,384 characters', () => {
    expect(() => searchTerms('x'.repeat(16 * 1024), UTC)).not.toThrow();
    expect(() => searchTerms('x'.repeat(16 * 1024 + 1), UTC)).toThrow(/more than 16384 characters/);
  });

  test('is shortened to 60 characters in an error', () => {
    expect(() => searchTerms(`larger:${'x'.repeat(500)}`, UTC)).toThrow(`"larger:${'x'.repeat(53)}…" is not`);
  });
});

describe('a time in a Mailpit search', () => {
  test.each<[string, string, string]>([
    ['2026-01-31', 'UTC', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T09:30:15', 'UTC', '2026-01-31T09:30:15.000Z'],
    ['2026-01-31t09:30:15.5z', 'Asia/Tokyo', '2026-01-31T09:30:15.500Z'],
    ['2026-01-31 09:30 +02:00', 'UTC', '2026-01-31T07:30:00.000Z'],
    ['2026-01-31T09:30-0530', 'UTC', '2026-01-31T15:00:00.000Z'],
    ['1769851815', 'Asia/Tokyo', '2026-01-31T09:30:15.000Z'],
    ['1769851815123', 'UTC', '2026-01-31T09:30:15.123Z'],
    ['2026-01-31', 'Asia/Tokyo', '2026-01-30T15:00:00.000Z'],
    // Daylight saving time in Berlin starts at 01:00 UTC that day, and ends at 01:00 UTC in October.
    ['2026-03-29 01:30', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29 03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25 01:30', 'Europe/Berlin', '2026-10-24T23:30:00.000Z'],
    ['2026-10-25 03:30', 'Europe/Berlin', '2026-10-25T02:30:00.000Z'],
    // Until 1893, Berlin was 53 minutes and 28 seconds ahead of UTC.
    ['1880-01-01 00:00', 'Europe/Berlin', '1879-12-31T23:06:32.000Z'],
  ])('%s in the time zone %s is %s', (text, name, moment) => {
    const zone = zoneOf(name);
    expect(new Date(momentOf(text, zone ?? UTC) ?? Number.NaN).toISOString()).toBe(moment);
    expect(zone).not.toBeNull();
  });

  test.each([
    ...['', 'now', '2026', '2026-1-31', '2026-02-30', '2026-13-01', '2026-01-00', '176985181'],
    ...['2026-01-31 24:00', '2026-01-31 09:30:60', '2026-01-31 09', '2026-01-31 09:30 CET', ' 2026-01-31'],
    ...['2026-01-31T09:30:15.', `2026-01-31T09:30:15.${'1'.repeat(30)}`],
  ])('rejects %j', (text) => {
    expect(momentOf(text, UTC)).toBeNull();
  });

  test.each(['', 'Mars/Base', 'Europe', '../etc', 'x'.repeat(5_000)])('rejects the unknown zone %j', (name) => {
    expect(zoneOf(name)).toBeNull();
  });
});
