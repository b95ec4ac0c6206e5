import { isRefused } from '../desk.js';
import type { Provider } from '../provider.js';
import { sendgridError } from './sendgrid-answers.js';

/** SendGrid (twilio.com/docs/sendgrid/api-reference/mail-send). */
export const sendgrid: Provider = {
  title: 'SendGrid',
  answer: sendgridError,
  roots: ['/v3', '/v3/mail'],
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
