import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const CLIENT = fileURLToPath(new URL('..', import.meta.url));
export const ROOT = path.dirname(path.resolve(CLIENT));

/** A package as it is published. */
export interface Packed {
  readonly tarball: string;
  /** The files in it. */
  readonly files: readonly string[];
}

/** Packs a workspace as it is published, the client where none is named, and installs it into a project without its dependencies. */
export async function installPacked(project: string, workspace = CLIENT): Promise<Packed> {
  const { name } = JSON.parse(await readFile(path.join(workspace, 'package.json'), 'utf8'));
  const into = path.join(project, 'node_modules', name);
  await mkdir(into, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], { cwd: workspace });
  const [{ filename, files }] = JSON.parse(stdout);
  const tarball = path.join(project, filename);
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', into]);
  return { tarball, files: files.map((file: { path: string }) => file.path) };
}
