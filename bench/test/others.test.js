import { describe, expect, it } from 'vitest';
import { parseOther, readOther } from '../others.js';

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

describe('the newest mail of an inbox of another server', () => {
  const connection = { get: (path) => ({ status: path === '/gone' ? 404 : 200, body: path }) };

  it('is at the path that names the inbox', async () => {
    expect(await readOther({ path: '/api/{inbox}/{inbox}' }, connection, 'a')).toBe('/api/a/a');
  });

  it('is at a path that the server tells first', async () => {
    const pathOf = async (_connection, inbox) => (inbox === 'empty' ? null : `/message/${inbox}`);
    expect(await readOther({ pathOf }, connection, 'a')).toBe('/message/a');
    expect(await readOther({ pathOf }, connection, 'empty')).toBeNull();
  });

  it('is none where the answer is an error', async () => {
    expect(await readOther({ path: '/gone' }, connection, 'a')).toBeNull();
  });
});
