import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { temporaryFolder } from '../../server/test/service/process.js';
import { analyseTypes, CLIENT, installPacked, type Packed, ROOT } from './packed.js';
import { freshName, startService, type TestService } from './service.js';

const run = promisify(execFile);

/** The tools that users have in their projects. Installed with `npm ci --prefix packages/client/test/consumers`. */
const TOOLS = fileURLToPath(new URL('consumers/node_modules/', import.meta.url));

/** A user's module, which TypeScript may compile to ESM or CommonJS. */
const CODE = `
import { type Inbox, Mayfly, MayflyTimeoutError, type ReceivedEmail } from 'mayfly-client';
import { inboxApi } from 'mayfly-client/api';
import { mayflyTasks } from 'mayfly-client/cypress/tasks';
import { inboxName } from 'mayfly-protocol/inbox-name';
import { it } from 'mayfly-client/jest';
import setUp from 'mayfly-client/jest/setup';
import { type FollowedLink, followLink, scanLinks } from 'mayfly-client/links';
import { isPassing } from 'mayfly-client/retry';
import { type Totp, totp } from 'mayfly-client/totp';
import { type WebhookAnswer, webhooks } from 'mayfly-client/webhooks';

export async function code(mayfly: Mayfly): Promise<string> {
  const inbox: Inbox = mayfly.createInbox();
  const email: ReceivedEmail = await inbox.waitForEmail({ subject: /code/i });
  const url: string | undefined = (await email.links()).find(/reset/)?.url;
  // @ts-expect-error There is no such option.
  await inbox.waitForEmail({ timout: 1 }).catch((error: unknown) => error instanceof MayflyTimeoutError && url);
  return inbox.waitForCode({ after: email.receivedAt });
}
it.each([['de', 1]] as [string, number][])('%s', ({ inbox }, language: string, count: number) => inbox.waitForEmails({ count }));
const codes: Totp = totp('JBSWY3DPEHPK3PXP', { digits: 8 });
export async function bounce(email: ReceivedEmail): Promise<WebhookAnswer> {
  // @ts-expect-error There is no such fault.
  await webhooks({ as: 'resend', url: await codes.next() }).opened(email, { signature: 'bad' });
  return webhooks({ as: 'postmark', url: 'http://127.0.0.1/' }).bounced(email, { twice: true });
}
export async function open(inbox: Inbox): Promise<FollowedLink> {
  // @ts-expect-error There is no such level.
  await scanLinks(inbox, { as: 'HEAD' });
  return followLink(await inbox.waitForMagicLink());
}
export const others = [setUp, inboxApi('demo'), mayflyTasks(), inboxName('Demo'), isPassing(null)];
`;

/** A user's function, compiled against the types of either Jest package. */
const JEST_MATCHERS = `
export async function sees(email: ReceivedEmail): Promise<void> {
  const seen: void = expect(email).toHaveOtp(/^4/);
  expect(email).not.toHaveMagicLink('a.test');
  await Promise.all<void>([expect(email).toHaveTextPart(), expect(email).toMatchEmailSnapshot({ mask: [/a/, 'b'] })]);
  const later: Promise<void> = expect(Promise.resolve(email)).resolves.toHaveOneClickUnsubscribe();
  // @ts-expect-error A code is a text.
  expect(email).toHaveOtp(482913);
  // @ts-expect-error There is no such option.
  await expect(email).toHaveSafeLinks({ tracker: ['b.test'] });
  return (await later) ?? seen;
}
`;

const JEST_TYPES: Record<string, string> = {
  '@types/jest': `
import type { ReceivedEmail } from 'mayfly-client';
import { emailMatchers } from 'mayfly-client/matchers';
import 'mayfly-client/matchers/jest';
expect.extend(emailMatchers(expect));
${JEST_MATCHERS}`,
  '@jest/globals': `
import { expect } from '@jest/globals';
import type { ReceivedEmail } from 'mayfly-client';
import { type EmailMatchers, emailMatchers } from 'mayfly-client/matchers';
declare module 'expect' {
  interface Matchers<R> extends EmailMatchers<R> {}
}
expect.extend(emailMatchers(expect));
${JEST_MATCHERS}`,
};

const JEST_TEST = `
const { Mayfly, MayflyAuthError, MayflyTimeoutError } = require('mayfly-client');

test('a wait', async () => {
  const inbox = new Mayfly({ baseUrl: process.env.URL_OF_MAYFLY }).inbox(process.env.INBOX);
  const email = await inbox.waitForEmail();
  expect(email).toMatchObject({ subject: 'Hello', fromName: '' });
  expect(await email.html()).toBeNull();
  await expect(inbox.waitForOtp({ timeout: 3_000 })).rejects.toBeInstanceOf(MayflyTimeoutError);
  const locked = new Mayfly({ baseUrl: process.env.URL_OF_MAYFLY }).inbox('p-' + 'a'.repeat(26));
  await expect(locked.waitForEmail()).rejects.toBeInstanceOf(MayflyAuthError);
});
`;

let project: Awaited<ReturnType<typeof temporaryFolder>>;
let packed: Packed;
let service: TestService;

beforeAll(async () => {
  project = await temporaryFolder();
  packed = await installPacked(project.path);
  service = await startService();
});

afterAll(async () => {
  await project.remove();
  await service.stop();
});

const inRoot = (name: string) => path.join(ROOT, 'node_modules/.bin', name);

/** Runs a program of the project. Resolves to its output if it fails, otherwise to an empty text. */
async function complaints(program: string, args: readonly string[], options = {}): Promise<string> {
  const ended = run(program, args, { cwd: project.path, ...options }).then(
    () => '',
    (error) => `${error.stdout}${error.stderr}`,
  );
  return ended;
}

describe('the packed client', () => {
  test('passes publint', async () => {
    expect(await complaints(inRoot('publint'), ['run', packed.tarball, '--strict'])).toBe('');
  });

  test('has types for every entry under every module resolution except node10, which does not support subpaths', async () => {
    const { exports } = JSON.parse(await readFile(path.join(CLIENT, 'package.json'), 'utf8'));
    expect(await analyseTypes(packed)).toEqual({ entrypoints: Object.keys(exports), problems: [] });
  });
});

describe('a project with only the packed client', needs('runners and frameworks'), () => {
  const typescripts: [string, string][] = [
    ['5.6', path.join(TOOLS, 'typescript-5.6/bin/tsc')],
    ['7', path.join(ROOT, 'node_modules/typescript/bin/tsc')],
  ];
  const kinds = [
    ['node16', 'node16', 'commonjs'],
    ['node16', 'node16', 'module'],
    ['esnext', 'bundler', 'module'],
  ];
  // TypeScript 5 resolves modules as node10 if only "module" is set, as for ts-jest. TypeScript 7 has no node10.
  const oldest = ['5.6', 'commonjs', 'node10', 'commonjs', path.join(TOOLS, 'typescript-5.6/bin/tsc')];
  const cases = [...typescripts.flatMap(([version, tsc]) => kinds.map((kind) => [version, ...kind, tsc])), oldest];

  test.each(cases)(
    'finds the types with TypeScript %s, module %s and moduleResolution %s in a package of type %s',
    async (version = '', module, moduleResolution, type, tsc = '') => {
      const folder = path.join(project.path, `ts-${version}-${moduleResolution}-${type}`);
      await mkdir(folder);
      const compilerOptions = { module, moduleResolution, target: 'es2022', strict: true, noEmit: true, types: [] };
      await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type }));
      await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['code.ts'] }));
      await writeFile(path.join(folder, 'code.ts'), CODE);
      expect(await complaints(process.execPath, [tsc, '--project', folder, '--pretty', 'false'])).toBe('');
    },
  );

  test('compiles the Cypress example with strict TypeScript and the types from the cypress package', async () => {
    const folder = path.join(project.path, 'cypress');
    await cp(path.join(ROOT, 'examples/cypress'), folder, { recursive: true });
    await symlink(path.join(TOOLS, 'cypress'), path.join(project.path, 'node_modules/cypress'));
    const compilerOptions = {
      ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2022', 'dom'] },
      ...{ allowJs: true, checkJs: true, strict: true, noEmit: true, skipLibCheck: true, types: ['cypress'] },
    };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.js'] }));
    const tsc = path.join(TOOLS, 'typescript-5.6/bin/tsc');
    expect(await complaints(process.execPath, [tsc, '--project', folder, '--pretty', 'false'])).toBe('');
  });

  test.each(Object.entries(JEST_TYPES))('has types for the email matchers with %s', async (name, code) => {
    const folder = path.join(project.path, 'jest-types', name);
    await mkdir(folder, { recursive: true });
    for (const module of [
      '@types',
      '@jest',
      'expect',
      '@sinclair',
      'pretty-format',
      'jest-mock',
      'jest-matcher-utils',
    ]) {
      const link = path.join(project.path, 'node_modules', module);
      if (!existsSync(link)) await symlink(path.join(TOOLS, module), link);
    }
    const types = name === '@types/jest' ? ['jest'] : [];
    const compilerOptions = {
      ...{ module: 'node16', moduleResolution: 'node16', target: 'es2022', strict: true, noEmit: true, types },
      // Jest's own types do not compile without Node's.
      skipLibCheck: true,
    };
    await writeFile(path.join(folder, 'package.json'), '{ "type": "commonjs" }');
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['code.ts'] }));
    await writeFile(path.join(folder, 'code.ts'), code);
    for (const [, tsc] of typescripts) {
      expect(await complaints(process.execPath, [tsc, '--project', folder, '--pretty', 'false'])).toBe('');
    }
  });

  test.each([
    ['as it is by default', []],
    ['that loads every module anew for each test', ['--resetModules']],
  ])('waits for an email with Jest 29 %s', async (kind, args) => {
    const folder = path.join(project.path, `jest ${kind}`);
    await mkdir(folder);
    await writeFile(path.join(folder, 'package.json'), '{}');
    await writeFile(path.join(folder, 'wait.test.js'), JEST_TEST);
    const inbox = freshName();
    await service.mail(inbox);
    const env = { ...process.env, URL_OF_MAYFLY: service.url, INBOX: inbox };
    const jest = path.join(TOOLS, 'jest/bin/jest.js');
    expect(await complaints(process.execPath, [jest, '--rootDir', folder, ...args], { cwd: folder, env })).toBe('');
  });

  test('bundles the client with esbuild for browsers, without any code for Node', async () => {
    const bundle = path.join(project.path, 'bundle.mjs');
    const entry = path.join(project.path, 'browser.js');
    await writeFile(
      entry,
      `import { Mayfly } from 'mayfly-client'; export const made = new Mayfly().createInbox().address;`,
    );
    const args = [
      entry,
      '--bundle',
      '--platform=browser',
      '--format=esm',
      `--outfile=${bundle}`,
      '--log-level=warning',
    ];
    expect(await complaints(path.join(TOOLS, 'esbuild/bin/esbuild'), args)).toBe('');
    expect((await import(pathToFileURL(bundle).href)).made).toMatch(/@inbox\.example\.com$/);
  });
});
