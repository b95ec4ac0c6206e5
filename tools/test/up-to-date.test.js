import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isUpToDate } from '../build.js';
import { withTree } from './tree.js';

const MADE = 'made.js';
const [BEFORE, SINCE] = [1_000, 2_000];

/** Resolves to whether a build result that was newer than its sources is still up to date after this change. */
const after = (change) =>
  withTree({ [MADE]: '', 'src/a.ts': '', 'src/deep/b.css': '', 'src/notes.md': '', 'one.json': '' }, (base) => {
    const at = (name) => path.join(base, name);
    for (const name of ['src/a.ts', 'src/deep/b.css', 'src/notes.md', 'one.json', 'src/deep', 'src'])
      utimesSync(at(name), BEFORE, BEFORE);
    utimesSync(at(MADE), (BEFORE + SINCE) / 2, (BEFORE + SINCE) / 2);
    change(at);
    return isUpToDate(at(MADE), [at('src'), at('one.json'), at('absent.json')]);
  });

const touch = (name) => (at) => utimesSync(at(name), SINCE, SINCE);

test.each([
  ['nothing', () => {}, true],
  ['a file that is not a source', touch('src/notes.md'), true],
  ['a file in the folder', touch('src/a.ts'), false],
  ['a file in a nested folder', touch('src/deep/b.css'), false],
  ['a single file', touch('one.json'), false],
  ['a deleted file', (at) => rmSync(at('src/a.ts')), false],
  ['a new file', (at) => writeFileSync(at('absent.json'), ''), false],
  ['the deleted result', (at) => rmSync(at(MADE)), false],
  ['another folder', (at) => mkdirSync(at('other')), true],
])('isUpToDate returns whether a build result is current after this change: %s', async (_name, change, isStill) => {
  expect(await after(change)).toBe(isStill);
});
