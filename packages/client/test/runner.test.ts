import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './packed.js';
import { expectService, newProject, type Project, run, TEST_TIMEOUT_MS, VITEST } from './runner-project.js';

/** Uses this repository's own Vitest. runners.full.test.ts tests the other runners. */
const tools = path.join(ROOT, 'node_modules');

let project: Project;
let withoutService: Project;

beforeAll(async () => {
  [project, withoutService] = await Promise.all([
    newProject({ service: true, tools }),
    newProject({ service: false, tools }),
  ]);
});

afterAll(() => Promise.all([project?.remove(), withoutService?.remove()]));

const args = [VITEST, 'run', '--root', 'vitest'];

test(
  'Vitest starts one service for concurrent workers, and prints the cause of a failed wait',
  () => expectService(project, { name: 'Vitest', args, only: ['one', 'two'], passed: 2 }),
  TEST_TIMEOUT_MS,
);

test(
  "Vitest prints which package to install if the service's package is missing",
  async () => {
    const { exitCode, output } = await run(withoutService, args);
    expect(output).toContain('The service of Mayfly is not installed here: run "npm i -D mayfly-inbox"');
    expect(exitCode).not.toBe(0);
  },
  TEST_TIMEOUT_MS,
);
