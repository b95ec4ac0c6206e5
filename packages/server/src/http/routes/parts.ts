import type {
  EmailCode,
  EmailLink,
  EmailParts,
  Envelope,
  HeaderField,
  Mailbox,
  MimePart,
  SendApiRequest,
} from 'mayfly-protocol';
import type { Inboxes } from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { jsonAnswer, objectSchema, REASON } from '../answer/schemas.js';
import type { App } from '../framework.js';
import { addInspectionRoute } from '../request/one-email.js';

const envelope = objectSchema<Envelope>(
  {
    from: { type: 'string', description: 'Address of MAIL FROM; empty for the null sender.' },
    to: { type: 'string', description: 'The accepted recipient of this email, in lower case.' },
  },
  { description: 'The SMTP envelope of the message, regardless of its header.' },
);

const sendApiRequest = objectSchema<SendApiRequest>(
  {
    provider: { type: 'string', description: 'resend, sendgrid, postmark, ses or mailgun.' },
    id: { type: 'string', description: 'The message id that the application got.' },
    request: { type: 'string', description: 'Such as POST /emails.' },
    body: {
      description:
        'The fields of the body, with long texts cut. Null, or without texts that hold an @, if the request names inboxes that not every reader of this message may open.',
    },
    notes: {
      type: 'array',
      items: { type: 'string' },
      description: 'What Mayfly did differently than the provider would, a sentence each.',
    },
  },
  { description: "A request to a provider's send API, without keys, headers and the content of files." },
);

const mailbox = objectSchema<Mailbox>({
  name: { type: 'string', description: 'Decoded display name; empty if there is none.' },
  address: { type: 'string' },
});

const headerField = objectSchema<HeaderField>({
  name: { type: 'string', description: 'As written in the message.' },
  value: { type: 'string', description: 'Unfolded and decoded (RFC 2047).' },
  raw: { type: 'string', description: 'As in the message after the colon, including line breaks.' },
});

const orNull = (description: string) => ({ type: ['string', 'null'], description });

const place = { type: 'string', enum: ['subject', 'text', 'html'] };
const score = { type: 'number', description: "Sum of the reasons' points." };
const reasons = { type: 'array', items: REASON };

const link = objectSchema<EmailLink>({
  url: {
    type: 'string',
    description: 'As written in the message: an http, https, mailto or tel URL, or one that opens an application.',
  },
  text: {
    type: 'string',
    description: 'Its visible text, or else its title; the URL if the link is a plain URL.',
  },
  place: { ...place, description: 'Its first place.' },
  action: {
    type: 'boolean',
    description:
      'Whether this is the link that the mail asks its reader to follow: at most one is. It is the magicLink if there is one.',
  },
  score,
  reasons,
});

const code = objectSchema<EmailCode>({
  value: { type: 'string', description: 'Such as 482913, A7K-2QX or vM8xw.' },
  place: { ...place, description: 'Its best place.' },
  score,
  reasons,
});

const mimePart = objectSchema<Required<MimePart>>({
  path: {
    type: 'string',
    description:
      'Its number as in IMAP (RFC 9051 section 6.4.5): 1.2 is the second part in the first one. A message of one part has that as 1; ' +
      'the outermost multipart has the path "".',
  },
  type: { type: 'string', description: 'Media type in lower case.' },
  charset: orNull('The charset that its sender named, in lower case.'),
  disposition: orNull('Content-Disposition in lower case, mostly inline or attachment.'),
  filename: orNull(
    'Decoded file name (RFC 2231, RFC 2047), made safe to be one: no folders, no control or direction characters, at most 255 bytes.',
  ),
  contentId: orNull('Content-ID without its angle brackets.'),
  size: { type: ['integer', 'null'], description: 'Decoded size in bytes; null for a multipart.' },
  attachment: { type: 'boolean', description: 'Whether it counts as an attachment.' },
  links: {
    type: 'array',
    items: { $ref: 'EmailLink#' },
    description:
      'The links of an attached message (message/rfc822), for the first 10 of them and 1 MiB of these together.',
  },
  codes: { type: 'array', items: { $ref: 'EmailCode#' }, description: 'The codes of an attached message.' },
});
const ONLY_OF_MESSAGES: readonly string[] = ['links', 'codes'];
const partOfMessage = { ...mimePart, required: mimePart.required.filter((name) => !ONLY_OF_MESSAGES.includes(name)) };

const mailboxes = (field: string) => ({
  type: 'array',
  items: { $ref: 'Mailbox#' },
  description: `Mailboxes of the ${field} header, groups taken apart; 500 at most.`,
});

const emailParts = objectSchema<EmailParts>(
  {
    envelope: { $ref: 'Envelope#' },
    sendApi: {
      anyOf: [{ $ref: 'SendApiRequest#' }, { type: 'null' }],
      description: "The request to a provider's send API that sent the message; null if it came over SMTP.",
    },
    from: mailboxes('From'),
    to: mailboxes('To'),
    cc: mailboxes('Cc'),
    replyTo: mailboxes('Reply-To'),
    headers: {
      type: 'array',
      items: { $ref: 'HeaderField#' },
      description: "Fields of the message's own header, in its order; 1,000 at most, of its first 256 KiB.",
    },
    parts: {
      type: 'array',
      items: { $ref: 'MimePart#' },
      description: 'The parts in the order of the message, each multipart before its parts; 1,000 at most.',
    },
    text: orNull('Decoded text of the body; up to 1 MiB of it.'),
    html: orNull('Decoded HTML of the body as its sender wrote it: not safe to show; up to 1 MiB of it.'),
    links: {
      type: 'array',
      items: { $ref: 'EmailLink#' },
      description:
        'Every link that a reader can follow, once, in order: those of the HTML, then those of the text; 500 at most.',
    },
    codes: {
      type: 'array',
      items: { $ref: 'EmailCode#' },
      description:
        'Every code that extraction considers plausible, including those with letters, best first; 20 at most.',
    },
    incomplete: {
      type: 'array',
      items: {
        type: 'string',
        enum: ['from', 'to', 'cc', 'replyTo', 'headers', 'parts', 'text', 'html', 'links', 'codes'],
      },
      description: 'The fields of this response that are incomplete because a limit was reached.',
    },
  },
  { description: 'The contents of a message beyond the nine fields of its email.' },
);

const PARTS_SCHEMAS = [
  { $id: 'Envelope', ...envelope },
  { $id: 'SendApiRequest', ...sendApiRequest },
  { $id: 'Mailbox', ...mailbox },
  { $id: 'HeaderField', ...headerField },
  { $id: 'MimePart', ...partOfMessage },
  { $id: 'EmailLink', ...link },
  { $id: 'EmailCode', ...code },
  { $id: 'EmailParts', ...emailParts },
];

/** A test sends the mail that has this answer. */
const PARTS_EXAMPLE: EmailParts = {
  envelope: { from: 'bounce@app.test', to: 'demo@inbox.example.com' },
  sendApi: null,
  from: [{ name: 'App', address: 'hello@app.test' }],
  to: [{ name: '', address: 'demo@inbox.example.com' }],
  cc: [],
  replyTo: [],
  headers: [
    { name: 'From', value: 'App <hello@app.test>', raw: 'App <hello@app.test>' },
    { name: 'To', value: 'demo@inbox.example.com', raw: 'demo@inbox.example.com' },
    { name: 'Subject', value: 'Sign in to Café App', raw: '=?utf-8?q?Sign_in_to_Caf=C3=A9_App?=' },
    { name: 'Content-Type', value: 'multipart/mixed; boundary="b"', raw: 'multipart/mixed; boundary="b"' },
  ],
  parts: [
    {
      path: '',
      type: 'multipart/mixed',
      charset: null,
      disposition: null,
      filename: null,
      contentId: null,
      size: null,
      attachment: false,
    },
    {
      path: '1',
      type: 'text/plain',
      charset: 'utf-8',
      disposition: null,
      filename: null,
      contentId: null,
      size: 98,
      attachment: false,
    },
    {
      path: '2',
      type: 'application/pdf',
      charset: null,
      disposition: 'attachment',
      filename: 'invoice.pdf',
      contentId: null,
      size: 24576,
      attachment: true,
    },
  ],
  text: 'Your sign-in code is A7K-2QX.\nOr follow this link to sign in: https://app.test/s/9f1e7c2ab0d34865',
  html: null,
  links: [
    {
      url: 'https://app.test/s/9f1e7c2ab0d34865',
      text: 'https://app.test/s/9f1e7c2ab0d34865',
      place: 'text',
      action: true,
      score: 110,
      reasons: [
        { rule: 'says-action', points: 35, text: 'its text mentions verifying, signing in, accepting or a password' },
        { rule: 'near-action', points: 10, text: 'the text around it mentions such an action' },
        { rule: 'subject-of-action', points: 10, text: 'the subject mentions such an action' },
        { rule: 'led-to', points: 15, text: 'it follows a colon' },
        { rule: 'carries-token', points: 15, text: 'its address carries something like a token' },
        { rule: 'only-matter', points: 20, text: 'it is the only link except for customary ones' },
        { rule: 'first-of-matter', points: 5, text: 'it is the first of the links that matter' },
      ],
    },
  ],
  codes: [
    {
      value: 'A7K-2QX',
      place: 'text',
      score: 100,
      reasons: [
        { rule: 'code-beside', points: 50, text: 'a word for a code is right beside it' },
        { rule: 'action-beside', points: 30, text: 'a word for verifying or signing in is right beside it' },
        { rule: 'subject-action', points: 5, text: 'the subject mentions verifying or signing in' },
        { rule: 'only-number', points: 15, text: 'it is the only one in a short message' },
      ],
    },
  ],
  incomplete: [],
};

export function addPartsRoute(app: App, inboxes: Inboxes, access: Access): void {
  for (const schema of PARTS_SCHEMAS) app.addSchema(schema);
  addInspectionRoute(app, inboxes, access, {
    work: 'contents',
    segment: 'parts',
    operationId: 'listParts',
    summary:
      'Returns the contents of an email: decoded headers, parts, text, HTML, links, and codes, including those with letters.',
    answer: jsonAnswer('What the message holds.', { $ref: 'EmailParts#' }, PARTS_EXAMPLE),
  });
}
