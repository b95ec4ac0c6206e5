import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { ROOT } from '../../../client/test/packed.js';

const run = promisify(execFile);

/** Where tools/install.js installs hadolint. */
const HADOLINT = path.join(ROOT, 'node_modules/.cache/hadolint/bin/hadolint');

test('hadolint accepts the Dockerfile', needs('hadolint'), async () => {
  const { stdout } = await run(HADOLINT, [path.join(ROOT, 'Dockerfile')]).catch((error) => error);
  expect(stdout).toBe('');
});
