import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let clone;

beforeEach(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'mayfly-'));
  cpSync('tools/check-packed.js', path.join(clone, 'tools/check-packed.js'));
});

afterEach(() => rmSync(clone, { recursive: true }));

test.each(['packages/client', 'packages/mail', 'packages/server'])(
  'refuses to pack %s without a build, and says what to run',
  (workspace) => {
    const folder = path.join(clone, workspace);
    mkdirSync(folder, { recursive: true });
    for (const name of ['package.json', 'bin'].filter((one) => existsSync(path.join(workspace, one)))) {
      cpSync(path.join(workspace, name), path.join(folder, name), { recursive: true });
    }
    const { status, stderr } = spawnSync('npm', ['pack'], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toMatch(/^mayfly-\w+ is not built: it lacks .*\. Run "npm ci" or "npm run build" in the root/m);
    expect(status).not.toBe(0);
    expect(readdirSync(folder)).not.toContainEqual(expect.stringMatching(/\.tgz$/));
  },
);
