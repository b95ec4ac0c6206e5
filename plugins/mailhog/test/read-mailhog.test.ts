import { expect, test } from 'vitest';
import { mailhogMessage } from '../src/read-mailhog.js';

const DETAILS = {
  id: 'some-id',
  envelopeFrom: 'bounce@app.test',
  recipients: ['a@b.test'],
  receivedAt: '2026-01-31T09:30:00.000Z',
};

const read = (raw: string, details = {}) =>
  JSON.parse(mailhogMessage(Buffer.from(raw, 'latin1'), { ...DETAILS, ...details }));

const ADDED = { 'Message-ID': ['some-id'], 'Return-Path': ['<bounce@app.test>'] };

test.each<[string, object, string]>([
  ['A: 1\r\nB: 2\r\n\r\nbody\r\n', { A: ['1'], B: ['2'] }, 'body'],
  ['A: 1\nB: 2\n\nbody\r\n\r\nmore', { A: ['1'], B: ['2'] }, 'body\r\n\r\nmore'],
  ['A: 1\r\n\r\nbody\n\nmore\n', { A: ['1'] }, 'body\n\nmore\n'],
  ['A: 1\r\n\t two \r\n three\r\nA: 4\r\n five\r\n\r\nx', { A: ['4 five'] }, 'x'],
  ['A: 1\r\n two\t\r\n\tthree\r\n\r\nx', { A: ['1 two\t\tthree'] }, 'x'],
  // MailHog omits the last line end, so no empty line ends this header.
  ['A: 1\r\n\r\n', {}, 'A: 1\r\n'],
  ['A:1\r\nB:\r\n no colon\r\nC: d: e\r\n\r\nx', { C: ['d: e'] }, 'x'],
  [' A: 1\r\n\r\nx', { ' A': ['1'] }, 'x'],
  ['no header at all', {}, 'no header at all'],
  ['', {}, ''],
])('mailhogMessage reads headers and body of %j', (raw, headers, body) => {
  const { Content, MIME } = read(raw);
  expect(Content).toEqual({
    Headers: { ...headers, ...ADDED },
    Body: body,
    Size: raw.endsWith('\r\n') ? raw.length - 2 : raw.length,
    MIME: null,
  });
  expect(MIME).toBeNull();
});

test.each([
  ['a@b.test', 'a', 'b.test'],
  ['"a@b"@c.test', '"a', 'b"@c.test'],
  ['postmaster', 'postmaster', ''],
  ['', '', ''],
])('mailhogMessage splits the address %s into mailbox and domain at its first @', (address, Mailbox, Domain) => {
  const path = { Relays: null, Mailbox, Domain, Params: '' };
  expect(read('', { envelopeFrom: address, recipients: [address] })).toMatchObject({ From: path, To: [path] });
});

test.each<[string, readonly [string, string][] | null]>([
  [
    'multipart/mixed; boundary=b',
    [
      ['text/plain', 'one'],
      ['', 'two'],
      ['', '--'],
    ],
  ],
  [
    'multipart/mixed; boundary="b"',
    [
      ['text/plain', 'one'],
      ['', 'two'],
      ['', '--'],
    ],
  ],
  ['multipart/mixed; boundary=other', [['text/plain', 'one\r\n--b\r\n\r\n\r\ntwo\r\n\r\n--b--']]],
  ['multipart/mixed', null],
])('mailhogMessage returns each body part of a %s without the line ends around it', (type, parts) => {
  const raw = `Content-Type: ${type}\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\none\r\n--b\r\n\r\n\r\ntwo\r\n\r\n--b--\r\n`;
  const found = read(raw).MIME.Parts;
  type Part = { readonly Headers: Readonly<Record<string, string[]>>; readonly Body: string };
  const shown = found?.map(({ Headers, Body }: Part) => [Headers['Content-Type']?.[0] ?? '', Body]) ?? null;
  expect(shown).toEqual(parts);
});
