import { describe, expect, test } from 'vitest';
import { clientKey, isInRanges, isLoopback, parseRange } from '../../src/limits/client-address.js';

describe('clientKey', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['::1', '::/64'],
    ['not an address', 'not an address'],
    ['', ''],
  ])('%s counts as %s', (address, key) => {
    expect(clientKey(address)).toBe(key);
  });
});

describe('address ranges', () => {
  test.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.4', '10.1.2.3', false],
    ['2001:db8::5', '2001:db8::/32', true],
    ['10.1.2.3', '2001:db8::/32', false],
    ['nonsense', '0.0.0.0/0', false],
  ])('%s in %s: %s', (address, range, isIn) => {
    const parsed = parseRange(range);
    expect(parsed).not.toBeNull();
    expect(isInRanges(address, parsed === null ? [] : [parsed])).toBe(isIn);
  });

  test.each(['', '10.0.0.0/33', 'example.test', '10.0.0/8/8', '1.2.3.4.5'])('"%s" is no range', (text) => {
    expect(parseRange(text)).toBeNull();
  });

  test.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.0.0.1', false],
    ['0.0.0.0', false],
    ['localhost', false],
  ])('%s is loopback: %s', (address, loopback) => {
    expect(isLoopback(address)).toBe(loopback);
  });
});
