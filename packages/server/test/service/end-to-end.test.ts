import { truncate, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { describeEndToEnd } from './end-to-end.js';
import { endAll, folderOfFile, runMayfly, serve } from './process.js';

const folder = await folderOfFile();

afterEach(endAll);

const lmdb = (name: string) => ['--store', `lmdb:${folder.path}/${name}`];
describeEndToEnd(lmdb);

describe('the command line', () => {
  test.each([
    [['serve', '--http-prot', '1'], '--http-prot is not an option'],
    [['serve', '--http-port'], '--http-port needs a value'],
    [['serve', '--retention', 'soon'], '--retention: "soon" is not valid'],
    [['serve', 'now'], '"mayfly serve" does not take "now"'],
    [['frobnicate'], '"frobnicate" is not a command'],
    [['waitlist', '--retention', '5s'], '--retention is not an option'],
    [['waitlist', '--store', 'memory:'], 'nothing to list'],
  ])('mayfly with the arguments %j prints an error and exits with 2', async (args, sentence) => {
    const { exitCode, stderr, stdout } = await runMayfly(args);
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^mayfly: .*\n$/);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });

  test('an unknown MAYFLY_ variable stops the start', async () => {
    const { exitCode, stderr } = await runMayfly(['serve'], { MAYFLY_SOTRE: 'memory:' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('MAYFLY_SOTRE is not a setting');
  });

  test.each([[['--help']], [['serve', '--help']], [['waitlist', '--help']]])('%j prints its help', async (args) => {
    const { exitCode, stdout } = await runMayfly(args);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Usage:/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  });

  test('mayfly extract prints the code and link of a message, and with --explain why it chose the code', async () => {
    const file = `${folder.path}/mail.eml`;
    await writeFile(file, 'Subject: Hello\r\n\r\nYour code is 482913, order 7788990\r\n');
    const plain = await runMayfly(['extract', file]);
    expect(plain).toEqual({ exitCode: 0, stdout: 'otp: 482913\nmagicLink: null\n', stderr: '' });
    const json = await runMayfly(['extract', '--json', file]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      otp: '482913',
      magicLink: null,
      codes: [{ value: '482913' }],
      links: [],
    });
    const explained = await runMayfly(['extract', '--explain', file]);
    expect(explained.stdout).toMatch(/482913 .*: \d+ points, chosen\n\s+\+\d+ {2}a word such as "code" is next to it/);
    expect(explained.stdout).toMatch(/7788990 .*\n/);
    const data = await runMayfly(['extract', '--explain', '--json', file]);
    expect(JSON.parse(data.stdout).otpCandidates[0]).toMatchObject({ value: '482913', verdict: 'chosen' });
    await writeFile(
      file,
      'Subject: Hello\r\n\r\nYour code is A7K-2QX, or sign in: https://app.test/s/8Qm2Vx7Lk0aZ4b6c\r\n',
    );
    const beyond = await runMayfly(['extract', '--explain', file]);
    expect(beyond.stdout).toMatch(/^otp: null\n/);
    expect(beyond.stdout).toMatch(/\n {2}A7K-2QX \(text\): \d+ points\n/);
    expect(beyond.stdout).toMatch(/\n {2}-> https:\/\/app\.test\/s\/8Qm2Vx7Lk0aZ4b6c \(text\): \d+ points\n/);
  });

  test.each([
    ['', 'is empty'],
    ['Your parcel is on its way.', 'does not begin with an email header'],
  ])('mayfly extract explains why it finds nothing in a file with the text %j', async (text, reason) => {
    const file = `${folder.path}/no-mail.txt`;
    await writeFile(file, text);
    expect(await runMayfly(['extract', file])).toEqual({
      exitCode: 0,
      stdout: 'otp: null\nmagicLink: null\n',
      stderr: `mayfly: ${file} ${reason}. Provide a complete message, such as an .eml file.\n`,
    });
  });

  test('mayfly extract refuses a file of more than 100 MiB', async () => {
    const file = `${folder.path}/large.eml`;
    await writeFile(file, '');
    await truncate(file, 100 * 1024 * 1024 + 1);
    const { exitCode, stderr } = await runMayfly(['extract', file]);
    expect(stderr).toContain('large.eml cannot be read: it is larger than 104857600 bytes.');
    expect(exitCode).toBe(2);
  });

  test('mayfly waitlist prints the addresses while the service runs', async () => {
    const mayfly = await serve(lmdb('waitlist'));
    for (const email of ['b@app.test', 'a@app.test', 'B@app.test']) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${mayfly.url}/api/waitlist`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ email }),
      });
      expect(await response.json()).toEqual({ success: true });
    }
    const json = await runMayfly(['waitlist', '--json', ...lmdb('waitlist')]);
    expect(JSON.parse(json.stdout)).toEqual([
      { email: 'b@app.test', joinedAt: expect.stringMatching(/Z$/) },
      { email: 'a@app.test', joinedAt: expect.stringMatching(/Z$/) },
    ]);
    const text = await runMayfly(['waitlist'], { MAYFLY_STORE: `lmdb:${folder.path}/waitlist` });
    expect(text.stdout).toMatch(/^\S+Z {2}b@app\.test\n\S+Z {2}a@app\.test\n$/);
  });
});
