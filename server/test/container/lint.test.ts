import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../../../client/test/packed.js';

const run = promisify(execFile);

/** Where .ci/run puts it. */
const HADOLINT = path.join(ROOT, 'node_modules/.cache/hadolint/bin/hadolint');

const isThere = existsSync(HADOLINT);
if (!isThere && process.env.CI === 'true') throw new Error(`CI needs ${HADOLINT}.`);

test.skipIf(!isThere)('the Dockerfile pleases hadolint, which .ci/run installs', async () => {
  const { stdout } = await run(HADOLINT, [path.join(ROOT, 'Dockerfile')]).catch((error) => error);
  expect(stdout).toBe('');
});
