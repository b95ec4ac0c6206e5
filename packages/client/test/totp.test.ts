import { hotp, totp } from 'mayfly-client/totp';
import { describe, expect, test } from 'vitest';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes a text in Base32 (RFC 4648 section 6). */
function base32(text: string): string {
  const bits = [...text].map((letter) => letter.charCodeAt(0).toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The RFCs' test secrets repeat the digits up to the hash length. */
const seed = (length: number) => base32('1234567890'.repeat(7).slice(0, length));
const SECRET = seed(20);

/** Test vectors of RFC 4226, appendix D. */
const HOTP_CODES = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ');

/** Test vectors of RFC 6238, appendix B. */
const TIMES = [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000];
const TOTP_CODES = [
  ['SHA-1', 20, '94287082 07081804 14050471 89005924 69279037 65353130'],
  ['SHA-256', 32, '46119246 68084774 67062674 91819424 90698825 77737706'],
  ['SHA-512', 64, '90693936 25091201 99943326 93441116 38618901 47863826'],
] as const;

/** A clock that stops until every caller waits, and then jumps to the earliest time that a caller waits for. */
class JumpingClock {
  time: number;
  readonly waits: number[] = [];
  readonly #waiting: { end: number; resolve: () => void }[] = [];

  constructor(time: number) {
    this.time = time;
  }

  now = () => this.time;

  wait = (ms: number) =>
    new Promise<void>((resolve) => {
      this.waits.push(ms);
      this.#waiting.push({ end: this.time + ms, resolve });
      setImmediate(() => {
        this.#waiting.sort((one, other) => one.end - other.end);
        const first = this.#waiting.shift();
        this.time = Math.max(this.time, first?.end ?? 0);
        first?.resolve();
      });
    });
}

describe('one-time codes', () => {
  test('of hotp() equal the test vectors of RFC 4226', async () => {
    const codes = hotp(SECRET);
    const given = [];
    for (const [counter] of HOTP_CODES.entries()) given.push([await codes.next(), await codes.code(counter)]);
    expect(given).toEqual(HOTP_CODES.map((code) => [code, code]));
  });

  test.each(TOTP_CODES)(
    'of totp() with %s equal the test vectors of RFC 6238, also when shortened to 6 or 7 digits',
    async (algorithm, length, expected) => {
      for (const digits of [8, 7, 6]) {
        const codes = totp(seed(length), { algorithm, digits });
        const given = await Promise.all(TIMES.map((seconds) => codes.code(new Date(seconds * 1_000))));
        expect(given.join(' ')).toBe(expected.replace(/\d{8}/g, (code) => code.slice(8 - digits)));
      }
    },
  );

  test('are the same for settings in an otpauth URI and in options', async () => {
    const secret = seed(64);
    const uri = `otpauth://totp/Acme:ann%40example.test?secret=${secret}&issuer=Acme&algorithm=SHA512&digits=7&period=60`;
    const at = new Date(1_234_567_890_000);
    const code = await totp(uri).code(at);
    expect(code).toBe(await totp(secret, { algorithm: 'SHA-512', digits: 7, period: 60 }).code(at));
    expect(code).not.toBe(await totp(secret, { algorithm: 'SHA-512', digits: 7 }).code(at));
    expect(await hotp(`otpauth://hotp/Acme?secret=${SECRET}&counter=7`).next()).toBe(HOTP_CODES[7]);
  });

  test.each([
    ['in lower case', SECRET.toLowerCase()],
    ['in groups', SECRET.replace(/.{4}/g, '$& ')],
    ['with padding', `${SECRET}======`],
    ['in an address, with plus signs for spaces', `OTPAUTH://TOTP/x?secret=${SECRET.replace(/.{4}/g, '$&+')}`],
  ])('do not depend on the form of the secret (%s)', async (_way, secret) => {
    const [time = 0] = TIMES;
    expect(await totp(secret).code(new Date(time * 1_000))).toBe(HOTP_CODES[1]);
  });
});

describe('the code of next()', () => {
  const codeAt = (seconds: number) => totp(SECRET).code(new Date(seconds * 1_000));

  test('is returned immediately if it remains valid for 5 s', async () => {
    const clock = new JumpingClock(25_000);
    expect(await totp(SECRET, { clock }).next()).toBe(await codeAt(0));
    expect(clock.waits).toEqual([]);
  });

  test('is that of the next period if the current code remains valid for less than 5 s', async () => {
    const clock = new JumpingClock(25_001);
    expect(await totp(SECRET, { clock }).next()).toBe(await codeAt(30));
    expect(clock.time).toBe(30_000);
  });

  test('is never returned twice, even by different objects', async () => {
    const clock = new JumpingClock(0);
    const [one, two] = [totp(SECRET, { clock }), totp(SECRET.toLowerCase(), { clock })];
    const given = await Promise.all([one.next(), two.next(), one.next()]);
    expect(given).toEqual([await codeAt(0), await codeAt(30), await codeAt(60)]);
    expect(await totp(base32('another secret'), { clock: new JumpingClock(0) }).next()).toMatch(/^\d{6}$/);
  });

  test('is refused if too many calls wait', async () => {
    const never = { now: () => 0, wait: () => new Promise<void>(() => undefined) };
    const codes = totp(SECRET, { clock: never });
    for (let calls = 0; calls <= 10; calls++) codes.next();
    await expect(codes.next()).rejects.toThrow('10 calls already wait for a code of this secret');
  });

  test('is always newer than the previous code, even if the clock was set back by a minute', async () => {
    const clock = new JumpingClock(120_000);
    const codes = totp(SECRET, { clock });
    await codes.next();
    clock.time = 60_000;
    expect(await codes.next()).toBe(await codeAt(150));
    expect(clock.time).toBe(150_000);
  });

  test('is not returned if a signal aborts the wait for the next period', async () => {
    const codes = totp(base32('of this test alone'), { period: 3_600 });
    const first = await codes.next();
    expect(first).toMatch(/^\d{6}$/);
    const given = new AbortController();
    const second = codes.next({ signal: given.signal });
    given.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    await expect(codes.next({ signal: given.signal })).rejects.toThrow('enough');
  });
});

describe('invalid input', () => {
  const address = (query: string) => `otpauth://totp/x?${query}`;

  test.each([
    ['', 'totp() needs a secret in base32, or the otpauth: address of a QR code.'],
    ['ABC1', 'totp(): the secret is not in base32: it has the character "1", and base32 has A to Z and 2 to 7.'],
    ['A'.repeat(1_025), 'totp(): the secret has more than 1024 characters.'],
    [address('issuer=Acme'), 'totp(): the address has no secret.'],
    [address('secret=AAAA&secret=BBBB'), 'totp(): the address contains secret 2 times.'],
    [address('secret=AAAA&algorithm=MD5'), 'totp(): algorithm in the address must be SHA1, SHA256 or SHA512.'],
    [address('secret=AAAA&digits=9'), 'totp(): digits in the address must be a whole number from 6 to 8.'],
    [address('secret=AAAA&period=0'), 'totp(): period in the address must be a whole number from 1 to 3600.'],
    [address(`secret=${'A'.repeat(5_000)}`), 'totp(): the address has more than 4096 characters.'],
    ['otpauth://hotp/x?secret=AAAA&counter=1', 'totp(): the address is of the type "hotp", not "totp". Use hotp().'],
    [address('secret=AAAA&amp;digits=8'), 'totp(): the address was copied from HTML source: replace "&amp;"'],
    ['otpauth-migration://offline?data=x', 'totp(): an otpauth-migration: address contains several secrets'],
  ])('%s is rejected', (source, sentence) => {
    expect(() => totp(source)).toThrow(sentence);
  });

  test.each([
    [{ digits: 5 }, 'totp(): digits must be a whole number from 6 to 8.'],
    [{ counter: 1 }, 'totp(): "counter" is not an option.'],
    [{ peroid: 60 }, 'Did you mean period?'],
    [{ clock: Date }, 'totp(): clock must be an object with now() and wait().'],
  ])('the options %j are rejected', (options, sentence) => {
    expect(() => totp(SECRET, options as never)).toThrow(sentence);
  });

  test('is rejected: options with a URI, a hotp URI without a counter, an invalid counter or time', async () => {
    expect(() => totp(address('secret=AAAA'), { digits: 8 })).toThrow('omit the option digits');
    expect(() => hotp('otpauth://hotp/x?secret=AAAA')).toThrow('the address has no counter');
    expect(() => hotp(SECRET, { counter: -1 })).toThrow('hotp(): counter must be a whole number from 0');
    await expect(hotp(SECRET).code(0.5)).rejects.toThrow('hotp(): the counter must be a whole number from 0');
    await expect(totp(SECRET).code(new Date(Number.NaN))).rejects.toThrow('code() requires a Date of 1970 or later.');
    await expect(totp(SECRET).next({ signel: 1 } as never)).rejects.toThrow('Did you mean signal?');
  });

  test('throws errors that do not contain the secret', () => {
    for (const source of [`${SECRET}1`, address(`secret=${SECRET}&digits=9`), `otpauth://hotp/x?secret=${SECRET}`]) {
      expect(() => totp(source)).toThrow(expect.objectContaining({ message: expect.not.stringContaining(SECRET) }));
    }
  });
});
