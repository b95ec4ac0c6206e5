import { describe, expect, test } from 'vitest';
import { addressingOf } from '../addressing.js';

describe('recipients (D1, D2, D64)', () => {
  const addressing = addressingOf(['inbox.example.com', 'mail.example', 'xn--bcher-kva.test']);
  const other = (address: string) => ({ inbox: address, to: address });

  test.each([
    ['demo@inbox.example.com', { inbox: 'demo', to: 'demo@inbox.example.com' }],
    [
      'Demo+Tag@INBOX.EXAMPLE.COM',
      { inbox: 'demo+tag', to: 'demo+tag@inbox.example.com', written: 'Demo+Tag@INBOX.EXAMPLE.COM' },
    ],
    ['demo@mail.example', other('demo@mail.example')],
    ['Demo@Mail.Example', { ...other('demo@mail.example'), written: 'Demo@Mail.Example' }],
    ['demo@bücher.test', { ...other('demo@xn--bcher-kva.test'), written: 'demo@bücher.test' }],
    ['"demo"@inbox.example.com', { inbox: 'demo', to: 'demo@inbox.example.com', written: '"demo"@inbox.example.com' }],
    [
      '"de\\mo"@inbox.example.com',
      { inbox: 'demo', to: 'demo@inbox.example.com', written: '"de\\mo"@inbox.example.com' },
    ],
    ['"a b"@inbox.example.com', 'bad-name'],
    ['a..b@inbox.example.com', 'bad-name'],
    ['@inbox.example.com', 'bad-name'],
    ['demo@elsewhere.test', 'foreign-domain'],
    ['demo@sub.inbox.example.com', 'foreign-domain'],
    ['demo@inbox.example.com.', 'foreign-domain'],
    ['demo@', 'foreign-domain'],
    ['', 'foreign-domain'],
  ])('maps the address %s to an inbox, or to the reason to reject it', (address, recipient) => {
    expect(addressing.recipientOf(address)).toEqual(recipient);
  });

  test.each([
    ['demo@inbox.example.com', 'demo'],
    ['demo@Anything.example', 'demo@anything.example'],
    ['demo@[127.0.0.1]', 'demo@[127.0.0.1]'],
    ['demo@[IPv6:2001:DB8::1]', 'demo@[ipv6:2001:db8::1]'],
    ['demo@my_app', 'demo@my_app'],
    [`demo@${'d'.repeat(63)}.example`, `demo@${'d'.repeat(63)}.example`],
  ])('accepts %s if any domain is accepted', (address, inbox) => {
    expect(addressingOf(['*']).recipientOf(address)).toMatchObject({ inbox });
    expect(addressingOf(['*'], 'name').recipientOf(address)).toMatchObject({ inbox: 'demo' });
  });

  test.each(['demo', 'demo@', 'demo@a..b', 'demo@ü.b.', 'demo@a b', 'demo@ü/b', `demo@${'d.'.repeat(127)}dd`])(
    'rejects the domain %s',
    (address) => {
      expect(addressingOf(['*']).recipientOf(address)).toBe('bad-domain');
    },
  );
});

test('a delivery attempt is listed in the inbox of its recipient, even if the domain is rejected', () => {
  const addressing = addressingOf(['inbox.example.com', 'b.test']);
  const inboxOf = (address: string) => addressing.attemptedInbox(address);
  expect(['a@inbox.example.com', 'a@b.test', 'A@c.test', 'a@c..d', 'a', 'a b@b.test'].map(inboxOf)).toEqual([
    ...['a', 'a@b.test', 'a', 'a', null, null],
  ]);
});

describe('the inbox that a caller names', () => {
  const addressing = addressingOf(['inbox.example.com', 'b.test']);

  test.each([
    ['alice', 'alice'],
    ['Alice@INBOX.Example.com', 'alice'],
    ['alice@b.test', 'alice@b.test'],
  ])('is found for %s: %s', (given, inbox) => {
    expect(addressing.inboxNamed(given)).toEqual({ inbox });
  });

  test.each([
    ['', 'bad-name'],
    ['alice@', 'bad-name'],
    ['alice@b.test@b.test', 'bad-name'],
    ['alice@b test', 'bad-name'],
    ['alice@b.test/x', 'bad-name'],
    [`${'a'.repeat(65)}@b.test`, 'bad-name'],
    [`alice@${'b'.repeat(256)}`, 'bad-name'],
    ['alice@c.test', 'foreign-domain'],
  ])('rejects %s as an inbox', (given, why) => {
    expect(addressing.inboxNamed(given)).toBe(why);
  });

  test('is the same in every accepted domain with --inbox-by name', () => {
    const byName = addressingOf(['inbox.example.com', 'b.test'], 'name');
    expect(byName.inboxNamed('alice@b.test')).toEqual({ inbox: 'alice' });
    expect(byName.recipientOf('alice@b.test')).toEqual({ inbox: 'alice', to: 'alice@b.test' });
    expect(byName.inboxNamed('alice@c.test')).toBe('foreign-domain');
  });

  test('has an address in the first accepted domain if the caller gives only a local part', () => {
    expect(addressing.addressOf('alice')).toBe('alice@inbox.example.com');
    expect(addressing.addressOf('alice@b.test')).toBe('alice@b.test');
  });
});
