import { type App, addInspectionRoute, jsonAnswer, objectSchema, type Service } from 'mayfly-inbox/plugin';
import type { CheckedFeature, CheckedImages, CheckedUnsubscribe, EmailCheck } from 'mayfly-protocol';

const images = objectSchema<CheckedImages>({
  total: { type: 'integer', description: 'How many images the HTML shows.' },
  withoutAlt: {
    type: 'integer',
    description: 'How many of them have no alt attribute. An empty one says that an image is decoration.',
  },
  sources: {
    type: 'array',
    items: { type: 'string' },
    description: 'Addresses of those without one, as in the message: 50 at most, the first 500 characters of each.',
  },
});

const unsubscribe = objectSchema<CheckedUnsubscribe>(
  {
    urls: {
      type: 'array',
      items: { type: 'string' },
      description: 'The http, https and mailto addresses of the field; 10 at most.',
    },
    oneClick: {
      type: 'boolean',
      description: 'Whether one click is enough: an https address, and List-Unsubscribe-Post as RFC 8058 demands.',
    },
    signed: {
      type: ['boolean', 'null'],
      description: 'Whether a DKIM signature names both fields; null for an email without a signature.',
    },
  },
  { description: 'How to unsubscribe, by the List-Unsubscribe field.' },
);

const clients = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

const feature = objectSchema<CheckedFeature>({
  name: { type: 'string', description: 'Such as border-radius.' },
  url: { type: 'string', description: 'Its page on caniemail.com.' },
  uses: { type: 'integer', description: 'How often the HTML uses it.' },
  supported: { type: 'integer', description: 'How many email clients support it.' },
  partial: clients('The email clients that support a part of it.'),
  unsupported: clients('The email clients that do not support it.'),
});

const emailCheck = objectSchema<EmailCheck>(
  {
    htmlBytes: { type: 'integer', description: 'Decoded size of the HTML; 0 without HTML.' },
    clippedByGmail: {
      type: 'boolean',
      description: 'Whether Gmail cuts the email: it shows 102 KiB of HTML.',
    },
    images: { $ref: 'CheckedImages#' },
    unsubscribe: {
      anyOf: [{ $ref: 'CheckedUnsubscribe#' }, { type: 'null' }],
      description: 'Null without a List-Unsubscribe field.',
    },
    features: {
      type: 'array',
      items: { $ref: 'CheckedFeature#' },
      description:
        'What the HTML uses that some email client does not support or supports in part, least supported first.',
    },
    dataDate: { type: 'string', description: 'The day of the data of caniemail.com.' },
  },
  { description: 'What email clients make of an email.' },
);

const CHECK_SCHEMAS = [
  { $id: 'CheckedImages', ...images },
  { $id: 'CheckedUnsubscribe', ...unsubscribe },
  { $id: 'CheckedFeature', ...feature },
  { $id: 'EmailCheck', ...emailCheck },
];

/** A test sends the mail that has this answer. */
const EXAMPLE: EmailCheck = {
  htmlBytes: 134,
  clippedByGmail: false,
  images: { total: 2, withoutAlt: 1, sources: ['https://app.test/logo.png'] },
  unsubscribe: { urls: ['https://app.test/unsubscribe/9f1e7c2a'], oneClick: true, signed: null },
  features: [
    {
      name: 'max-height property',
      url: 'https://www.caniemail.com/features/css-max-height/',
      uses: 1,
      supported: 39,
      partial: [],
      unsupported: ['Outlook (Windows)', 'Outlook (Windows Mail)'],
    },
    {
      name: 'max-width',
      url: 'https://www.caniemail.com/features/css-max-width/',
      uses: 1,
      supported: 39,
      partial: ['Outlook (Windows)', 'Outlook (Windows Mail)'],
      unsupported: [],
    },
  ],
  dataDate: '2026-05-13',
};

/** `GET /api/inbox/{name}/{receivedAt}/check` */
export function addCheckRoute(app: App, { records, access, task }: Service): void {
  for (const schema of CHECK_SCHEMAS) app.addSchema(schema);
  addInspectionRoute(app, records, access, {
    work: task('check', null),
    segment: 'check',
    operationId: 'checkEmail',
    summary:
      'Checks the HTML of an email: the features that email clients do not support (data: caniemail.com), its size, its images and List-Unsubscribe. Opens none of its links.',
    answer: jsonAnswer('What email clients make of it.', { $ref: 'EmailCheck#' }, EXAMPLE),
  });
}
