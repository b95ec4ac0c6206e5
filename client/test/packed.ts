import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const CLIENT = fileURLToPath(new URL('..', import.meta.url));
export const ROOT = path.dirname(path.resolve(CLIENT));

/** The client as it is published. */
export interface Packed {
  readonly tarball: string;
  /** The files in it. */
  readonly files: readonly string[];
}

/** Packs the client as it is published, and installs it into a project. */
export async function installPacked(project: string): Promise<Packed> {
  const into = path.join(project, 'node_modules/mayfly-client');
  await mkdir(into, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], { cwd: CLIENT });
  const [{ filename, files }] = JSON.parse(stdout);
  const tarball = path.join(project, filename);
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', into]);
  return { tarball, files: files.map((file: { path: string }) => file.path) };
}
