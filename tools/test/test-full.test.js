import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NEEDS, needs, needsOf } from '../needs.js';
import { withTree } from './tree.js';

const run = (program, args, env = process.env) => {
  const { stdout, ...ended } = spawnSync(process.execPath, [`tools/${program}.js`, ...args], { env, encoding: 'utf8' });
  return { ...ended, lines: stdout.trim().split('\n') };
};

test('the ten tenths of the full tier together need every program that the full tier needs', needs('git'), () => {
  const whole = run('test-full', ['--list']).lines;
  const tenths = Array.from({ length: 10 }, (_, tenth) => run('test-full', [`${tenth}`, '--list']).lines);
  expect([...new Set(tenths.flat())].sort()).toEqual([...whole].sort());
  for (const name of whole) expect(Object.keys(NEEDS)).toContain(name);
  for (const tenth of tenths) expect(tenth.length).toBeLessThan(whole.length / 2);
});

test.each(['10', '-1', '0.5', 'today'])('test-full rejects %j as the number of the tenth to run', (tenth) => {
  expect(run('test-full', ['--', tenth])).toMatchObject({ status: 2, stderr: expect.stringContaining('from 0 to 9') });
});

test('needsOf reads the needs of a test from its file and from the test modules that it imports', () => {
  expect(needsOf('packages/web/test/inbox.test.ts')).toContain('Chromium');
  expect(needsOf('packages/server/test/smtp/conversations.test.ts')).toEqual([]);
});

test('install rejects an unknown need, and lists the known ones', () => {
  expect(run('install', ['redis'])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/Unknown: redis\..* redis-server,/),
  });
});

test.each(['check-size', 'install', 'manifests', 'prose/check', 'release', 'test-node'])(
  '%s reports an unknown option, even if git is not installed',
  (tool) => {
    const env = { ...process.env, PATH: '', CI: '' };
    expect(run(tool, ['--wrong'], env)).toMatchObject({ status: 2, stderr: "Unknown option '--wrong'. Try --help.\n" });
  },
);

test('without a build, measure-size prints the build command and exits', async () => {
  const name = 'packages/client/measure-size.js';
  await withTree({ 'package.json': '{ "type": "module" }' }, (base) => {
    cpSync(name, path.join(base, name));
    symlinkSync(path.resolve('node_modules'), path.join(base, 'node_modules'));
    const { status, stderr } = spawnSync(process.execPath, [path.join(base, name)], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/ is not built\. Run "npm run build" first\.\n$/)]);
  });
});
