import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const CLIENT = fileURLToPath(new URL('..', import.meta.url));
export const ROOT = path.resolve(CLIENT, '../..');

export interface Packed {
  readonly tarball: string;
  readonly files: readonly string[];
}

/** Packs an npm package as published, installs it into a project, and links its dependencies from this repository. */
export async function installPacked(project: string, workspace = CLIENT): Promise<Packed> {
  const { name, dependencies = {} } = JSON.parse(await readFile(path.join(workspace, 'package.json'), 'utf8'));
  const into = path.join(project, 'node_modules', name);
  await mkdir(into, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], { cwd: workspace });
  // npm 12 prints an object by package name, earlier versions a list.
  const [packed] = Object.values<{ filename: string; files: { path: string }[] }>(JSON.parse(stdout));
  if (packed === undefined) throw new Error(`npm packed nothing in ${workspace}.`);
  const { filename, files } = packed;
  const tarball = path.join(project, filename);
  for (const file of files) await cp(path.join(workspace, file.path), path.join(into, file.path));
  for (const dependency of Object.keys(dependencies)) {
    const link = path.join(project, 'node_modules', dependency);
    await mkdir(path.dirname(link), { recursive: true });
    await rm(link, { recursive: true, force: true });
    // A link suffices, because a linked package resolves its own dependencies from its real path.
    await symlink(path.join(ROOT, 'node_modules', dependency), link);
  }
  return { tarball, files: files.map((file) => file.path) };
}

/** The analysis of a tarball's types by attw. */
export interface TypeAnalysis {
  readonly entrypoints: readonly string[];
  /** The problems, except with the module resolution node10, which does not support subpaths. */
  readonly problems: readonly Readonly<Record<string, string>>[];
}

export async function analyseTypes({ tarball }: Packed): Promise<TypeAnalysis> {
  const attw = path.join(ROOT, 'node_modules/.bin/attw');
  // attw exits before a pipe has drained a long report, so attw writes its report to a file.
  const report = `${tarball}.attw.json`;
  const finding = await run('sh', ['-c', '"$0" "$1" --format json > "$2"', attw, tarball, report]).catch(
    (error) => error,
  );
  // attw exits with 1 if it finds problems, and with another code if it failed.
  if (finding instanceof Error && (finding as { code?: unknown }).code !== 1) throw finding;
  const { analysis } = JSON.parse(await readFile(report, 'utf8'));
  const problems = Object.values(analysis.problems as object).flat() as Record<string, string>[];
  return {
    entrypoints: Object.keys(analysis.entrypoints),
    problems: problems.filter(({ resolutionKind, entrypoint }) => resolutionKind !== 'node10' || entrypoint === '.'),
  };
}

/** The part of an SBOM that lists runtime dependencies. */
export interface Sbom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly {
    readonly group?: string;
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly scope: string;
    readonly licenses: readonly { readonly license: { readonly id: string } }[];
    readonly properties: readonly { readonly name: string; readonly value: string }[];
  }[];
}

export async function sbomIn(project: string, name: string): Promise<Sbom> {
  return JSON.parse(await readFile(path.join(project, 'node_modules', name, 'sbom.cdx.json'), 'utf8'));
}
