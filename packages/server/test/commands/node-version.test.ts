import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { manifest } from '../../src/manifest.js';

const BIN = fileURLToPath(new URL('../../bin/mayfly.js', import.meta.url));

/** Runs `mayfly --version` on this Node, which pretends to have another version. */
function runOn(version: string) {
  const versions = `{ value: { ...process.versions, node: '${version}' } }`;
  const script = encodeURIComponent(`Object.defineProperty(process, 'versions', ${versions})`);
  return spawnSync(process.execPath, ['--import', `data:text/javascript,${script}`, BIN, '--version'], {
    encoding: 'utf8',
  });
}

test('the command rejects a Node older than `engines`, and says what to do', () => {
  const least = manifest.engines.node.replace('>=', '');
  expect(runOn('20.18.3')).toMatchObject({
    status: 2,
    stderr: `mayfly: Node 20.18.3 is too old. Use Node ${least} or newer, or Mayfly's executable, which needs no Node.\n`,
  });
  expect(runOn(`${least}.0`)).toMatchObject({ status: 0, stderr: '' });
});
