import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/', import.meta.url));

interface Known {
  readonly flag: string;
  readonly usual: number;
  readonly patient: number;
}

const { KNOWN }: { KNOWN: Known | undefined } = createRequire(import.meta.url)(path.join(BIN, 'tiering.js'));

/** What a program writes that has `bundle` and `tiering`, and to which V8 must have no objection. */
function outputOf(program: string): string {
  const modules = ['bundle', 'tiering'].map((name) => `${name} = require(${JSON.stringify(path.join(BIN, name))})`);
  const args = ['--eval', `const ${modules.join(', ')};\n${program}`];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

/** Loads the command line, and tells of each file with code whether V8 has refused it. */
const REFUSALS = `
  bundle.load('main.js');
  const refused = [...bundle.loaded.values()].map(({ script }) => script.cachedDataRejected);
  console.log(JSON.stringify(refused.filter((known) => known !== undefined)));
`;

// Other versions are left as they are.
describe.skipIf(KNOWN === undefined)('V8 that optimizes later', () => {
  test('has the flag, and the value that it has otherwise is the one given back', () => {
    const { flag, usual } = KNOWN as Known;
    const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    expect(stdout).toContain(`default: ${flag}=${usual}\n`);
  });

  test('takes the code that was kept, in the first thread', () => {
    const refused: boolean[] = JSON.parse(outputOf(`tiering.optimizeLater();${REFUSALS}`));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused).not.toContain(true);
  });

  test('takes it in other threads, too', () => {
    const modules = `const bundle = require(${JSON.stringify(path.join(BIN, 'bundle'))});`;
    const inThread = JSON.stringify(`${modules}${REFUSALS}`);
    const program = `
      tiering.optimizeLater();
      new (require('node:worker_threads').Worker)(${inThread}, { eval: true });
    `;
    const refused: boolean[] = JSON.parse(outputOf(program));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused).not.toContain(true);
  });
});
