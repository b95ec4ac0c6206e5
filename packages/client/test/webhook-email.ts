import type { WebhookEmail } from 'mayfly-client/webhooks';

export const RESEND_SECRET = `whsec_${Buffer.from('a secret of a test, long').toString('base64')}`;

export const EMAIL: WebhookEmail = {
  id: '<m1@app.example.test>',
  from: 'app@example.test',
  fromName: 'Acme',
  to: 'ann@inbox.example.com',
  subject: 'Confirm – jetzt',
  rawBody: 'Subject: Confirm\r\n\r\nHello\r\n',
  magicLink: 'https://app.example.test/confirm?token=1',
  receivedAt: new Date('2026-01-31T09:30:00.000Z'),
};
