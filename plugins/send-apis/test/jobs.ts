import type { ReceivedEmail } from 'mayfly-client';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { expect } from 'vitest';
import { type Answer, freshAddress, type RunningService } from './provider.js';
import matrix from './sdks/sdks.json' with { type: 'json' };

/** An SDK, and how it reports errors. */
export interface Sdk {
  readonly provider: string;
  readonly language: string;
  readonly sdk: string;
  /** Cases for which the SDK has no call, or which it rejects itself, with the reason. */
  readonly lacks: Readonly<Record<string, string>>;
  /** Properties of `ERRORS` that the SDK's errors do not contain. */
  readonly untold: readonly string[];
  /** The SDK's error class by case; `others` is for other cases. Without a class, tests compare the provider's code. */
  readonly types: Readonly<Record<string, string>>;
}

export const SDKS: readonly Sdk[] = matrix.sdks as readonly Sdk[];

type Sending = keyof typeof matrix.sending;
type Refusal = keyof typeof matrix.refused;

type Titled<Name> = readonly [title: string, name: Name];

const titled = <Name extends string>(titles: Readonly<Record<Name, string>>, { lacks }: Sdk) =>
  (Object.keys(titles) as Name[]).filter((name) => !(name in lacks)).map((name): Titled<Name> => [titles[name], name]);

/** The titled cases of an SDK whose messages the service accepts, and (`refusedWith`) those that it rejects. */
export const sendingWith = (sdk: Sdk) => titled(matrix.sending, sdk);
export const refusedWith = (sdk: Sdk) => titled(matrix.refused, sdk);

export const CODE = '482913';

/** The codes of a batch, one per message. */
const CODES = ['112233', '445566'];

/** The service's limits, which the error cases exceed. */
export const LIMITS = { maxRecipients: 5, maxMessage: '64KiB', maxEmails: 2 } as const;

const TEXT = `Your code is ${CODE}`;
const HTML = `<p>Your code is <b>${CODE}</b></p>`;
const NAMES = { from: 'Äpp, Inc.', to: 'Doe, Jané 🦋', subject: 'Wélcome 🦋' };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const FILE = { name: 'héllo.txt', type: 'text/plain', content: base64('hello'), cid: null };
const IMAGE = { name: 'logo.png', type: 'image/png', content: base64('png'), cid: 'logo.png' };

/** A message to send. The programs in sdks/ translate it into calls of each SDK; bytes are base64. */
export interface Job {
  readonly call: 'send' | 'raw' | 'batch' | 'template';
  readonly from: { readonly name: string; readonly email: string } | null;
  readonly to: readonly { readonly name: string; readonly email: string }[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly files: readonly {
    readonly name: string;
    readonly type: string;
    readonly content: string;
    cid: string | null;
  }[];
  readonly raw: string;
  readonly each: readonly { readonly email: string; readonly code: string }[];
  readonly template: { readonly id: string; readonly variables: Readonly<Record<string, string>> };
}

function job(to: string, own: Partial<Job> = {}): Job {
  return {
    call: 'send',
    from: { name: 'App', email: 'app@acme.test' },
    to: [{ name: '', email: to }],
    cc: [],
    bcc: [],
    subject: 'Welcome',
    text: TEXT,
    html: '',
    files: [],
    raw: '',
    each: [],
    template: { id: 'd-welcome', variables: { code: CODE } },
    ...own,
  };
}

/** The email that arrived at the first recipient of a job. */
export interface Arrived {
  readonly job: Job;
  readonly service: RunningService;
  readonly email: ReceivedEmail;
  /** The parsed contents, from `/parts`. */
  readonly parts: Answer;
}

interface SendCase {
  readonly job: (to: string) => Job | Promise<Job>;
  readonly check: (arrived: Arrived) => void | Promise<void>;
}

const hasFile = async ({ email }: Arrived) => {
  const file = (await email.attachments()).find(({ name }) => name === FILE.name);
  expect(await file?.text()).toBe('hello');
};
const hasImage = ({ parts }: Arrived) => {
  expect(parts.parts).toContainEqual(expect.objectContaining({ contentId: IMAGE.cid, size: 3 }));
  expect(parts.html).toContain(`cid:${IMAGE.cid}`);
};
const hasNames = ({ email, parts, job: { to } }: Arrived) => {
  expect([email.subject, email.fromName]).toEqual([NAMES.subject, NAMES.from]);
  expect(parts.to).toEqual([{ name: NAMES.to, address: to[0]?.email }]);
};
const WITH_IMAGE = `${HTML}<img src="cid:${IMAGE.cid}">`;

/** The ways of sending, by their names in sdks/sdks.json. */
export const SENDING: Readonly<Record<Sending, SendCase>> = {
  text: {
    job: (to) => job(to),
    check: ({ parts }) => expect([parts.text.trim(), parts.html]).toEqual([TEXT, null]),
  },
  html: {
    job: (to) => job(to, { text: '', html: HTML }),
    check: ({ parts }) => expect(parts.html.trim()).toBe(HTML),
  },
  attachment: { job: (to) => job(to, { files: [FILE] }), check: hasFile },
  inline: {
    job: (to) => job(to, { html: WITH_IMAGE, files: [IMAGE] }),
    check: hasImage,
  },
  names: {
    job: (email) =>
      job(email, {
        from: { name: NAMES.from, email: 'app@acme.test' },
        to: [{ name: NAMES.to, email }],
        subject: NAMES.subject,
      }),
    check: hasNames,
  },
  copies: {
    job: (to) => job(to, { cc: [freshAddress()], bcc: [freshAddress()] }),
    async check({ service, job: { cc, bcc }, parts }) {
      for (const address of [...cc, ...bcc]) expect(await otpsOf(service, address)).toEqual([CODE]);
      expect(parts.cc).toEqual([{ name: '', address: cc[0] }]);
      expect(JSON.stringify(parts.headers)).not.toContain(bcc[0]);
    },
  },
  raw: {
    job: rawJob,
    async check(arrived) {
      await hasFile(arrived);
      hasImage(arrived);
      hasNames(arrived);
    },
  },
  batch: {
    job: (to) =>
      job(to, { call: 'batch', each: [to, freshAddress()].map((email, at) => ({ email, code: CODES[at] ?? '' })) }),
    async check({ service, job: { each } }) {
      for (const { email, code } of each) expect(await otpsOf(service, email)).toEqual([code]);
    },
  },
  template: {
    job: (to) => job(to, { call: 'template', text: '' }),
    check: ({ parts }) =>
      expect(parts.headers).toContainEqual(expect.objectContaining({ name: 'X-Template-ID', value: 'd-welcome' })),
  },
};

async function otpsOf(service: RunningService, address: string): Promise<string[]> {
  return (await service.emails(address)).map(({ otp }) => otp);
}

async function rawJob(to: string): Promise<Job> {
  const message = await new MailComposer({
    from: { name: NAMES.from, address: 'app@acme.test' },
    to: { name: NAMES.to, address: to },
    subject: NAMES.subject,
    text: TEXT,
    html: WITH_IMAGE,
    attachments: [
      { filename: FILE.name, content: 'hello' },
      { filename: IMAGE.name, content: 'png', cid: IMAGE.cid },
    ],
  })
    .compile()
    .build();
  return job(to, { call: 'raw', raw: message.toString('base64') });
}

/** Refused jobs, by their names in sdks/sdks.json. */
export const REFUSED: Readonly<Record<Refusal, (to: string) => Job>> = {
  missing: (to) => job(to, { from: null }),
  invalid: () => job('', { to: [{ name: 'Ann', email: 'no-address' }] }),
  notServed: () => job('a@else.test'),
  tooLarge: (to) => job(to, { text: 'x'.repeat(70_000) }),
  tooManyRecipients: () => job('', { to: Array.from({ length: 6 }, () => ({ name: '', email: freshAddress() })) }),
  full: (to) => job(to),
  rate: (to) => job(to),
};

interface Expected {
  readonly status: number;
  readonly code: string | number | null;
  readonly message: RegExp;
}

type ByCase = Readonly<Record<Refusal, Expected>>;

const is = (status: number, code: string | number | null, message: RegExp): Expected => ({ status, code, message });

export const ERRORS: Readonly<Record<string, ByCase>> = {
  Resend: {
    missing: is(422, 'missing_required_field', /`from` field/),
    invalid: is(422, 'validation_error', /Invalid `to` field/),
    notServed: is(403, 'validation_error', /a@else\.test/),
    tooLarge: is(413, 'validation_error', /size/),
    tooManyRecipients: is(422, 'validation_error', /5 recipients/),
    full: is(429, 'daily_quota_exceeded', /--max-emails/),
    rate: is(429, 'rate_limit_exceeded', /requests/),
  },
  SendGrid: {
    missing: is(400, null, /from/),
    invalid: is(400, null, /valid address/),
    notServed: is(400, null, /a@else\.test/),
    tooLarge: is(413, null, /too large/),
    tooManyRecipients: is(400, null, /limit of 5 total recipients/),
    full: is(401, null, /Maximum credits exceeded/),
    rate: is(429, null, /too many requests/),
  },
  Postmark: {
    missing: is(422, 300, /'From' field is required/),
    invalid: is(422, 300, /Invalid 'To' address/),
    notServed: is(422, 406, /inactive.*a@else\.test/s),
    tooLarge: is(413, 300, /size/),
    tooManyRecipients: is(422, 300, /5 recipients/),
    full: is(422, 405, /./),
    rate: is(429, 429, /./),
  },
  'SES v2': {
    missing: is(400, 'BadRequestException', /FromEmailAddress/),
    invalid: is(400, 'BadRequestException', /no-address/),
    notServed: is(400, 'MessageRejected', /not verified.*a@else\.test/),
    tooLarge: is(400, 'BadRequestException', /more than the allowed size/),
    tooManyRecipients: is(400, 'BadRequestException', /Recipient count exceeds 5/),
    full: is(400, 'LimitExceededException', /quota exceeded/),
    rate: is(429, 'TooManyRequestsException', /rate exceeded/),
  },
  'SES v1': {
    missing: is(400, 'ValidationError', /validation error/),
    invalid: is(400, 'InvalidParameterValue', /no-address/),
    notServed: is(400, 'MessageRejected', /not verified.*a@else\.test/),
    tooLarge: is(400, 'InvalidParameterValue', /more than the allowed size/),
    tooManyRecipients: is(400, 'InvalidParameterValue', /Recipient count exceeds 5/),
    full: is(400, 'LimitExceeded', /quota exceeded/),
    rate: is(400, 'Throttling', /rate exceeded/),
  },
  Mailgun: {
    missing: is(400, null, /from parameter is missing/),
    invalid: is(400, null, /'to' parameter is not a valid address/),
    notServed: is(403, null, /a@else\.test/),
    tooLarge: is(413, null, /too large/),
    tooManyRecipients: is(400, null, /max is 5/),
    full: is(429, null, /--max-emails/),
    rate: is(429, null, /Too Many Requests/),
  },
};
