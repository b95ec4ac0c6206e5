import { describe, expect, test } from 'vitest';
import {
  type AddressRange,
  clientAddress,
  isInRanges,
  isLoopback,
  parseRange,
} from '../../src/limits/client-address.js';

describe('clientAddress, behind proxies', () => {
  const TRUSTED = ['10.0.0.0/8', '2001:db8:f::/48'].map((text) => parseRange(text) as AddressRange);
  const PROXY = '10.0.0.1';

  test.each([
    ['no header', PROXY, undefined, PROXY],
    ['a peer that is not a proxy', '198.51.100.1', '192.0.2.1', '198.51.100.1'],
    ['one address', PROXY, '192.0.2.1', '192.0.2.1'],
    ['an address that the client claims before its own', PROXY, '203.0.113.9, 192.0.2.1', '192.0.2.1'],
    ['two proxies', PROXY, '192.0.2.1, 10.0.0.2', '192.0.2.1'],
    ['proxies alone', PROXY, '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['a proxy that the client claims to be', PROXY, '10.0.0.9, 192.0.2.1', '192.0.2.1'],
    ['an IPv4-mapped peer', '::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['an IPv6 proxy', '2001:db8:f::1', '2001:db8::1', '2001:db8::1'],
    ['a port', PROXY, '192.0.2.1:5678', '192.0.2.1'],
    ['brackets and a port', PROXY, '[2001:db8::1]:443', '2001:db8::1'],
    ['quotes', PROXY, '"[2001:db8::1]:443"', '2001:db8::1'],
    ['a zone', PROXY, 'fe80::1%eth0', 'fe80::1'],
    ['spaces and tabs', PROXY, ' \t192.0.2.1 \t', '192.0.2.1'],
    ['nothing', PROXY, '', PROXY],
    ['an empty element at the end', PROXY, '192.0.2.1, ', PROXY],
    ['an empty element in between', PROXY, '192.0.2.1,,10.0.0.2', '10.0.0.2'],
    ['unknown', PROXY, 'unknown', PROXY],
    ['an obfuscated identifier', PROXY, '_gazonk', PROXY],
    ['a number, which some readers take for an address', PROXY, '3232235777', PROXY],
    ['an octal address', PROXY, '0300.0.2.1', PROXY],
    ['an invalid port', PROXY, '192.0.2.1:http', PROXY],
    ['a text after the brackets', PROXY, '[2001:db8::1]x', PROXY],
    ['a text without end', PROXY, '1'.repeat(16_000), PROXY],
    ['commas without end', PROXY, ','.repeat(16_000), PROXY],
    ['an invalid text after a proxy', PROXY, '192.0.2.1, unknown, 10.0.0.2', '10.0.0.2'],
  ])('returns the client of a request with %s', (_, peer, forwardedFor, address) => {
    expect(clientAddress(peer, forwardedFor, TRUSTED)).toBe(address);
  });
});

describe('a range of addresses', () => {
  test.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.4', '10.1.2.3', false],
    ['2001:db8::5', '2001:db8::/32', true],
    ['10.1.2.3', '2001:db8::/32', false],
    ['nonsense', '0.0.0.0/0', false],
  ])('the address %s is in the range %s: %s', (address, range, isIn) => {
    const parsed = parseRange(range);
    expect(parsed).not.toBeNull();
    expect(isInRanges(address, parsed === null ? [] : [parsed])).toBe(isIn);
  });

  test.each(['', '10.0.0.0/33', 'example.test', '10.0.0/8/8', '1.2.3.4.5'])('rejects "%s"', (text) => {
    expect(parseRange(text)).toBeNull();
  });

  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.0.0.1', false],
    ['localhost', false],
  ])('the address %s is a loopback address: %s', (address, loopback) => {
    expect(isLoopback(address)).toBe(loopback);
  });
});
