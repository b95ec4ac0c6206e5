import { describe, expect, test } from 'vitest';
import { mailpitBody, mailpitMessage } from '../src/read-mailpit.js';

const PERSON = { name: '', address: 'app@app.test' };
const HEAD = {
  ...{ id: '<1@app.test>', from: PERSON, bcc: [], envelopeFrom: 'app@app.test', subject: '' },
  ...{ otp: null, magicLink: null },
};
const DETAILS = { id: 'x', head: HEAD, tags: [], receivedAt: '2026-01-31T09:30:00.000Z', username: '' };

/** Returns the `Text` and `HTML` fields of a message. Checks that these are also the bodies at `/view/`. */
function bodiesOf(raw: string): [text: string, html: string] {
  const bytes = Buffer.from(raw);
  const { Text, HTML } = JSON.parse(mailpitMessage(bytes, DETAILS));
  expect(JSON.parse(mailpitBody(bytes, { kind: 'text', partsPath: '/' }))).toBe(Text);
  expect(JSON.parse(mailpitBody(bytes, { kind: 'html', partsPath: '/' })) ?? '').toBe(HTML);
  return [Text, HTML];
}

const htmlMail = (html: string) => `Content-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n`;

describe("the text of a message with HTML in Mailpit's API", () => {
  test.each([
    ['an address', '<a href="https://app.test/v?t=1&amp;u=2">Verify</a>', 'Verify ( https://app.test/v?t=1&u=2 )'],
    ['its own address', '<a href="https://app.test/v">https://app.test/v</a>', 'https://app.test/v'],
    ['an address of mail', '<a href="mailto:help@app.test">Write to us</a>', 'Write to us ( help@app.test )'],
    ['an image', '<a href="https://app.test/v"><img src="b.png" alt="Verify"></a>', 'Verify ( https://app.test/v )'],
    ['no text', '<a href="https://app.test/v"></a>', '( https://app.test/v )'],
    [
      'a button',
      '<table><tr><td><a href=" https://a.test/ "><b>Go</b></a></td></tr></table>',
      'Go ( https://a.test/ )',
    ],
    ['no address', '<a name="top">Top</a> <a href="">Empty</a>', 'Top Empty'],
    ['a neighbor', '<a href="https://a.test/">A</a><a href="/b">B</a>', 'A ( https://a.test/ ) B ( /b )'],
  ])('shows the address of a link with %s', (_, html, text) => {
    expect(bodiesOf(htmlMail(html))[0]).toBe(text);
  });

  test('shows the addresses of the first 1,000 links', () => {
    const [text] = bodiesOf(htmlMail('<a href="https://app.test/v">Verify</a>\n'.repeat(5_000)));
    expect(text.split('https://app.test/v').length - 1).toBe(1_000);
  });

  test('is its text part, or is made from the HTML if the text part is empty', () => {
    const mail = (text: string) =>
      [
        'Content-Type: multipart/alternative; boundary=b',
        '',
        '--b',
        '',
        text,
        '--b',
        'Content-Type: text/html',
        '',
        '<a href="https://app.test/v">Verify</a>',
        '--b--',
        '',
      ].join('\r\n');
    expect(bodiesOf(mail('Hello'))[0]).toBe('Hello');
    expect(bodiesOf(mail(' '))[0]).toBe('Verify ( https://app.test/v )');
  });
});

describe("line ends in Mailpit's API", () => {
  const LINES = 'one \r\ntwo\r\n';

  test.each([
    ['7bit', '', LINES, LINES],
    ['quoted-printable', 'Content-Transfer-Encoding: quoted-printable\r\n', 'one=20\r\ntw=\r\no\r\n', LINES],
    [
      'base64 of LF',
      'Content-Transfer-Encoding: base64\r\n',
      `${Buffer.from('one\ntwo\n').toString('base64')}\r\n`,
      'one\ntwo\n',
    ],
    ['base64 of CRLF', 'Content-Transfer-Encoding: base64\r\n', `${Buffer.from(LINES).toString('base64')}\r\n`, LINES],
    ['flowed text', 'Content-Type: text/plain; format=flowed\r\n', LINES, LINES],
  ])('of %s are kept as sent', (_, header, sent, text) => {
    expect(bodiesOf(`Subject: x\r\n${header}\r\n${sent}`)).toEqual([text, '']);
  });

  test('of an HTML body are kept as sent', () => {
    expect(bodiesOf(htmlMail('<p>one</p>\r\n<p>two</p>'))[1]).toBe('<p>one</p>\r\n<p>two</p>\r\n');
  });

  test('are removed before a delimiter of a multipart, and several text parts are joined by a line "--"', () => {
    const part = (text: string) => `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`;
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${part('one\r\ntwo')}${part('three')}--b--\r\n`;
    expect(bodiesOf(raw)[0]).toBe('one\r\ntwo\n--\nthree');
  });
});
