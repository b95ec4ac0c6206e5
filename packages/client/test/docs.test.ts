import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../server/test/service/process.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string) => readFile(path.join(ROOT, file), 'utf8');

/** Declarations of the names that examples use without declaring them. */
const SURROUNDINGS = `
declare const mayfly: import('mayfly-client').Mayfly;
declare const inbox: import('mayfly-client').Inbox;
declare const phone: import('mayfly-client/phone').Phone;
declare const page: import('@playwright/test').Page;
declare function signUp(address: string, smtp?: { host: string; port: number }): Promise<void>;
declare function expect(value: unknown): { toMatch(pattern: RegExp): void };
`;

let project: Awaited<ReturnType<typeof temporaryFolder>>;

const PAGES = [
  'client cypress failure-simulation filters getting-started inbound inboxes isolation jest link-scanners',
  'matchers other-runners playwright second-factors sms testcontainers vitest webhooks',
].flatMap((names) => names.split(' ').map((name) => `docs/${name}.md`));

let pages: string;

beforeAll(async () => {
  project = await temporaryFolder();
  pages = (await Promise.all(PAGES.map(read))).join('\n');
});

afterAll(() => project.remove());

const ENTRIES = [
  'in-page.ts',
  'api.ts',
  'testing/links.ts',
  'testing/matchers.ts',
  'testing/matchers-playwright.ts',
  'fixtures/playwright.ts',
  'fixtures/vitest.ts',
  'fixtures/vitest-setup.ts',
  'fixtures/jest.ts',
  'fixtures/jest-setup.ts',
  'fixtures/cypress.ts',
  'fixtures/cypress-tasks.ts',
  'fixtures/testcontainers.ts',
  'phone.ts',
  'testing/totp.ts',
  'testing/webhooks.ts',
  'testing/inbound/inbound.ts',
];

/** The types of the HTTP API, which docs/http.md and the API viewer describe. */
const API_TYPES = JSON.parse(await read('packages/server/api/openapi.json')).components.schemas;

test.each(ENTRIES)('the documentation contains every name that %s exports', async (file) => {
  const source = await read(`packages/client/src/${file}`);
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','));
  const wires = [...source.matchAll(/^export type \* from 'mayfly-protocol\/([\w-]+)'/gm)];
  const shared = await Promise.all(wires.map(([, name]) => read(`packages/protocol/src/${name}.ts`)));
  const declarations = /^export (?:const|(?:async )?function|interface|class|type) (\w+)/gm;
  const declared = [...[source, ...shared].join('\n').matchAll(declarations)].map(([, name = '']) => name);
  const names = [...lists.map((name) => name.trim().replace(/^(?:type |.* as )/, '')), ...declared].filter(Boolean);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !(name in API_TYPES) && !new RegExp(`\\b${name}\\b`).test(pages))).toEqual([]);
});

test.each(['docs/playwright.md', 'README.md'])('%s shows the Playwright example that tests run', async (document) => {
  const example = await read('examples/playwright/code.spec.ts');
  expect(await read(document)).toContain(`\n\`\`\`ts\n${example}\`\`\`\n`);
});

/** Files that a document shows in full, for readers who start with an empty folder. */
const SHOWN: [string, string[]][] = [
  [
    'examples/README.md',
    [
      'vitest/vitest.config.mjs',
      'vitest/sign-up.test.mjs',
      'jest/jest.config.cjs',
      'jest/sign-up.test.cjs',
      'node-test/sign-up.test.mjs',
      'playwright-first/playwright.config.mjs',
      'playwright-first/sign-up.spec.mjs',
      'nextjs-resend/playwright.config.js',
      'nextjs-resend/sign-up.spec.js',
      'pytest/conftest.py',
      'pytest/test_sign_up.py',
    ],
  ],
  ['docs/other-languages.md', ['ruby/sign_up.rb']],
  ['docs/sms.md', ['node-test/text.test.mjs']],
  ['docs/inbound.md', ['node-test/reply.test.mjs']],
  [
    'docs/applications.md',
    [
      'applications/django/settings.py',
      'applications/rails/mail.rb',
      'applications/spring/src/main/resources/application.properties',
      'applications/authjs/provider.mjs',
      'applications/better-auth/auth.mjs',
      'applications/maestro/flow.yaml',
      'applications/maestro/code.js',
    ],
  ],
  ['docs/testcontainers.md', ['testcontainers/node/sign-up.test.mjs']],
];

test.each(SHOWN)('%s contains the examples that the tests run', async (document, files) => {
  const blocks = [...(await read(document)).matchAll(/^```[a-z]+\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  for (const file of files) expect(blocks).toContain(await read(`examples/${file}`));
});

test('every TypeScript example of the documentation and of the Playwright project type-checks', async () => {
  await symlink(path.join(ROOT, 'node_modules'), path.join(project.path, 'node_modules'));
  await writeFile(path.join(project.path, 'package.json'), '{ "type": "module" }');
  await writeFile(path.join(project.path, 'surroundings.d.ts'), SURROUNDINGS);
  const examples = [...pages.matchAll(/^```ts(?: \[.*\])?\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  expect(examples.length).toBeGreaterThan(10);
  for (const [index, code] of examples.entries()) {
    await writeFile(path.join(project.path, `example-${index}.ts`), `${code}\nexport {};\n`);
  }
  await mkdir(path.join(project.path, 'playwright'));
  for (const file of ['code.spec.ts', 'link.spec.ts', 'playwright.config.ts']) {
    await writeFile(path.join(project.path, 'playwright', file), await read(`examples/playwright/${file}`));
  }
  const compilerOptions = {
    module: 'node20',
    target: 'es2023',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  };
  await writeFile(path.join(project.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(tsc, ['--project', project.path, '--pretty', 'false']).catch((e) => e);
  expect(stdout).toBe('');
});
