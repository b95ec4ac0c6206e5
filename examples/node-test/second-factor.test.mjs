import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { totp } from 'mayfly-client/totp';

/** The application's secret, 12345678901234567890, as encoded in its QR code. */
const QR_CODE = 'otpauth://totp/Acme:ann?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=10';

/** Stands in for your application, which accepts each code once (RFC 6238 section 5.2). */
let lastPeriod = 0;
function signIn(code) {
  const period = Math.floor(Date.now() / 10_000);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const mac = createHmac('sha1', '12345678901234567890').update(counter).digest();
  const number = mac.readUInt32BE(mac[19] & 15) & 0x7fffffff;
  const isRight = period > lastPeriod && code === `${number % 1_000_000}`.padStart(6, '0');
  if (isRight) lastPeriod = period;
  return isRight;
}

test('each of two sign-ins in a row gets its own code', async () => {
  const codes = totp(QR_CODE);
  const first = await codes.next();
  assert.equal(signIn(first), true);
  assert.equal(signIn(first), false);
  assert.equal(signIn(await codes.next()), true);
});
