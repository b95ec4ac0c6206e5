import { createRequire } from 'node:module';
import { Mayfly } from 'mayfly-client';
import { createPhone, type PhoneCountry } from 'mayfly-client/phone';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';

const require = createRequire(new URL('sdks/package.json', import.meta.url));

describe('libphonenumber', needs('SMS SDKs for Node'), () => {
  test.each([
    ['US', 'FIXED_LINE_OR_MOBILE'],
    ['CA', 'FIXED_LINE_OR_MOBILE'],
    ['GB', 'FIXED_LINE'],
    ['FR', 'FIXED_LINE'],
    ['DE', 'MOBILE'],
    ['SE', 'MOBILE'],
  ] as const)('accepts the numbers that createPhone makes for %s', (country, type) => {
    const { parsePhoneNumber } = require('libphonenumber-js/max');
    const mayfly = new Mayfly();
    for (let made = 0; made < 80; made += 1) {
      const number = parsePhoneNumber(createPhone(mayfly, { country: country satisfies PhoneCountry }).number);
      expect([number.number, number.isValid(), number.getType(), number.country]).toEqual([
        ...[number.number, true, type, country],
      ]);
    }
  });

  test.each(['+447700900123', '+33639980001', '+15555550100'])('rejects %s', (number) => {
    expect(require('libphonenumber-js/max').parsePhoneNumber(number).isValid()).toBe(false);
  });
});
