import { isRefused } from '../delivery.js';
import type { Provider } from '../provider.js';
import { sendgridError } from './sendgrid-answers.js';

/** Any other name below /v3 is a domain of Mailgun. */
const RESOURCES = [
  ...['mail', 'templates', 'api_keys', 'asm', 'categories', 'contactdb', 'ips', 'marketing', 'messages', 'scopes'],
  ...['senders', 'stats', 'subusers', 'suppression', 'tracking_settings', 'user', 'validations', 'verified_senders'],
];

/** SendGrid (twilio.com/docs/sendgrid/api-reference/mail-send). */
export const sendgrid: Provider = {
  title: 'SendGrid',
  answer: sendgridError,
  // One route for all: each adds to the time of a start.
  roots: [`/v3/:domain(^(?:${RESOURCES.join('|')})$)`],
  resources: RESOURCES,
  addRoutes(api, desk) {
    desk.add(api, {
      provider: 'sendgrid',
      path: '/v3/mail/send',
      translator: 'sendgrid mail',
      mediaTypes: ['application/json'],
      accepted([first]) {
        const mail = first === undefined || isRefused(first) ? null : first;
        return { status: mail?.echo?.sandbox ? 200 : 202, headers: { 'x-message-id': mail?.id ?? '' }, body: '' };
      },
    });
  },
};
