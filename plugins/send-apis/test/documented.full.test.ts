import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { startMayfly } from 'mayfly-inbox';
import { expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { startService } from './provider.js';
import { ADDRESS, blocksIn, documentedVariables } from './sdk-programs.js';

const run = promisify(execFile);

/** The programs that sdk-tests.ts runs to send with the SDKs. */
const PROGRAMS = [
  ...['node/sendgrid.js', 'node/postmark.js', 'node/mailgun.js'],
  ...['python/send_sendgrid.py', 'python/send_postmark.py', 'python/send_mailgun.py', 'ruby/send.rb'],
  ...['go/sendgrid.go', 'go/postmark.go', 'go/mailgun.go'],
];

/** Whether a program contains these lines in this order, with other lines in between. */
function runs(source: string, block: string): boolean {
  const lines = source.split('\n');
  let at = 0;
  return block
    .split('\n')
    .filter((line) => line !== '')
    .every((line) => {
      at = lines.indexOf(line, at) + 1;
      return at > 0;
    });
}

test('docs/send-apis.md shows code from each tested SDK program, and no other SDK code', async () => {
  const sources = await Promise.all(PROGRAMS.map((name) => readFile(new URL(`sdks/${name}`, import.meta.url), 'utf8')));
  const blocks = (await blocksIn('js', 'python', 'ruby', 'go')).filter((block) => !block.includes('startMayfly'));
  expect(blocks.filter((block) => !sources.some((source) => runs(source, block)))).toEqual([]);
  const shown = sources.map((source) => blocks.some((block) => runs(source, block)));
  expect(PROGRAMS.filter((_, at) => !shown[at])).toEqual([]);
});

test('the variables in docs/send-apis.md are those that startMayfly() returns', async () => {
  // The variables of the SMS APIs are in docs/sms.md.
  const service = await startMayfly({ smsApis: 'off' });
  try {
    const returned = Object.assign({}, ...Object.values(service.sending));
    expect(Object.keys(returned).length).toBeGreaterThan(0);
    expect(await documentedVariables(service.url)).toMatchObject(returned);
  } finally {
    await service.stop();
  }
});

test('the commands in docs/send-apis.md send a message and read its code', needs('curl'), async () => {
  const service = await startService();
  try {
    const [commands = '', ...others] = (await blocksIn('sh')).filter((block) => block.includes('curl'));
    expect(others).toEqual([]);
    const { stdout } = await run('sh', ['-c', commands.replaceAll(ADDRESS, new URL(service.url).host)]);
    expect(stdout).toContain('"otp":"482913"');
  } finally {
    await service.stop();
  }
});
