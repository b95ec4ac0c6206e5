import { describe, expect, it } from 'vitest';
import { parseOther } from '../others.js';

describe('another server', () => {
  it('is a name, a port for SMTP and where its inbox is read', () => {
    expect(parseOther('Inbucket=2500,http://127.0.0.1:9000/api/v1/mailbox/{inbox}?a=b')).toEqual({
      name: 'Inbucket',
      host: '127.0.0.1',
      smtpPort: 2500,
      httpPort: 9000,
      path: '/api/v1/mailbox/{inbox}?a=b',
    });
  });

  it.each([
    ['MailHog'],
    ['MailHog=1025'],
    ['MailHog=0,http://127.0.0.1:8025/'],
    ['MailHog=65536,http://127.0.0.1:8025/'],
    ['MailHog=1025,https://127.0.0.1/'],
    ['MailHog=1025,http://127.0.0.1:port/'],
  ])('is not %s', (text) => {
    expect(() => parseOther(text)).toThrow('write NAME=SMTP_PORT,HTTP_URL');
  });

  it('is on this machine', () => {
    expect(() => parseOther('Else=25,http://mail.example/')).toThrow('only this machine');
    expect(() => parseOther('Else=25,http://127.0.0.1.example/')).toThrow('only this machine');
  });
});
