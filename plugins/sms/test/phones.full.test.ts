import { createRequire } from 'node:module';
import { Mayfly } from 'mayfly-client';
import { createPhone, type PhoneCountry } from 'mayfly-client/phone';
import { type TextWebhooksOptions, textWebhooks } from 'mayfly-client/webhooks';
import { describe, expect, test } from 'vitest';
import { applicationOfFile, EMAIL } from '../../../packages/client/test/webhook-fixtures.js';
import { needs } from '../../../tools/needs.js';

const load = createRequire(new URL('sdks/package.json', import.meta.url));

describe('libphonenumber', needs('SMS SDKs for Node'), () => {
  test.each([
    ['US', 'FIXED_LINE_OR_MOBILE'],
    ['CA', 'FIXED_LINE_OR_MOBILE'],
    ['GB', 'FIXED_LINE'],
    ['FR', 'FIXED_LINE'],
    ['DE', 'MOBILE'],
    ['SE', 'MOBILE'],
  ] as const)('accepts the numbers that createPhone makes for %s', (country, type) => {
    const { parsePhoneNumber } = load('libphonenumber-js/max');
    const mayfly = new Mayfly();
    for (let made = 0; made < 80; made += 1) {
      const number = parsePhoneNumber(createPhone(mayfly, { country: country satisfies PhoneCountry }).number);
      expect([number.isValid(), number.getType(), number.country]).toEqual([true, type, country]);
    }
  });

  test.each(['+447700900123', '+33639980001', '+15555550100'])('rejects %s', (number) => {
    expect(load('libphonenumber-js/max').parsePhoneNumber(number).isValid()).toBe(false);
  });
});

describe('the verifier in the SDK of', needs('SMS SDKs for Node'), async () => {
  const { url } = (await applicationOfFile()).application;
  const SECRET = 'secret-of-the-application';

  test.each<[TextWebhooksOptions['as'], (headers: Headers, body: string) => boolean]>([
    [
      'twilio',
      (headers, body) => {
        const fields = Object.fromEntries(new URLSearchParams(body));
        return load('twilio').validateRequest(SECRET, headers.get('x-twilio-signature'), url, fields);
      },
    ],
    ['vonage', (headers) => load('@vonage/jwt').verifySignature(headers.get('authorization')?.split(' ')[1], SECRET)],
  ])('%s accepts a status callback, and refuses one with a wrong signature', async (as, verifies) => {
    const reports = textWebhooks({ as, url, secret: SECRET });
    for (const signature of [undefined, 'wrong'] as const) {
      const { post } = await reports.undelivered(EMAIL, { signature });
      expect(verifies(new Headers(post.headers), post.body)).toBe(signature === undefined);
    }
  });
});
