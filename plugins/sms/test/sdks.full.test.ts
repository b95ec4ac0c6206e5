import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Mayfly, type ReceivedEmail } from 'mayfly-client';
import { startMayfly } from 'mayfly-inbox';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { freshNumber } from './texts.js';

/** Time limit for all jobs of a language. */
const RUN_MS = 180_000;

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A Python with the packages of requirements.txt, and the Go program; tools/install.js creates both. */
const COMMANDS = {
  Node: [process.execPath, pathOf('sdks/node/send.js')],
  Python: [pathOf('../../../node_modules/.cache/sms-sdks/bin/python'), '-B', pathOf('sdks/python/send.py')],
  Go: [pathOf('../../../node_modules/.cache/sms-sdks-go')],
} as const;

const CODE = '482913';
const TEXT = `Your code is ${CODE}`;

type Told = string | number | RegExp;

/** What an SDK reports for an unsubscribed and for an invalid number. */
const ERRORS: Readonly<Record<string, readonly [unsubscribed: Told, invalid: Told]>> = {
  twilio: [21610, 21211],
  'twilio delete': [21610, 21211],
  'vonage sms': ['7', '3'],
  'vonage messages': [/#1050$/, /#1170$/],
  sns: ['InvalidParameter', 'InvalidParameter'],
  'sms-voice': ['ConflictException', 'ValidationException'],
  messagebird: [9, 9],
  plivo: [/has opted out/, /is not a valid phone number/],
};

interface Outcome {
  readonly ids?: readonly string[];
  readonly also?: readonly unknown[];
  readonly error?: string | number;
}

const OF_TWILIO = ['twilio', 'twilio delete'];

/** The SDKs of each language. `tools/install.js` finds the name of a need only if it is written out. */
const SDKS = [
  ['Node', needs('SMS SDKs for Node'), [...OF_TWILIO, 'vonage sms', 'vonage messages', 'sns', 'sms-voice', 'plivo']],
  ['Python', needs('SMS SDKs for Python'), [...OF_TWILIO, 'sns', 'sms-voice', 'messagebird', 'plivo']],
  ['Go', needs('SMS SDKs for Go'), [...OF_TWILIO, 'sns', 'sms-voice']],
] as const;

for (const [language, needed, calls] of SDKS) {
  describe(`${language} with the SDK of`, needed, () => {
    const found = new Map<string, { to: string; outcomes: readonly Outcome[]; email: ReceivedEmail | undefined }>();

    beforeAll(async () => {
      const service = await startMayfly({ fetchLimit: 'off' });
      const numbers = calls.map(freshNumber);
      const jobs = calls.flatMap((call, at) =>
        [numbers[at], '+15005550004', '+12'].map((to) => ({ call, from: '+15005550006', to, text: TEXT })),
      );
      const [program, ...args] = COMMANDS[language];
      const { PATH = '', HOME = '' } = process.env;
      // Disables retries, which would only slow down the tests of errors.
      const aws = { AWS_MAX_ATTEMPTS: '1', AWS_REGION: 'us-east-1', AWS_DEFAULT_REGION: 'us-east-1' };
      const keys = { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', NODE_NO_WARNINGS: '1' };
      const env = { PATH, HOME, ...aws, ...keys, ...Object.assign({}, ...Object.values(service.sending)) };
      const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'], timeout: RUN_MS });
      child.stdin.end(JSON.stringify(jobs));
      const outcomes: Outcome[] = JSON.parse(await text(child.stdout));
      for (const [at, call] of calls.entries()) {
        const to = numbers[at] ?? '';
        const [email] = await new Mayfly({ baseUrl: service.url }).inbox(to).emails();
        found.set(call, { to, outcomes: outcomes.slice(at * 3, at * 3 + 3), email });
      }
      await service.stop();
    }, RUN_MS);

    test.each(calls)('%s sends a text, and reports the errors of a number', (call) => {
      const { to = '', outcomes = [], email } = found.get(call) ?? {};
      const [{ ids = [], also, error: none } = {}, unsubscribed, invalid] = outcomes;
      expect(none).toBeUndefined();
      if (call === 'twilio delete') expect([String(also), email]).toEqual([expect.stringMatching(/true/i), undefined]);
      else expect(email).toMatchObject({ id: `<${ids[0]}@sms.mayfly>`, to, source: 'sms', otp: CODE, body: TEXT });
      if (call === 'twilio') expect(also).toEqual([TEXT, ids[0]]);
      for (const [at, told] of [unsubscribed, invalid].entries()) {
        const expected = ERRORS[call]?.[at];
        expect(told?.error).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected);
      }
    });
  });
}
