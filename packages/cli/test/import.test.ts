import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { Mayfly } from 'mayfly-client';
import { afterAll, describe, expect, test } from 'vitest';
import { CLIENT_MAYFLY, endAll, runMayfly, serve, temporaryFolder } from '../../server/test/service/process.js';
import { messagesIn } from '../src/mbox.js';

const AT = 'From app@app.test Mon Nov 30 06:00:00 2026';
const one = (subject: string, body = 'Hello', end = '\n') => [`Subject: ${subject}`, '', body, ''].join(end);

async function split(text: string | Buffer, size = 7): Promise<string[]> {
  const bytes = Buffer.from(text as string, 'latin1');
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const found: string[] = [];
  for await (const message of messagesIn(Readable.from(chunks))) found.push(message.toString('latin1'));
  return found;
}

describe('messagesIn()', () => {
  test.each<[what: string, file: string, messages: string[]]>([
    ['a message with LF', one('a'), [one('a')]],
    ['a message with CRLF, NUL and no final line end', 'Subject: a\r\n\r\n\0\xff', ['Subject: a\r\n\r\n\0\xff']],
    ['a message with an mbox separator in its text', `${one('a')}\n${AT}\n`, [`${one('a')}\n${AT}\n`]],
    ['an mbox', `${AT}\n${one('a')}\n${AT}\n${one('b')}\n`, [one('a'), one('b')]],
    [
      'an mbox with CRLF',
      `${AT}\r\n${one('a', 'x', '\r\n')}\r\n${AT}\r\n${one('b', 'y', '\r\n')}\r\n`,
      [one('a', 'x', '\r\n'), one('b', 'y', '\r\n')],
    ],
    ['an mbox that does not end in an empty line', `${AT}\n${one('a')}`, [one('a')]],
    [
      'the quoting of mboxrd',
      `${AT}\n${one('a', '>From here\n>>From there\n> From\n>Fromage')}\n`,
      [one('a', 'From here\n>From there\n> From\n>Fromage')],
    ],
    [
      'an unquoted From in a text',
      `${AT}\n${one('a', 'Hi,\n\nFrom now on\nFrom x 10:00 2026')}\n`,
      [one('a', 'Hi,\n\nFrom now on\nFrom x 10:00 2026')],
    ],
    ['a byte order mark before an mbox', `\xef\xbb\xbf${AT}\n${one('a')}\n`, [one('a')]],
    ['a byte order mark before a message', `\xef\xbb\xbf${one('a')}`, [`\xef\xbb\xbf${one('a')}`]],
    [
      'an mbox with NUL bytes and mixed line ends',
      `${AT}\r\n${one('a', '\0\r\n>From b\n\0')}\r\n${AT}\n${one('b')}\n`,
      [one('a', '\0\r\nFrom b\n\0'), one('b')],
    ],
    ['a separator of Google Takeout', `From 17@xxx Mon Nov 30 06:00:00 +0000 2026\n${one('a')}\n`, [one('a')]],
    ['separators without messages', `${AT}\n${AT}\n\n${AT}\n${one('a')}`, [`${AT}\n`, one('a')]],
    ['nothing', '', []],
  ])('splits %s at any chunk size', async (_, file, messages) => {
    for (const size of [1, 2, 3, 1_000]) expect(await split(file, size)).toEqual(messages);
  });

  test.each([
    ['\x1f\x8b\x08\0', 'it is compressed. Decompress it first'],
    ['PK\x03\x04\x14', 'it is compressed. Decompress it first'],
    ['BZh91AY&SY', 'it is compressed. Decompress it first'],
    ['\xfd7zXZ\0', 'it is compressed. Decompress it first'],
    ['(\xb5/\xfd\x04', 'it is compressed. Decompress it first'],
    ['7z\xbc\xaf\x27\x1c', 'it is compressed. Decompress it first'],
    ['\xff\xfeF\0r\0o\0m\0', 'it is in UTF-16. Save it in ASCII or UTF-8'],
    [`${AT}\rSubject: a\r\rHello\r`, 'its lines end in CR. Convert them to LF'],
    [`\xef\xbb\xbf${AT}\rSubject: a\r\rHello\r`, 'its lines end in CR. Convert them to LF'],
  ])('rejects a file that begins with %j', async (beginning, error) => {
    await expect(split(beginning)).rejects.toThrow(error);
  });

  test('splits short lines without an object for each', async () => {
    async function* blank() {
      yield Buffer.from(`${AT}\nSubject: a\n`);
      for (let at = 0; at < 2; at += 1) yield Buffer.alloc(2 ** 20, '\n');
    }
    let [count, most] = [0, 0];
    const before = process.memoryUsage().rss;
    for await (const message of messagesIn(blank())) {
      count += message.length;
      most = process.memoryUsage().rss - before;
    }
    expect(count).toBe('Subject: a\n'.length + 2 ** 21 - 1);
    expect(most).toBeLessThan(2 ** 27);
  });

  test('splits an mbox of 100 MB, and rejects a line without an end', async () => {
    async function* large() {
      for (let at = 0; at < 100; at += 1) yield Buffer.from(`${AT}\n${one(`${at}`, 'x'.repeat(2 ** 20))}\n`);
    }
    let count = 0;
    for await (const message of messagesIn(large())) count += message.length > 2 ** 20 ? 1 : 0;
    expect(count).toBe(100);
    const endless = (async function* () {
      for (;;) yield Buffer.alloc(2 ** 24, 'x');
    })();
    await expect(messagesIn(endless).next()).rejects.toThrow('a line has more than 134217728 bytes');
  });
});

describe('mayfly import', async () => {
  const mayfly = await serve(['--store', 'memory:', '--max-message', '4KiB', '--max-emails', '3']);
  afterAll(endAll);
  const folder = await temporaryFolder();
  afterAll(() => folder.remove());
  const run = (args: readonly string[], more = {}) =>
    runMayfly(['import', ...args], { MAYFLY_URL: mayfly.url }, { command: CLIENT_MAYFLY, ...more });
  const file = async (name: string, text: string) => {
    const place = path.join(folder.path, name);
    await writeFile(place, text, 'latin1');
    return place;
  };
  const subjects = async (name: string) =>
    (await new Mayfly({ baseUrl: mayfly.url }).inbox(name).emails()).map(({ subject }) => subject);

  test('stores the messages of several files in the order of the files', async () => {
    const files = [await file('a.eml', one('a')), await file('b.mbox', `${AT}\n${one('b')}\n${AT}\n${one('c')}\n`)];
    expect(await run(['several', ...files])).toEqual({
      exitCode: 0,
      stdout: '3 emails imported into several@inbox.example.com.\n',
      stderr: '',
    });
    expect(await subjects('several')).toEqual(['c', 'b', 'a']);
  });

  test('says which file and which message was not imported, and continues with the others', async () => {
    const large = await file('large.mbox', `${AT}\n${one('large', 'x'.repeat(5_000))}\n${AT}\n${one('small')}\n`);
    const empty = await file('empty.mbox', '');
    await mkdir(path.join(folder.path, 'folder'));
    const args = ['mixed', 'none.eml', path.join(folder.path, 'folder'), empty, large];
    const { exitCode, stdout, stderr } = await run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '1 email imported into mixed@inbox.example.com.\n' });
    expect(stderr.trim().split('\n')).toEqual([
      'mayfly: none.eml was not imported: it does not exist.',
      expect.stringMatching(/folder was not imported: it is a folder\.$/),
      expect.stringMatching(/empty\.mbox was not imported: it has no message\.$/),
      expect.stringMatching(
        /Message 1 of .*large\.mbox was not imported: .* answered 413: .*The limit is 4096 bytes\./,
      ),
    ]);
    expect(await subjects('mixed')).toEqual(['small']);
  });

  test('reads standard input, and says that a full inbox took only some of the messages', async () => {
    const mbox = ['1', '2', '3', '4'].map((subject) => `${AT}\n${one(subject)}\n`).join('');
    const given = await file('given.mbox', mbox);
    const prefix = ['sh', '-c', 'file=$1; shift; exec "$@" < "$file"', 'sh', given];
    const { exitCode, stdout, stderr } = await run(['full', '-'], { prefix });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '3 emails imported into full@inbox.example.com.\n' });
    expect(stderr).toMatch(/^mayfly: Message 4 of - was not imported: .* 409: .*The inbox is full \(--max-emails\)/);
  });

  test('stops if the service does not answer or its arguments are wrong', async () => {
    const eml = await file('stop.eml', one('stop'));
    const away = await run(['away', eml, '--url', 'http://127.0.0.1:9']);
    expect(away).toMatchObject({ exitCode: 1, stdout: '0 emails imported into away@inbox.example.com.\n' });
    expect(away.stderr).toMatch(/^mayfly: Stopped at message 1 of .*stop\.eml: /);
    expect(await run(['nobody'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Specify files') });
    expect(await run(['a..b', eml])).toMatchObject({ exitCode: 2 });
  });
});
