import { spawnSync } from 'node:child_process';

/** Vitest's global setup: compiles the workspaces, so that no test runs yesterday's code. */
export default function build() {
  spawnSync('npx', ['tsc', '--build'], { stdio: 'ignore' });
}
