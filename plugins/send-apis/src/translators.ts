import { mailgunMessage, mailgunMime } from './mailgun/read-mailgun.js';
import type { Translator } from './order.js';
import { postmarkBatch, postmarkEmail } from './postmark/read-postmark.js';
import { resendBatch, resendEmail } from './resend/read-resend.js';
import { sendgridMail } from './sendgrid/read-sendgrid.js';
import { sesV1 } from './ses/read-ses-v1.js';
import { sesBulk, sesEmail } from './ses/read-ses-v2.js';

/** How the requests of each route are read, by the route's name. */
export const TRANSLATORS = {
  'postmark email': postmarkEmail,
  'postmark batch': postmarkBatch,
  'mailgun message': mailgunMessage,
  'mailgun mime': mailgunMime,
  'ses email': sesEmail,
  'ses bulk': sesBulk,
  'ses v1': sesV1,
  'sendgrid mail': sendgridMail,
  'resend email': resendEmail,
  'resend batch': resendBatch,
} as const satisfies Record<string, Translator>;

export type TranslatorName = keyof typeof TRANSLATORS;
