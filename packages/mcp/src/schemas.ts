import type { EmailLink, ExplainedCandidate, HeaderField, SmtpAddress } from 'mayfly-protocol';
import * as z from 'zod';
import {
  MAX_FILTER_CHARS,
  MAX_INBOX_CHARS,
  MAX_LISTED,
  MAX_PART_CHARS,
  MAX_SECRET_CHARS,
  MAX_WAIT_SECONDS,
  PREVIEW_CHARS,
  STANDARD_LISTED,
  STANDARD_WAIT_SECONDS,
} from './bounds.js';

/** Arguments and results of the tools. A misspelled argument is rejected, because ignoring it would change the wait. */

/** Schemas with exactly the fields of a wire type. Strings may have any value. */
type FieldsOf<T> = { readonly [K in keyof T]: z.ZodType<T[K] extends string ? string : T[K]> };

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

const time = (description: string) =>
  z
    .string()
    .regex(TIME)
    .refine((text) => Number.isFinite(Date.parse(text)), 'Use a time such as 2026-01-31T09:30:00.000Z.')
    .describe(description);

const inbox = z
  .string()
  .min(1)
  .max(MAX_INBOX_CHARS)
  .describe('The inbox: its name or its whole address, as create_inbox returned it.');

const secret = z
  .string()
  .max(MAX_SECRET_CHARS)
  .optional()
  .describe('The secret of a private inbox, as create_inbox returned it.');

const flag = (description: string) => z.boolean().optional().describe(description);

const filter = (description: string) => z.string().min(1).max(MAX_FILTER_CHARS).optional().describe(description);

const after = time(
  'Only emails that arrived after this time. First pass the "after" that create_inbox returned, then the "next_after" of the last result.',
).optional();

export const createInboxInput = z.strictObject({
  prefix: z
    .string()
    .max(MAX_INBOX_CHARS)
    .optional()
    .describe('Prefix of the name, such as signup: letters, digits and hyphens.'),
  private: flag('Whether only a secret opens the inbox, so its address can be public. Its name has no prefix.'),
});

export const createInboxOutput = z.strictObject({
  address: z.string().describe('The address to give to the application under test.'),
  inbox: z.string().describe('The inbox. Pass it to the other tools.'),
  secret: z.string().nullable().describe('The secret of a private inbox. Pass it to the other tools.'),
  after: z.string().describe('Pass it as "after" to the first wait_for_email. The inbox has no earlier mail.'),
  page_url: z.string().nullable().describe('Where a person can watch the inbox in a browser.'),
  smtp: z
    .strictObject({ host: z.string(), port: z.number() } satisfies FieldsOf<SmtpAddress>)
    .describe('The SMTP server that the application under test must send through. Any user name and password work.'),
});

export const waitForEmailInput = z.strictObject({
  inbox,
  secret,
  after,
  from: filter("Part of the sender's address, ignoring case."),
  subject: filter('Part of the subject, ignoring case.'),
  body: filter('Part of the text, ignoring case.'),
  require_otp: flag('Only an email with a code of 4 to 8 digits. Omit it for codes with letters, listed in "codes".'),
  require_magic_link: flag(
    'Only an email with a verification or reset link. Omit it for other links, which are in "action_link".',
  ),
  timeout_seconds: z
    .number()
    .min(1)
    .max(MAX_WAIT_SECONDS)
    .default(STANDARD_WAIT_SECONDS)
    .describe('How long to wait. Prefer several calls to one long wait.'),
});

export const waitForEmailOutput = z.strictObject({
  found: z.boolean().describe('Whether the email arrived. If not, all fields of the email are null or empty.'),
  otp: z.string().nullable().describe('The code of 4 to 8 digits.'),
  magic_link: z.string().nullable().describe('The verification or reset link.'),
  action_link: z.string().nullable().describe('The link that the email asks its reader to follow, whatever its URL.'),
  codes: z.array(z.string()).describe('All possible codes, including those with letters, best first.'),
  from: z.string().nullable(),
  subject: z.string().nullable(),
  received_at: z.string().nullable().describe('When it arrived. Identifies the email for get_email.'),
  body_preview: z.string().nullable().describe(`The first ${PREVIEW_CHARS} characters of the text.`),
  next_after: z.string().nullable().describe('Pass it as "after" in the next call.'),
  arrived: z
    .array(
      z.strictObject({
        received_at: z.string(),
        from: z.string(),
        subject: z.string(),
        why_not: z.string().describe('Why this email did not match.'),
      }),
    )
    .optional()
    .describe('If found is false: the newest emails that did arrive.'),
  advice: z.string().optional().describe('What to do next.'),
});

export const checkInboxInput = z.strictObject({
  inbox,
  secret,
  after,
  limit: z.int().min(1).max(MAX_LISTED).default(STANDARD_LISTED).describe('Maximum number of emails, newest first.'),
});

export const checkInboxOutput = z.strictObject({
  emails: z
    .array(
      z.strictObject({
        received_at: z.string().describe('Identifies the email for get_email.'),
        from: z.string(),
        from_name: z.string(),
        subject: z.string(),
        otp: z.string().nullable(),
        magic_link: z.string().nullable(),
        attachments: z.number().describe('Number of attached files.'),
        body_preview: z.string().describe('The beginning of the text.'),
        cut: z.array(z.string()).describe('Fields that are truncated or missing here. Read them with get_email.'),
      }),
    )
    .describe('Newest first.'),
  next_after: z.string().nullable().describe('Pass it as "after" to skip all of these emails.'),
});

const PARTS = ['text', 'html', 'headers', 'links', 'attachments', 'explain'] as const;

export const getEmailInput = z.strictObject({
  inbox,
  secret,
  received_at: time('The received_at of the email.'),
  part: z.enum(PARTS).describe('The part to read. explain says why extraction chose this code and link, or none.'),
});

const candidates = z.array(
  z.strictObject({
    value: z.string(),
    verdict: z.string(),
    score: z.number(),
    reasons: z.array(z.string()),
    where: z.string(),
  } satisfies Record<keyof ExplainedCandidate, z.ZodType>),
);

export const getEmailOutput = z.strictObject({
  received_at: z.string(),
  part: z.enum(PARTS),
  cut: z.boolean().describe(`Whether the part was cut: at most ${MAX_PART_CHARS} characters are shown.`),
  text: z.string().nullable().optional(),
  html: z.string().nullable().optional().describe('The HTML as its sender wrote it.'),
  headers: z
    .array(z.strictObject({ name: z.string(), value: z.string() } satisfies FieldsOf<Omit<HeaderField, 'raw'>>))
    .optional(),
  links: z
    .array(
      z.strictObject({
        url: z.string(),
        text: z.string(),
        place: z.string(),
        action: z.boolean().describe('Whether the email asks its reader to follow this link.'),
      } satisfies FieldsOf<Omit<EmailLink, 'score' | 'reasons'>>),
    )
    .optional(),
  attachments: z
    .array(
      z.strictObject({
        name: z.string(),
        type: z.string(),
        size: z.number().describe('Size in bytes.'),
        path: z.string().describe('Number of the part in the message.'),
      }),
    )
    .optional(),
  explanation: z
    .strictObject({
      otp: z.string().nullable(),
      otp_threshold: z.number().describe('Minimum score of a code.'),
      otp_candidates: candidates,
      letter_candidates: candidates,
      magic_link: z.string().nullable(),
      magic_link_threshold: z.number(),
      magic_link_candidates: candidates,
    })
    .optional(),
});

export const verifySignUpInput = z.object({
  app_url: z.string().max(MAX_FILTER_CHARS).optional().describe('URL of the application under test.'),
});

export type WaitInput = z.output<typeof waitForEmailInput>;
export type WaitOutput = z.output<typeof waitForEmailOutput>;
export type GetEmailInput = z.output<typeof getEmailInput>;
export type GetEmailOutput = z.output<typeof getEmailOutput>;
export type CheckInboxOutput = z.output<typeof checkInboxOutput>;
