/** Tests the log lines for rejected requests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningMayfly, serve } from '../../../packages/server/test/service/process.js';
import { PATIENCE_MS } from './provider.js';
import { NAMES, REQUESTS, type Sent, send } from './requests.js';

interface Line {
  readonly level: number;
  readonly kind?: string;
  readonly client?: string;
  readonly count?: number;
  readonly msg: string;
}

const INFO = 30;

let service: RunningMayfly;

const FLAGS = [
  ...['--store', 'memory:', '--domain', 'inbox.example.com', '--log-format', 'json'],
  ...['--max-emails', '1', '--max-recipients', '2'],
];

const linesOf = ({ log }: RunningMayfly): readonly Line[] =>
  log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

const lineOf = (kind: string): Line | undefined => linesOf(service).find((line) => line.kind === kind);

describe.each(NAMES)('the log of %s', (name) => {
  const { provider, mail, isError } = REQUESTS[name];

  beforeAll(async () => {
    service = await serve([...FLAGS, '--max-message', '64KiB', '--smtp-limit', '100/1h']);
  }, PATIENCE_MS);
  afterAll(() => service.end('SIGTERM'));

  const fullInbox = async (): Promise<Sent> => {
    await send(service.url, mail('secret-full@inbox.example.com'));
    return mail('secret-full@inbox.example.com');
  };

  test.each<[string, RegExp, () => Sent | Promise<Sent>]>([
    ['foreign-domain', /--domain/, () => mail('secret-name@secret-domain.test')],
    ['bad-recipient-name', /The inbox name is not valid: use 1 to 64/, () => mail('secret..name@inbox.example.com')],
    ['missing', /is missing or empty/, () => mail('secret-name@inbox.example.com', '')],
    ['recipient', /not valid|valid address/, () => mail('secret-name')],
    [
      'message-too-large',
      /65536 bytes \(--max-message\)/,
      () => mail('secret-name@inbox.example.com', 'x'.repeat(66_000)),
    ],
    ['inbox-full', /--max-emails/, fullInbox],
    ['body-too-large', /too large/, () => mail('secret-name@inbox.example.com', 'x'.repeat(800_000))],
    [
      'media-type',
      /Content-Type must be/,
      () => ({ ...mail('a@inbox.example.com'), headers: { 'content-type': 'a/b' } }),
    ],
    [
      'cross-site',
      /--cors-origin https:\/\/evil\.test/,
      () => ({
        ...mail('a@inbox.example.com'),
        headers: { ...mail('a@inbox.example.com').headers, origin: 'https://evil.test' },
      }),
    ],
  ])('has one line about %s, and this line contains no text from the client', async (kind, sentence, sent) => {
    const answer = await send(service.url, await sent());
    expect(isError(await answer.text(), answer.headers)).toBe(true);
    const told = { level: INFO, client: '127.0.0.1', count: 1, msg: expect.stringMatching(sentence) };
    await expect.poll(() => lineOf(`${provider} ${kind}`)).toMatchObject(told);
    expect(lineOf(`${provider} ${kind}`)?.msg).toMatch(/^Refused: [A-Z].*\.$/);
    // The header also has a sentence, which may name the recipient, unlike the log.
    expect(answer.headers.get('mayfly-hint')).toMatch(/^[A-Za-z].*\.$/);
    expect(service.log()).not.toContain('secret');
  });
});

test('the log counts the rejections of each kind, including rejections by the rate limit of a client', async () => {
  service = await serve([...FLAGS, '--smtp-limit', '5/1h']);
  const { mail, permissive } = REQUESTS.postmark;
  const batch = permissive as NonNullable<typeof permissive>;
  await send(service.url, batch(['a@else.test', 'b@else.test', 'c@inbox.example.com']));
  for (let times = 0; times < 6; times += 1) await send(service.url, mail('a@else.test'));
  expect(await service.end('SIGTERM')).toBe(0);
  const counts = (kind: string) => linesOf(service).flatMap((line) => (line.kind === kind ? line.count : []));
  expect(counts('postmark foreign-domain')).toEqual([1, 5]);
  expect(counts('postmark too-many-requests')).toEqual([1, 1]);
});
