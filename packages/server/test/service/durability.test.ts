import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { RawClient } from '../smtp/client.js';
import { temporaryDirectories } from '../store/temporary.js';
import { attach, type Call, callsIn, descriptorsOf, ended } from '../strace.js';
import { serve } from './process.js';

const newDirectory = temporaryDirectories();

/** Number of concurrent messages. Because the disk is slow, the store needs more than one batch for them. */
const MAILS = 24;

/** Message sizes in rotation, for both ways in which LMDB stores a value: inside a page, and in overflow pages. */
const SIZES = [300, 14_000];

const WRITES = ['write', 'writev', 'pwrite64', 'pwritev', 'sendto', 'sendmsg'];

test(
  'every message of a burst is synced to disk before its 250 (D14)',
  needs('strace of another process'),
  async () => {
    const directory = await realpath(await newDirectory());
    const file = join(await newDirectory(), 'trace');
    const mayfly = await serve(['--store', `lmdb:${directory}`]);
    const pid = mayfly.process.pid ?? 0;
    const clients = await Promise.all(Array.from({ length: MAILS }, () => RawClient.greeted(mayfly.smtpPort)));
    for (const [mail, client] of clients.entries()) await begin(client, `in-${mail}`);
    const descriptors = await descriptorsOf(pid, join(directory, 'data.mdb'));
    // Slows down syncs, so that a 250 that does not wait for its sync is detected.
    const slow = ['-e', 'inject=fdatasync:delay_enter=20000'];
    const calls = ['-e', `trace=read,fdatasync,${WRITES.join()}`];
    const strace = await attach(pid, [...calls, ...slow, '-v', '-s', '100000', '-o', file]);

    await Promise.all(clients.map((client, mail) => client.send(`Subject: x\r\n\r\n${textOf(mail)}\r\n.\r\n`)));
    for (const client of clients) expect(await client.reply()).toMatch(/^250 /);
    expect(await mayfly.end('SIGTERM')).toBe(0);
    await ended(strace);

    const seen = callsIn(await readFile(file, 'utf8'));
    for (let mail = 0; mail < MAILS; mail++) expect(stepsOf(mail, seen, descriptors)).toEqual(IN_ORDER);
  },
);

async function begin(client: RawClient, inbox: string): Promise<void> {
  await client.ask('MAIL FROM:<app@app.test>');
  await client.ask(`RCPT TO:<${inbox}@inbox.example.com>`);
  await client.ask('DATA');
}

function markOf(mail: number): string {
  return `MARK-${mail}-END`;
}

function textOf(mail: number): string {
  return `${markOf(mail)} ${'x'.repeat(SIZES[mail % SIZES.length] ?? 0)}`;
}

const IN_ORDER = ['read from its socket', 'written', 'synced', 'committed', 'answered'];

/** Returns the events of one message that precede its 250, in order. */
function stepsOf(mail: number, calls: readonly Call[], file: { all: Set<number>; synced: Set<number> }): string[] {
  const mark = markOf(mail);
  const read = calls.find(({ name, text }) => name === 'read' && text.includes(mark));
  if (read === undefined) return [];
  const answered = calls.find(
    ({ name, fd, start, text }) =>
      WRITES.includes(name) && fd === read.fd && start > read.end && text.includes('"250 '),
  );
  if (answered === undefined) return ['read from its socket'];
  const steps: { what: string; is: (call: Call) => boolean }[] = [
    { what: 'written', is: ({ fd, text }) => file.all.has(fd) && text.includes(mark) },
    { what: 'synced', is: ({ name, text }) => name === 'fdatasync' && / = 0/.test(text) },
    // LMDB commits by writing the new tree's root through a descriptor whose writes are synchronous.
    { what: 'committed', is: ({ fd }) => file.synced.has(fd) },
  ];
  const happened = ['read from its socket'];
  let after = read;
  for (const { what, is } of steps) {
    const step = calls.find((call) => call.start > after.end && call.end < answered.start && is(call));
    if (step === undefined) break;
    happened.push(what);
    after = step;
  }
  return [...happened, 'answered'];
}
