import { describe, expect, test } from 'vitest';
import { recipientOf } from '../../src/inbox/ingest/recipient.js';

describe('recipientOf (D1, D2)', () => {
  const domains = new Set(['inbox.test', 'mail.example']);

  test.each([
    ['demo@inbox.test', { inbox: 'demo', to: 'demo@inbox.test' }],
    ['Demo+Tag@INBOX.TEST', { inbox: 'demo+tag', to: 'demo+tag@inbox.test', written: 'Demo+Tag@INBOX.TEST' }],
    ['demo@mail.example', { inbox: 'demo', to: 'demo@mail.example' }],
    ['"demo"@inbox.test', { inbox: 'demo', to: 'demo@inbox.test', written: '"demo"@inbox.test' }],
    ['"de\\mo"@inbox.test', { inbox: 'demo', to: 'demo@inbox.test', written: '"de\\mo"@inbox.test' }],
    ['"a b"@inbox.test', 'bad-name'],
    ['a..b@inbox.test', 'bad-name'],
    ['@inbox.test', 'bad-name'],
    ['a@b@inbox.test', 'bad-name'],
    ['demo@elsewhere.test', 'foreign-domain'],
    ['demo@sub.inbox.test', 'foreign-domain'],
    ['demo@', 'foreign-domain'],
    ['demo', 'foreign-domain'],
    ['', 'foreign-domain'],
  ])('%s', (address, recipient) => {
    expect(recipientOf(address, domains)).toEqual(recipient);
  });

  test('any domain is taken where none is configured', () => {
    expect(recipientOf('demo@Anything.example', null)).toMatchObject({ inbox: 'demo', to: 'demo@anything.example' });
    expect(recipientOf(`demo@${'d'.repeat(256)}`, null)).toBe('foreign-domain');
  });
});
