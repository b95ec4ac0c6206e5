import { spawnSync } from 'node:child_process';

/** Vitest's global setup: builds the workspaces and the page, so that no test runs yesterday's code. */
export default function build() {
  spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'ignore' });
}
