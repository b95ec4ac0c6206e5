import { execFileSync } from 'node:child_process';

/** Vitest's global setup: builds the workspaces and the page, so that no test runs yesterday's code. */
export default function build() {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
