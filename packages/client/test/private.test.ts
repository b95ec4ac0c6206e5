import { createHash } from 'node:crypto';
import { Mayfly, MayflyOptionError } from 'mayfly-client';
import { newPrivateName } from 'mayfly-client/api';
import { expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../src/wait/hashing.js';

test("the client's own SHA-256 equals Node's for texts of 0 to 260 bytes", () => {
  for (let length = 0; length <= 260; length += 1) {
    const text = 'a1.~+/-_='.repeat(30).slice(0, length);
    expect(Buffer.from(sha256(text)).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

test('the secret of a private inbox appears only in the page URL, and lets another client open the inbox', () => {
  const mayfly = new Mayfly();
  const inbox = mayfly.createInbox({ private: true });
  expect(inbox.address).toMatch(/^p-[a-z2-7]{26}@inbox\.example\.com$/);
  expect(inbox.secret).toMatch(/^[a-z2-7]{26}$/);
  expect(inbox.pageUrl).toBe(`${mayfly.baseUrl}/inbox/${inbox.name}#${inbox.secret}`);
  expect(`${inbox}`).not.toContain(inbox.secret);
  const again = new Mayfly().inbox(inbox.name, { secret: inbox.secret ?? '' });
  expect(again).toMatchObject({ name: inbox.name, secret: inbox.secret, pageUrl: inbox.pageUrl });
  expect(mayfly.createInbox().secret).toBeNull();
  expect(mayfly.createInbox({ private: false, prefix: 'a' }).secret).toBeNull();
});

test.each([
  ['a prefix', () => new Mayfly().createInbox({ private: true, prefix: 'a' }), 'prefix must be left out with private'],
  ['a text as the flag', () => new Mayfly().createInbox({ private: 'yes' as never }), 'private must be true or false'],
  ['a short secret', () => new Mayfly().inbox('p-x', { secret: 'short' }), 'secret must be 16 to 512'],
  ['a line break in a secret', () => new Mayfly().inbox('p-x', { secret: `${'a'.repeat(20)}\n` }), 'secret must be'],
  ['a text as options', () => new Mayfly().inbox('p-x', 'secret-of-16-characters' as never), 'is not an option'],
])('an invalid call throws an error that does not contain the secret (%s)', (_, call, message) => {
  expect(call).toThrow(MayflyOptionError);
  expect(call).toThrow(message);
  expect(call).not.toThrow('aaaa');
});

test('in a browser, newPrivateName throws until mayfly-client/private is imported, and its error says so', async () => {
  const { getBuiltinModule } = process;
  onTestFinished(() => {
    process.getBuiltinModule = getBuiltinModule;
  });
  process.getBuiltinModule = undefined as never;
  expect(() => newPrivateName()).toThrow('import "mayfly-client/private"');
  await import('mayfly-client/private');
  const { name, secret } = newPrivateName();
  expect(name).toBe(nameOf(secret));
});

function nameOf(secret: string): string {
  const bits = [...createHash('sha256').update(secret).digest()].map((byte) => byte.toString(2).padStart(8, '0'));
  const digits = bits.join('').slice(0, 130).match(/.{5}/g) ?? [];
  return `p-${digits.map((digit) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(digit, 2)]).join('')}`;
}
