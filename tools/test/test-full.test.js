import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { NEEDS, needsOf } from '../needs.js';

const run = (program, ...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`tools/${program}.js`, ...args], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trim().split('\n'), stderr };
};

test('the ten tenths need together what the full tier needs', () => {
  const whole = run('test-full', '--list').lines;
  const tenths = Array.from({ length: 10 }, (_, tenth) => run('test-full', `${tenth}`, '--list').lines);
  expect([...new Set(tenths.flat())].sort()).toEqual([...whole].sort());
  for (const name of whole) expect(Object.keys(NEEDS)).toContain(name);
  for (const tenth of tenths) expect(tenth.length).toBeLessThan(whole.length / 2);
});

test.each(['10', '-1', '0.5', 'today'])('%j is refused as a tenth', (tenth) => {
  expect(run('test-full', '--', tenth)).toMatchObject({ status: 2, stderr: expect.stringContaining('from 0 to 9') });
});

test('what a test needs is read from it and from the modules of tests that it imports', () => {
  expect(needsOf('packages/web/test/inbox.test.ts')).toContain('Chromium');
  expect(needsOf('packages/server/test/smtp/conversations.test.ts')).toEqual([]);
});

test('a need that does not exist is refused with those that do', () => {
  expect(run('install', 'redis')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/no redis\..* redis-server,/),
  });
});
