import { Mayfly, type ReceivedEmail } from 'mayfly-client';
import type { SafeLinksOptions } from 'mayfly-client/matchers';
import 'mayfly-client/matchers/vitest';
import { type Assertion, afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshName, startService, type TestService } from './service.js';

let service: TestService;
let mayfly: Mayfly;

beforeAll(async () => {
  service = await startService();
  mayfly = new Mayfly({ baseUrl: service.url });
});

afterAll(() => service.stop());

/** Header fields and a body. By default, the body is plain text. */
type Message = readonly [fields: readonly string[], ...body: string[]];

async function received([fields, ...body]: Message): Promise<ReceivedEmail> {
  const inbox = mayfly.inbox(freshName());
  const lines = ['From: Acme <app@example.test>', ...fields, '', ...body, ''];
  await service.message(inbox.name, lines.join('\r\n'));
  const [email] = await inbox.emails();
  return email as ReceivedEmail;
}

const WELCOME = 'Subject: Welcome';
const HTML = 'Content-Type: text/html';
const CODE: Message = [[WELCOME], 'Your code is 048291'];
const LINK: Message = [[WELCOME], 'Confirm: https://app.example.test:8443/verify?token=s3cret'];
const NEITHER: Message = [[WELCOME], 'Hello!'];
const links = (...urls: string[]): Message => [
  [WELCOME, HTML],
  ...urls.map((url, index) => `<p><a href="${url}">Link ${index}</a></p>`),
];
const multipart = (text: string, html: string): Message => [
  [WELCOME, 'MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary=b'],
  ...['--b', 'Content-Type: text/plain', '', text, '--b', HTML, '', html, '--b--'],
];

const HTML_ONLY: Message = [[WELCOME, HTML], '<p>Hello!</p>'];
const mixed = (...heads: string[]): Message => [
  [WELCOME, 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
  ...heads.flatMap((head) => ['--b', head, '', '<p>Hello!</p>']),
  '--b--',
];

const UNSUBSCRIBE = 'List-Unsubscribe: <mailto:u@example.test>, <https://example.test/u?a=1,2>';
const POST = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click';
const dkim = (names: string) =>
  `DKIM-Signature: v=1; a=rsa-sha256; d=example.test; bh=abc=;\r\n\th=${names};\r\n\tb=def=`;

type Assert = (email: Assertion<ReceivedEmail>) => unknown;

/**
 * A message, an assertion, and the expected error of that assertion (`Expected … to`) or, if the assertion passes, of
 * its negation (`Expected … not to`).
 */
type Case = readonly [Message, Assert, string];

const otp =
  (code?: string | RegExp): Assert =>
  (email) =>
    email.toHaveOtp(code);
const OTP: Case[] = [
  [CODE, otp(), `Expected 'Welcome' not to have a code, but it has "048291".`],
  [CODE, otp('048291'), `Expected 'Welcome' not to have the code "048291", but it has "048291".`],
  [CODE, otp('48291'), `Expected 'Welcome' to have the code "48291", but it has "048291".`],
  [CODE, otp(/^0\d{5}$/g), `Expected 'Welcome' not to have the code /^0\\d{5}$/g, but it has "048291".`],
  [CODE, otp(/^\d{4}$/), `Expected 'Welcome' to have the code /^\\d{4}$/, but it has "048291".`],
  [NEITHER, otp(), `Expected 'Welcome' to have a code, but it has none: its text is "Hello!".`],
  [[[]], otp(), 'Expected the email without a subject to have a code, but it has none: its text is empty.'],
  [
    [['Subject: =?utf-8?Q?=1B[31mred=E2=80=AE?='], 'a\u001b]0;title\u0007b', 'long '.repeat(100)],
    otp(),
    `Expected '[31mred' to have a code, but it has none: its text is "a ]0;title b ${'long '.repeat(37)}lo…".`,
  ],
];

const magicLink =
  (host?: string): Assert =>
  (email) =>
    email.toHaveMagicLink(host);
const SHOWN = 'it has https://app.example.test:8443/verify?…';
const MAGIC_LINK: Case[] = [
  [LINK, magicLink(), `Expected 'Welcome' not to have a magic link, but ${SHOWN}.`],
  [
    LINK,
    magicLink('APP.example.test'),
    `Expected 'Welcome' not to have a magic link to APP.example.test, but ${SHOWN}.`,
  ],
  ...[
    ['not to', 'app.example.test:8443'],
    ['to', 'app.example.test:443'],
    ['to', 'app.example.test:80'],
    ['to', 'example.test'],
  ].map(
    ([to, host]): Case => [
      LINK,
      magicLink(host),
      `Expected 'Welcome' ${to} have a magic link to ${host}, but ${SHOWN}.`,
    ],
  ),
  [NEITHER, magicLink(), `Expected 'Welcome' to have a magic link, but it has none: its text is "Hello!".`],
];

const textPart: Assert = (email) => email.toHaveTextPart();
const TEXT_PART: Case[] = [
  [NEITHER, textPart, `Expected 'Welcome' not to have a text part, but it has "Hello!".`],
  [multipart('In words', '<p>Hi</p>'), textPart, `Expected 'Welcome' not to have a text part, but it has "In words".`],
  [multipart(' \t', '<p>Hi</p>'), textPart, `Expected 'Welcome' to have a text part, but its text part is empty.`],
  [HTML_ONLY, textPart, `Expected 'Welcome' to have a text part, but it has only text/html.`],
  [
    mixed(
      HTML,
      'Content-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt',
      'Content-Type: image/png',
    ),
    textPart,
    `Expected 'Welcome' to have a text part, but it has only text/html, text/plain, image/png.`,
  ],
  [
    mixed(...Array.from({ length: 13 }, (_, index) => `Content-Type: image/x-${index}`)),
    textPart,
    `Expected 'Welcome' to have a text part, but it has only ${Array.from({ length: 10 }, (_, index) => `image/x-${index}`).join(', ')} and 3 more.`,
  ],
];

const oneClick: Assert = (email) => email.toHaveOneClickUnsubscribe();
const ONE_CLICK: Case[] = [
  [[UNSUBSCRIBE, POST], null],
  [['List-Unsubscribe:\r\n <mailto:u@example.test>,\r\n\t< https://example.test/u?a=1,2 >', POST], null],
  [[UNSUBSCRIBE, POST, dkim('from:List-Unsubscribe:list-unsubscribe-post')], null],
  [[UNSUBSCRIBE, POST, dkim('from : List-Unsubscribe :\r\n\t List-Unsubscribe-Post')], null],
  [[], 'it has no header List-Unsubscribe'],
  [[UNSUBSCRIBE], 'it has no header List-Unsubscribe-Post'],
  [[UNSUBSCRIBE, UNSUBSCRIBE, POST], 'it has 2 headers List-Unsubscribe'],
  [['List-Unsubscribe: <https://>', POST], 'its List-Unsubscribe has no https address in angle brackets: "<https://>"'],
  [
    ['List-Unsubscribe: https://example.test/u', POST],
    'its List-Unsubscribe has no https address in angle brackets: "https://example.test/u"',
  ],
  [
    [UNSUBSCRIBE, 'List-Unsubscribe-Post: One-Click'],
    'its List-Unsubscribe-Post is "One-Click", not "List-Unsubscribe=One-Click"',
  ],
  [[UNSUBSCRIBE, POST, dkim('from:list-unsubscribe')], 'its DKIM-Signature does not sign List-Unsubscribe-Post (h=)'],
  [[`X-Long: ${'a'.repeat(2 ** 18)}`, UNSUBSCRIBE, POST], 'its header is too large to be read'],
].map(([fields, fault]): Case => {
  const [to, found] = fault === null ? ['not to', 'it does'] : ['to', fault];
  const message = `Expected 'Welcome' ${to} have one-click unsubscription (RFC 8058), but ${found}.`;
  return [[[WELCOME, ...(fields as string[])], 'News'], oneClick, message];
});

const safeLinks =
  (options?: SafeLinksOptions): Assert =>
  (email) =>
    email.toHaveSafeLinks(options);
const unsafe = (to: string, found: string) => `Expected 'Welcome' ${to} have only safe links, but ${found}.`;
const LOCAL = [
  ...['LOCALHOST', 'app.localhost', 'localhost.', 'web:8080', 'printer.local', '127.1', '0x7f000001', '0.0.0.0'],
  ...['10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.255.255', '[::1]', '[fd00::1]', '[::ffff:127.0.0.1]'],
];
const PUBLIC = ['example.com', 'localhost.example.com', '11.0.0.1', '172.32.0.1', '100.63.0.1', '[::ffff:8.8.8.8]'];
const SAFE_LINKS: Case[] = [
  [links('https://app.example/a', 'mailto:a@app.example'), safeLinks(), unsafe('not to', 'its link is safe')],
  [links(...PUBLIC.map((host) => `https://${host}/`)), safeLinks(), unsafe('not to', `all ${PUBLIC.length} are safe`)],
  ...LOCAL.map((host): Case => {
    const shown = new URL(`https://${host}/a`).href;
    const found = `${shown} leads to a host that only your machine or network knows`;
    return [links(`https://${host}/a?token=s3cret`), safeLinks(), unsafe('to', found.replace('/a ', '/a?… '))];
  }),
  [
    links('https://app.example/a', 'http://app.example/b?id=1', 'HTTP://app.example/c'),
    safeLinks(),
    unsafe('to', 'http://app.example/b?… is not https, http://app.example/c is not https'),
  ],
  [
    links('https://click.tracker.example/x', 'https://tracker.example./y', 'https://nottracker.example/z'),
    safeLinks({ trackers: ['Tracker.example', 'other.example'] }),
    unsafe(
      'to',
      'https://click.tracker.example/x leads to the tracker Tracker.example, https://tracker.example./y leads to the tracker Tracker.example',
    ),
  ],
  [links('http://127.0.0.1:3000/a'), safeLinks({ except: '127.0.0.1' }), unsafe('to', 'except excludes all of them')],
  [NEITHER, safeLinks(), unsafe('to', 'it has none')],
  [
    links(...Array.from({ length: 12 }, (_, index) => `http://a.example/${index}`)),
    safeLinks(),
    unsafe(
      'to',
      `${Array.from({ length: 10 }, (_, index) => `http://a.example/${index} is not https`).join(', ')} and 2 more`,
    ),
  ],
];

const TABLES = { OTP, MAGIC_LINK, TEXT_PART, ONE_CLICK, SAFE_LINKS };

describe.each(Object.entries(TABLES))('a failing email matcher (table %s)', (_, cases) => {
  test.each(cases.map(([message, assert, says]) => [says, message, assert] as const))(
    'throws the error: %s',
    async (says, message, assert) => {
      const email = await received(message);
      const holds = / not to have /.test(says);
      const { not } = expect(email);
      const [right, wrong] = holds ? [expect(email), not] : [not, expect(email)];
      await assert(right as Assertion<ReceivedEmail>);
      const fault = await caught(() => assert(wrong as Assertion<ReceivedEmail>));
      expect(fault.message).toBe(says);
    },
  );
});

async function caught(assert: () => unknown): Promise<Error> {
  try {
    await assert();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not fail.');
}

const EMAIL = 'needs an email, such as the result of inbox.waitForEmail()';
const HOST = 'pass a host such as app.example.com or 127.0.0.1:3000, without https:// and path.';
const CODE_RULE = 'a string or a RegExp; a number would lose leading zeros';
const TRACKERS = 'toHaveSafeLinks(): trackers must be an array of hosts such as click.example.net.';
const MASK = 'toMatchEmailSnapshot(): mask must be an array of non-empty strings and RegExps.';

/** Incorrect uses of a matcher, which fail both as an assertion and as its negation. */
const MISTAKES: readonly (readonly [string, unknown, (email: Assertion) => unknown])[] = [
  [`toHaveOtp() ${EMAIL}: got undefined.`, undefined, (email) => email.toHaveOtp()],
  [`toHaveMagicLink() ${EMAIL}: got a string.`, 'Your code', (email) => email.toHaveMagicLink()],
  [`toHaveOneClickUnsubscribe() ${EMAIL}: got an object.`, {}, (email) => email.toHaveOneClickUnsubscribe()],
  [`toHaveOtp() ${EMAIL}: await the promise first.`, Promise.resolve(), (email) => email.toHaveOtp()],
  [`toMatchEmailSnapshot() ${EMAIL}: got undefined.`, undefined, (email) => email.toMatchEmailSnapshot()],
  ['toHaveTextPart() needs an email of an inbox, not a copy of its fields.', 'copy', (email) => email.toHaveTextPart()],
  [`toHaveOtp(): the code must be ${CODE_RULE}.`, 'email', (email) => email.toHaveOtp(48291 as unknown as string)],
  ...['https://app.example.test', 'a b', '', 'app.example.test:99999'].map(
    (host) => [`toHaveMagicLink(): ${HOST}`, 'email', (email: Assertion) => email.toHaveMagicLink(host)] as const,
  ),
  ...[['https://t.example'], [1], 't.example'].map(
    (trackers) =>
      [TRACKERS, 'email', (email: Assertion) => email.toHaveSafeLinks({ trackers: trackers as string[] })] as const,
  ),
  [
    'toHaveSafeLinks(): "tracker" is not an option. Did you mean trackers?',
    'email',
    (email) => email.toHaveSafeLinks({ tracker: [] } as object),
  ],
  ['toHaveSafeLinks(): the options must be an object.', 'email', (email) => email.toHaveSafeLinks([] as object)],
  ...[[''], 'a'].map(
    (mask) => [MASK, 'email', (email: Assertion) => email.toMatchEmailSnapshot({ mask: mask as string[] })] as const,
  ),
];

test.each(MISTAKES)('wrong use of a matcher throws MayflyOptionError: %s', async (says, value, assert) => {
  const email = await received(CODE);
  const actual = value === 'email' ? email : value === 'copy' ? { ...email } : value;
  for (const assertion of [expect(actual), expect(actual).not]) {
    const fault = await caught(() => assert(assertion as Assertion));
    expect([fault.name, fault.message]).toEqual(['MayflyOptionError', says]);
  }
});

test('toHaveOtp, toHaveMagicLink and toHaveOneClickUnsubscribe accept a JSON copy of an email', async () => {
  const copy = JSON.parse(JSON.stringify(await received(CODE)));
  expect(copy).toHaveOtp('048291');
  expect(copy).not.toHaveMagicLink();
  expect(copy).not.toHaveOneClickUnsubscribe();
});

const MORE = "cannot check 'Welcome': the email has more";
const TOO_MUCH: readonly (readonly [string, Message, (email: Assertion) => unknown])[] = [
  [
    `toHaveSafeLinks() ${MORE} links than Mayfly returns.`,
    links(...Array.from({ length: 3_000 }, (_, index) => `https://app.example/${index}`)),
    (email) => email.toHaveSafeLinks(),
  ],
  [
    `toHaveSafeLinks() ${MORE} links and html than Mayfly returns.`,
    [[WELCOME, HTML], '<p>https://app.example/</p>', '<b>'.repeat(2 ** 20)],
    (email) => email.toHaveSafeLinks(),
  ],
  [
    `toMatchEmailSnapshot() ${MORE} text than Mayfly returns.`,
    [[WELCOME], 'a lot of text\r\n'.repeat(2 ** 17)],
    (email) => email.toMatchEmailSnapshot(),
  ],
  [
    `toMatchEmailSnapshot() takes at most 262144 characters of text and HTML, but the email has 262151.`,
    [[WELCOME, HTML], `<p>${'x'.repeat(2 ** 18)}</p>`],
    (email) => email.toMatchEmailSnapshot(),
  ],
];

test.each(TOO_MUCH)('a matcher throws if an email is too large to check: %s', async (says, message, assert) => {
  const fault = await caught(async () => assert(expect(await received(message))));
  expect([fault.name, fault.message]).toEqual(['MayflyError', says]);
});
