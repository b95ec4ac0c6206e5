import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../server/test/service/process.js';
import { CLIENT, installPacked, ROOT } from './packed.js';

const run = promisify(execFile);
const TSC = path.join(ROOT, 'node_modules/.bin/tsc');

/** A user's Playwright test, whose types need Node's. consumers.full.test.ts tests the other entry points. */
const PLAYWRIGHT_CODE = `
import type { ReceivedEmail } from 'mayfly-client';
import { expect as expectEmail } from 'mayfly-client/matchers/playwright';
import { expect, type MayflyTestOptions, test } from 'mayfly-client/playwright';

export const options: MayflyTestOptions = { mayflyOptions: { domain: 'inbox.example.com' } };
test('a test', async ({ inbox, mayfly, page }) => {
  await page.goto(mayfly.baseUrl);
  const link: string = await inbox.waitForMagicLink();
  expect(link).toContain('token');
  // @ts-expect-error There is no such fixture.
  test('a missing fixture', async ({ mailbox }) => mailbox);
});
export async function sees(email: ReceivedEmail): Promise<void> {
  const seen: void = expectEmail(email).toHaveOtp(/^4/);
  expectEmail.soft(email).not.toHaveMagicLink('a.test');
  expectEmail({ ...email }).toHaveOneClickUnsubscribe();
  await Promise.all<void>([expectEmail(email).toHaveTextPart(), expectEmail(email).toMatchEmailSnapshot({ mask: [/a/, 'b'] })]);
  await expectEmail(email).toHaveSafeLinks({ except: /a/, trackers: ['b.test'] });
  await expectEmail(Promise.resolve(email)).resolves.toHaveOtp();
  // @ts-expect-error A code is a text.
  expectEmail(email).toHaveOtp(482913);
  // @ts-expect-error There is no such option.
  await expectEmail(email).toHaveSafeLinks({ tracker: ['b.test'] });
  // @ts-expect-error This is no email.
  expectEmail('a').toHaveOtp();
  return seen;
}
`;

/** A user's code for Vitest and Jest. Vitest's types also need Node's types. */
const RUNNERS_CODE = `
import { mayflySetup as jestSetup } from 'mayfly-client/jest/setup';
import { test as jestTest } from 'mayfly-client/jest';
import { mayflyServer, type MayflyWebServer } from 'mayfly-client/playwright';
import type { ReceivedEmail } from 'mayfly-client';
import { type EmailMatchers, emailMatchers } from 'mayfly-client/matchers';
import 'mayfly-client/matchers/vitest';
import { expect, it, test } from 'mayfly-client/vitest';
import { mayflySetup } from 'mayfly-client/vitest/setup';

export const setups = [mayflySetup({ retention: '5m' }), jestSetup({ domain: ['a.test'] })];
export const server: MayflyWebServer = mayflyServer({ httpPort: 8090 });
// @ts-expect-error There is no such option.
mayflySetup({ retenton: '5m' });
const own = test.extend<{ code: string }>({ code: async ({ inbox }, use) => use(await inbox.waitForOtp()) });
own('a test', ({ code, mayfly }) => expect(code).toBe(mayfly.domain));
// @ts-expect-error There is no such fixture.
it('a missing fixture', ({ mailbox }) => mailbox);
jestTest.each([['a', 1]] as [string, number][])('%s', ({ inbox }, letter: string, number: number) => inbox.emails());
// @ts-expect-error There is no such fixture.
jestTest('a missing fixture', ({ mailbox }) => mailbox);
expect.extend(emailMatchers(expect));
export async function sees(email: ReceivedEmail): Promise<void> {
  const seen: void = expect(email).toHaveOtp(/^4/);
  expect.soft(email).not.toHaveMagicLink('a.test');
  await Promise.all<void>([expect(email).toHaveTextPart(), expect(email).toMatchEmailSnapshot({ mask: [/a/, 'b'] })]);
  await expect(email).not.toHaveSafeLinks({ except: /a/, trackers: ['b.test'] });
  await expect(Promise.resolve(email)).resolves.toHaveOneClickUnsubscribe();
  // @ts-expect-error A code is a text.
  expect(email).toHaveOtp(482913);
  // @ts-expect-error There is no such option.
  const options: Parameters<EmailMatchers['toHaveSafeLinks']>[0] = { tracker: ['b.test'] };
  return options && seen;
}
`;

let project: Awaited<ReturnType<typeof temporaryFolder>>;
let files: readonly string[];

/** Packs the client as published and installs it into a fresh project with Playwright. */
beforeAll(async () => {
  project = await temporaryFolder();
  const modules = path.join(project.path, 'node_modules');
  ({ files } = await installPacked(project.path));
  for (const name of ['@playwright', 'playwright', 'playwright-core', 'vitest', 'mayfly-inbox']) {
    await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  }
  await writeFile(path.join(project.path, 'package.json'), '{ "type": "module" }');
  await writeFile(path.join(project.path, 'playwright.ts'), PLAYWRIGHT_CODE);
  await writeFile(path.join(project.path, 'runners.ts'), RUNNERS_CODE);
});

afterAll(() => project.remove());

describe('the packed client', () => {
  test('contains the files that it exports, and no unexpected ones', async () => {
    const { exports } = JSON.parse(await readFile(path.join(CLIENT, 'package.json'), 'utf8'));
    const exported = [...JSON.stringify(exports).matchAll(/"\.\/(dist\/[^"]+)"/g)].map(([, file]) => file);
    expect(exported.length).toBeGreaterThan(0);
    expect(files).toEqual(expect.arrayContaining(exported));
    const others = files.filter(
      (file) => !/^(?:dist\/(?:cjs\/)?(?:[a-z]+\/)?|protocol\/(?:cjs\/)?)[a-z-]+(?:\.d\.ts|\.js)$/.test(file),
    );
    const command = ['bin/mayfly.js', 'bin/package.json', 'dist/bin/package.json'];
    const builds = ['dist/cjs/package.json', 'package.json', 'protocol/cjs/package.json'];
    expect(others.sort()).toEqual(['LICENSE', 'README.md', ...command, ...builds]);
  });

  test.each([
    ['node16', 'node16', 'playwright.ts'],
    ['esnext', 'bundler', 'playwright.ts'],
    ['node16', 'node16', 'runners.ts'],
    ['esnext', 'bundler', 'runners.ts'],
  ])('has types that compile with module %s and moduleResolution %s: %s', async (module, moduleResolution, file) => {
    const compilerOptions = { module, moduleResolution, target: 'es2022', strict: true, types: [], skipLibCheck: true };
    const config = { compilerOptions: { ...compilerOptions, noEmit: true }, files: [file] };
    await writeFile(path.join(project.path, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = await run(TSC, ['--project', project.path, '--pretty', 'false']).catch((error) => error);
    expect(stdout).toBe('');
  });
});
