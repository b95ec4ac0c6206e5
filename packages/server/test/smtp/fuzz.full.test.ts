/**
 * Random dialogues, in random packets, against a model of SMTP. `npm run test:full` plays the same 800 each time; `npm
 * run fuzz:smtp` plays random ones for ten minutes. A failing dialogue is shortened and printed.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { limiterOf } from '../../src/limits/rate-limiter.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { MODEL_MAX_RECIPIENTS, Model } from './model.js';
import { startTestSmtp, type TestSmtp } from './start.js';

const FUZZ_MS = Number(process.env.FUZZ_MS ?? 0);
const DIALOGUES = 800;
const SEED = 20_261_121;

/** A proxy. Its headers name a local client, so the model needs no rules for clients behind a proxy. */
const PROXY = '127.0.0.2';
const HEADERS = [
  'PROXY TCP4 127.0.0.5 127.0.0.1 4097 25\r\n',
  '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x13\x7F\0\0\x05\x7F\0\0\x01\x10\x01\0\x19\x04\0\x04\r\n\0\n',
];

/** Lines that advance a dialogue, unlike those in `unusual`. They are therefore chosen more often. */
const usual = [
  'EHLO app.test',
  'MAIL FROM:<a@app.test>',
  'MAIL FROM:<> SIZE=10 BODY=8BITMIME',
  'RCPT TO:<demo@inbox.example.com>',
  'DATA',
  'hello',
  '.',
];
const unusual = [
  ...['HELO app.test', 'EHLO', 'HELO a b', 'ehlo app.test ', 'NOOP', 'NOOP x', 'VRFY a', 'VRFY', 'HELP', 'EXPN a', ''],
  ...[
    'MAIL FROM:<a@app.test> SIZE=999999999999',
    'MAIL FROM:a',
    'MAIL FROM:<a@app.test> X=1',
    'mail from:<b@app.test>',
  ],
  ...[
    'RCPT TO:<x@other.test>',
    'RCPT TO:<..@inbox.example.com>',
    'RCPT TO:<postmaster>',
    'RCPT TO:<>',
    'rcpt to:<b@inbox.example.com>',
  ],
  ...[
    'PROXY TCP4 192.0.2.1 192.0.2.2 1 25',
    'DATA x',
    '..',
    '...x',
    'RSET',
    'RSET x',
    'QUIT',
    'QUIT x',
    'STARTTLS',
    'STARTTLS x',
    'gibberish',
    '\x00',
    'é',
  ],
  ...['AUTH PLAIN AHUAcA==', 'AUTH PLAIN', 'AHUAcA==', '*', 'AUTH LOGIN', 'dQ==', 'AUTH LOGIN dQ==', 'AUTH PLAIN *'],
  ...[
    'AUTH',
    'AUTH DIGEST-MD5',
    'AUTH PLAIN AHUAcA',
    'AUTH PLAIN a b',
    'GET / HTTP/1.1',
    'x'.repeat(17_000),
    'hello\r',
    'a\0b',
  ],
];

const steps = fc.array(
  fc.record({
    line: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...unusual)),
    /** Where the line's packet is cut, and whether the packet ends with the line. */
    cuts: fc.array(fc.nat(60), { maxLength: 2 }),
    endsPacket: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
);

/** A dialogue, and the proxy header that precedes it; '' without a proxy. */
const dialogue = fc.record({ steps, header: fc.constantFrom('', ...HEADERS) });

let smtp: TestSmtp;
const set = { 'smtp-proxy': [parseRange(PROXY) as AddressRange], 'max-recipients': MODEL_MAX_RECIPIENTS };
const tls = await selfSigned('inbox.example.com');

beforeEach(async () => {
  smtp = await startTestSmtp({ tls, set, mailRate: limiterOf(null) });
});

afterEach(async () => await smtp.stop(0));

test('the SMTP server replies as the model predicts to random commands in randomly split packets', {
  timeout: FUZZ_MS + 60_000,
}, async () => {
  await fc.assert(fc.asyncProperty(dialogue, play), {
    ...(FUZZ_MS > 0
      ? { numRuns: Number.POSITIVE_INFINITY, interruptAfterTimeLimit: FUZZ_MS }
      : { numRuns: DIALOGUES, seed: SEED }),
  });
});

type Step = { readonly line: string; readonly cuts: readonly number[]; readonly endsPacket: boolean };

interface Played {
  readonly steps: readonly Step[];
  readonly header: string;
}

async function play({ steps, header }: Played): Promise<void> {
  smtp.inbox.mails.length = 0;
  const model = new Model();
  const isStraight = header === '';
  const client = await RawClient.open(smtp.port, isStraight ? undefined : PROXY);
  if (isStraight) expect(await client.reply()).toMatch(/^220 /);
  let packet = header;
  let expected: number[] = isStraight ? [] : [220];
  const flush = async (cuts: readonly number[]) => {
    let rest: Buffer = Buffer.from(packet);
    packet = '';
    for (const cut of cuts) {
      await client.send(rest.subarray(0, cut));
      rest = rest.subarray(cut);
    }
    await client.send(rest);
    for (const code of expected) expect(Number((await client.reply()).slice(0, 3))).toBe(code);
    expected = [];
  };
  for (const { line, cuts, endsPacket } of steps) {
    packet += `${line}\r\n`;
    const code = model.line(line);
    if (code !== null) expected.push(code);
    if (endsPacket || code === 220 || model.isClosed) await flush(cuts);
    if (model.isClosed) break;
    if (code !== 220) continue;
    await client.startTls();
    model.secure();
  }
  await flush([]);
  if (model.isClosed) expect(await client.line()).toBeNull();
  expect(client.unread).toBe('');
  client.destroy();
  expect(
    smtp.inbox.mails.map(({ envelopeFrom, recipients, raw }) => ({
      from: envelopeFrom,
      recipients: recipients.length,
      content: Buffer.from(raw).toString(),
    })),
  ).toEqual(model.mails);
}
