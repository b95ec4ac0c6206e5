import type { RunResponse } from 'mayfly-client';
import { newRunSecret } from 'mayfly-protocol/run-secret';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { freePort, refusingPort } from '../../server/test/ports.js';
import { endAll, serve } from '../../server/test/service/process.js';
import {
  expectService,
  JEST,
  newProject,
  PLAYWRIGHT,
  type Project,
  type Runner,
  run,
  startingVariables,
  TEST_TIMEOUT_MS,
  TOOLS,
  VITEST,
} from './runner-project.js';

let project: Project;
let withoutService: Project;

beforeAll(async () => {
  [project, withoutService] = await Promise.all([
    newProject({ service: true, tools: TOOLS }),
    newProject({ service: false, tools: TOOLS }),
  ]);
});

afterAll(async () => {
  endAll();
  await Promise.all([project?.remove(), withoutService?.remove()]);
});

/** How each runner starts a run with its own service. */
const RUNNERS: Runner[] = [
  { name: 'Vitest', args: [VITEST, 'run', '--root', 'vitest'], only: ['one', 'two'], passed: 2 },
  {
    name: 'Vitest with threads',
    args: [VITEST, 'run', '--root', 'vitest', '--pool', 'threads'],
    only: ['one', 'two'],
    passed: 2,
  },
  {
    name: 'Jest',
    args: [JEST, '--rootDir', 'jest', '--config', 'jest/jest.config.cjs'],
    only: ['one', 'two'],
    passed: 8,
  },
  {
    name: 'Playwright',
    args: [PLAYWRIGHT, 'test', '--config', 'playwright'],
    only: ['one', 'two'],
    passed: 2,
  },
];

describe.each(RUNNERS)('$name', needs('runners and frameworks'), (runner) => {
  test(
    'starts one service for concurrent workers, and prints the cause of a failed wait',
    () => expectService(project, runner),
    TEST_TIMEOUT_MS,
  );
});

/** Commands that run a test which fails before its code arrives. */
const LATE: Record<string, string[]> = {
  Vitest: [VITEST, 'run', '--root', 'vitest-late'],
  Jest: [JEST, '--rootDir', 'jest-late', '--config', 'jest-late/jest.config.cjs'],
  Playwright: [PLAYWRIGHT, 'test', '--config', 'playwright-late', '--workers', '1'],
};

test.each(Object.entries(LATE))(
  '%s writes a file with the emails of a failed test, including emails that arrived after the failure',
  { ...needs('runners and frameworks'), timeout: TEST_TIMEOUT_MS },
  async (name, args) => {
    const { output, files } = await run(project, args, await startingVariables(name));
    expect(files).toHaveLength(1);
    const [, failed = ''] =
      /<details class="run-test" data-outcome="failed"(.*?)<\/section>/s.exec(files[0] ?? '') ?? [];
    const [late = '', inTime = ''] = failed.split('<li class="run-email">').slice(1);
    expect(late).toMatch(/Welcome.*code 482913.*>\d+\.\d s after the test had failed</s);
    expect(inTime).toContain('Hello');
    expect(inTime).not.toContain('after the test had failed');
    // Playwright attaches the emails instead of listing them.
    const listed =
      /1 email came to late@inbox\.example\.com\.\n\s+[\d:]{8} 'Hello' from app@app\.test: code none, link none\n/;
    if (name !== 'Playwright') expect(output).toMatch(listed);
  },
);

describe('Vitest', needs('runners and frameworks'), () => {
  test.each(['jsdom', 'happy-dom'])(
    'receives mail in a test with the %s environment',
    async (environment) => {
      const args = [VITEST, 'run', '--root', 'vitest', '--environment', environment, 'one', 'two'];
      const { exitCode, output } = await run(project, args);
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('2 passed') });
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'in watch mode, prints the URL of the run in the web UI and writes no report file',
    async () => {
      const watching = `
        import { mayflySetup } from 'mayfly-client/vitest/setup';
        const end = await mayflySetup()({ config: { watch: true } });
        const tests = [{ id: 'a', title: 'a', outcome: 'failed', inboxes: ['a'], error: 'no', waits: [] }];
        const headers = { 'content-type': 'application/json' };
        const run = process.env.MAYFLY_URL + '/api/run/' + process.env.MAYFLY_RUN;
        const { status } = await fetch(run, { method: 'POST', headers, body: JSON.stringify({ tests }) });
        console.log(status, process.env.STAYING_MAYFLY === process.env.MAYFLY_URL);
        await end();`;
      const { exitCode, output, files } = await run(project, ['--input-type=module', '-e', watching]);
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringMatching(/^200 true$/m) });
      expect(output).toMatch(/Mayfly shows this run at \S+\/run\/[a-z2-7]{26}$/m);
      expect(files).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'reports that MSW intercepts requests to Mayfly, and names the handler that passes them through',
    async () => {
      const args = [VITEST, 'run', '--root', 'vitest-msw'];
      const { output } = await run(project, args);
      expect(output).toMatch(
        /MayflyError.*: A request to Mayfly at (http:\/\/[\d.:]+) was stopped by MSW \(onUnhandledRequest: 'error'\) before it left the test\. To let it through, add this handler: http\.all\('\1\/\*', \(\) => passthrough\(\)\)\./,
      );
      expect(await run(project, args, { LET_THROUGH: '1' })).toMatchObject({ exitCode: 0 });
    },
    TEST_TIMEOUT_MS,
  );
});

describe.each(RUNNERS.filter(({ name }) => !name.includes('threads')))(
  '$name with MAYFLY_URL',
  needs('runners and frameworks'),
  ({ name, args, only }) => {
    test(
      'starts no service, and reports the mail and the error of each test to the run in MAYFLY_RUN',
      async () => {
        const mayfly = await serve(['--store', 'memory:', '--domain', 'app.test']);
        const given = {
          MAYFLY_URL: mayfly.url,
          MAYFLY_DOMAIN: 'app.test',
          SMTP_HOST: '127.0.0.1',
          SMTP_PORT: `${mayfly.smtpPort}`,
          MAYFLY_RUN: newRunSecret(),
        };
        const variables = { ...(await startingVariables(name)), ...given };
        const { output, met } = await run(withoutService, [...args, ...only, 'failing'], variables);
        for (const file of only)
          expect(met[file]).toMatchObject({ url: mayfly.url, domain: 'app.test', port: given.SMTP_PORT });
        const answer = await fetch(`${mayfly.url}/api/run/${given.MAYFLY_RUN}`);
        const { counts, tests } = (await answer.json()) as RunResponse;
        expect(counts).toEqual({ running: 0, passed: 2, failed: 1, skipped: 0 });
        const failed = tests.find(({ outcome }) => outcome === 'failed');
        const { to } = failed?.inboxes[0] ?? {};
        const why = new RegExp(`Waited [78](?:\\.\\d)? s for an email with a code\\. No email came to ${to}`);
        expect(failed).toMatchObject({
          title: expect.stringMatching(/failing\.(?:spec|test)\.c?js › .*waits for a code that never arrives$/),
          error: expect.stringMatching(new RegExp(`MayflyTimeoutError: ${why.source}`)),
          waits: [{ to, text: expect.stringMatching(why) }],
          inboxes: [{ emails: [], hidden: null }],
        });
        const mailed = tests.filter(({ outcome }) => outcome === 'passed').flatMap(({ inboxes }) => inboxes);
        expect(mailed.map((inbox) => [inbox.to, inbox.emails?.length]).sort()).toEqual(
          only.map((file) => [met[file]?.address, 1]).sort(),
        );
        expect(output.split(`${mayfly.url}/run/${given.MAYFLY_RUN}#${failed?.id}`)).toHaveLength(2);
        expect(output).not.toContain('Mayfly shows this run');
      },
      TEST_TIMEOUT_MS,
    );

    test(
      'ends before the first test if nothing answers at MAYFLY_URL, and prints once how to start Mayfly',
      async () => {
        const url = `http://127.0.0.1:${await refusingPort()}`;
        const variables = { ...(await startingVariables(name)), MAYFLY_URL: url };
        const { exitCode, output, met } = await run(project, args, variables);
        const said = output.split(
          `Nothing answers at ${url}. Start Mayfly ("npx mayfly-inbox serve"), or unset MAYFLY_URL`,
        );
        expect(said).toHaveLength(2);
        expect(exitCode).not.toBe(0);
        expect(output).not.toMatch(/waits for a code that never arrives/);
        expect(met).toEqual({});
      },
      TEST_TIMEOUT_MS,
    );
  },
);

/** Options of a service that a run starts; Vitest and Jest read them from a file of the project. */
const OWN = { domain: ['own.test', 'other.test'] };
const OWN_SETUPS: Record<string, Record<string, string>> = {
  Vitest: { GLOBAL_SETUP: './own-setup.js' },
  Jest: { GLOBAL_SETUP: './own-setup.cjs' },
};

describe.each(RUNNERS.filter(({ name }) => !name.includes('threads')))(
  '$name without MAYFLY_URL',
  needs('runners and frameworks'),
  ({ name, args, only }) => {
    test(
      "prints which package to install if the service's package is missing",
      async () => {
        const { exitCode, output, met } = await run(withoutService, args, await startingVariables(name));
        expect(output).toContain(
          'The service of Mayfly is not installed here: run "npm i -D mayfly-inbox", or set MAYFLY_URL',
        );
        expect(exitCode).not.toBe(0);
        expect(output).not.toMatch(/waits for a code that never arrives/);
        expect(met).toEqual({});
      },
      TEST_TIMEOUT_MS,
    );

    test(
      'starts a service with the options in the project and the API key in the environment',
      async () => {
        const ports = { httpPort: await freePort(), smtpPort: await freePort() };
        const own = OWN_SETUPS[name] ?? { START_WITH: JSON.stringify({ ...OWN, ...ports }) };
        const variables = { ...own, MAYFLY_API_KEY: 'acme=0123456789abcdef' };
        const { exitCode, output, met } = await run(project, [...args, ...only], variables);
        expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('passed') });
        expect(output).not.toMatch(/\/run\/|mayfly-run-/);
        for (const file of only) expect(met[file]?.address).toMatch(/^acme-[a-z2-7-]+@own\.test$/);
      },
      TEST_TIMEOUT_MS,
    );
  },
);
