import { execFileSync } from 'node:child_process';

/** Vitest's global setup: compiles the workspaces, so that no test runs yesterday's code. */
export default function build() {
  execFileSync('npx', ['tsc', '--build'], { stdio: 'inherit' });
}
