import { orderTasks } from 'mayfly-plugins-shared/sending/order-task';
import { mailgunMessage, mailgunMime } from './mailgun/read-mailgun.js';
import { postmarkBatch, postmarkEmail } from './postmark/read-postmark.js';
import { resendBatch, resendEmail } from './resend/read-resend.js';
import { sendgridMail } from './sendgrid/read-sendgrid.js';
import { sesV1 } from './ses/read-ses-v1.js';
import { sesBulk, sesEmail } from './ses/read-ses-v2.js';
import { withTemplate } from './templates.js';

export const TASKS = orderTasks({
  letterOf: withTemplate,
  translators: {
    'postmark email': postmarkEmail,
    'postmark batch': postmarkBatch,
    'mailgun messages': mailgunMessage,
    'mailgun messages.mime': mailgunMime,
    'ses email': sesEmail,
    'ses bulk': sesBulk,
    'ses v1': sesV1,
    'sendgrid mail': sendgridMail,
    'resend email': resendEmail,
    'resend batch': resendBatch,
  },
});
