import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { needs } from '../../../../../tools/needs.js';
import { onSmallDisk } from '../../small-disk.js';
import { NOON, ROOMY } from '../mail.js';
import { temporaryDirectories } from '../temporary.js';

const newDirectory = temporaryDirectories();

const MIB = 1024 * 1024;

const FULL = expect.stringMatching(
  /^The disk of the store in .* is full: mail is refused \(452\) until space is freed\. /,
);
const AGAIN = expect.stringMatching(/^The disk of the store in .* has space again: mail is accepted\.$/);

const limits = { ...ROOMY, retentionMs: 600_000 };

test.each([16, 40])(
  'a disk of %i MiB that is full refuses mail, and deleting and expiry make room',
  { ...needs('mounts by bwrap'), timeout: 240_000 },
  async (size) => {
    const directory = await newDirectory();
    const script = fileURLToPath(new URL('full-mount-process.mjs', import.meta.url));
    const command = [process.execPath, script, directory, JSON.stringify(limits), `${NOON}`];
    const [program = '', ...args] = onSmallDisk(directory, size * MIB, command);
    const said = execFileSync(program, args, {
      encoding: 'utf8',
      timeout: 200_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const isTold = ([what]: [string, unknown]) => what === 'told';
    expect(said.filter((line) => !isTold(line))).toEqual([
      ['filled', ['disk-full']],
      ['pings', 'StoreFullDiskError'],
      ['listed', true],
      ['again', 'disk-full'],
      ['within a minute', 'disk-full'],
      ['after a minute', 'disk-full'],
      ['after clearing', 'stored'],
      ['pings', 'ready'],
      ['filled', ['disk-full']],
      ['opened', ['disk-full']],
      ['waitlist', 'joined'],
      ['after expiry', 'stored'],
      ['filled', ['disk-full']],
      ['after expiry', 'stored'],
      ['before another', 'stored'],
      ['beside another', ['disk-full', 'disk-full']],
      ['pings', 'ready'],
      ['after another', 'stored'],
    ]);
    // Once while it fills, and again after a minute.
    const upTo = said.findIndex(([what]) => what === 'after clearing');
    expect(said.slice(0, upTo).filter(isTold)).toEqual([
      ['told', FULL],
      ['told', FULL],
      ['told', AGAIN],
    ]);
    expect(
      said.filter(([what]) => what === 'within a minute' || what === 'told').findIndex(([what]) => what !== 'told'),
    ).toBe(1);
    expect(said.filter(isTold).at(-1)).toEqual(['told', AGAIN]);
  },
);
