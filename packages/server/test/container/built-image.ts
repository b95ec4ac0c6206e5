/** Builds the image from the Dockerfile without a container engine: bubblewrap runs each step in its stage's folder. */
import { execFile } from 'node:child_process';
import { chown, cp, lstat, mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import dockerignore from '@balena/dockerignore';
import { ROOT } from '../../../client/test/packed.js';
import { readDockerfile, type Stage, type Step } from './dockerfile.js';

const run = promisify(execFile);

/** Time limit of a build step, which may install every package anew on a busy machine. */
const STEP_TIMEOUT_MS = 600_000;

/** Maximum output of a build step. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Names of environment variables that build steps inherit: those for proxies and the npm registry. */
const WAY_OUT = /^(?:https?_proxy|no_proxy|npm_config_registry|node_extra_ca_certs)$/i;

/** Docker's names for processor architectures. */
const DOCKER_ARCH: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The folders of the distroless base image that Mayfly may use. */
const DISTROLESS_FOLDERS = ['proc', 'dev', 'tmp', 'etc'];

/** A built image. */
export interface BuiltImage {
  readonly root: string;
  /** The Dockerfile's last stage, whose instructions apply at run time. */
  readonly stage: Stage;
  /** Reruns the architecture-dependent steps for another architecture. Resolves to the files that the image then gets. */
  filesFor(architecture: string): Promise<string>;
}

/** Returns the files of the build context, after applying .dockerignore. */
export async function contextFiles(): Promise<string[]> {
  const rules = await readFile(path.join(ROOT, '.dockerignore'), 'utf8');
  const isGiven = dockerignore.default().add(rules).createFilter();
  const files: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(path.join(ROOT, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      // Skips these two unless .dockerignore includes them, because they hold more files than all others together.
      if (['node_modules', '.git'].includes(entry.name) && !isGiven(name)) continue;
      if (entry.isDirectory()) await walk(name);
      else if (isGiven(name)) files.push(name);
    }
  };
  await walk('.');
  return files;
}

/** Builds the Dockerfile's image in a folder. */
export async function buildImage(folder: string): Promise<BuiltImage> {
  const stages = readDockerfile(await readFile(path.join(ROOT, 'Dockerfile'), 'utf8'));
  const roots = new Map<string, string>();
  let last: BuiltImage | undefined;
  for (const [number, stage] of stages.entries()) {
    const root = path.join(folder, stage.name ?? `stage-${number}`);
    await mkdir(root);
    if (stage.image.startsWith('gcr.io/distroless/')) await layDistroless(root);
    for (const step of stage.steps) await (step.kind === 'run' ? runStep(step, root) : copyStep(step, root, roots));
    if (stage.name !== null) roots.set(stage.name, root);
    last = { root, stage, filesFor: (architecture) => filesFor(architecture, stages, roots) };
  }
  if (last === undefined) throw new Error('The Dockerfile has no stage.');
  return last;
}

async function filesFor(
  architecture: string,
  stages: readonly Stage[],
  roots: ReadonlyMap<string, string>,
): Promise<string> {
  const root = roots.get('build') ?? '';
  for (const step of stages.flatMap(({ steps }) => steps.filter(isOfProcessor))) {
    await rm(path.join(root, 'rootfs'), { recursive: true });
    await runStep(step, root, architecture);
  }
  return path.join(root, 'rootfs');
}

type RunStep = Extract<Step, { kind: 'run' }>;

function isOfProcessor(step: Step): step is RunStep {
  return step.kind === 'run' && step.script.includes('$TARGETARCH');
}

async function runStep(
  { script, folder }: RunStep,
  root: string,
  architecture = DOCKER_ARCH[process.arch] ?? process.arch,
): Promise<void> {
  const { stdout: cache } = await run('npm', ['config', 'get', 'cache'], { cwd: '/' });
  const prefix = path.dirname(path.dirname(await realpath(process.execPath)));
  const home = process.env.HOME ?? '/root';
  const binds = ['--bind', root, '/'];
  for (const shared of ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/run', prefix, `${home}/.npmrc`]) {
    binds.push('--ro-bind-try', shared, shared);
  }
  await mkdir(cache.trim(), { recursive: true });
  await mkdir(path.join(root, 'tmp'), { recursive: true });
  const inherited = Object.entries(process.env).filter(([name]) => WAY_OUT.test(name));
  const environment = {
    ...Object.fromEntries(inherited),
    PATH: `${prefix}/bin:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TARGETARCH: architecture,
    npm_config_cache: cache.trim(),
    npm_config_prefer_offline: 'true',
  };
  binds.push('--bind', cache.trim(), cache.trim(), '--proc', '/proc', '--dev', '/dev');
  await run('bwrap', [...binds, '--unshare-pid', '--die-with-parent', '--chdir', folder, '/bin/sh', '-c', script], {
    env: environment,
    timeout: STEP_TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
}

async function copyStep(
  { from, sources, target, owner }: Extract<Step, { kind: 'copy' }>,
  root: string,
  roots: ReadonlyMap<string, string>,
): Promise<void> {
  const into = path.join(root, target);
  if (from === null) {
    const files = await contextFiles();
    for (const source of sources) {
      if (source === '.') for (const file of files) await cp(path.join(ROOT, file), path.join(into, file));
      else if (files.includes(source)) await cp(path.join(ROOT, source), path.join(into, path.basename(source)));
      else throw new Error(`${source} is no file of the context. Its folders are known here all together.`);
    }
    return;
  }
  const [uid = 0, gid = 0] = (owner ?? '0:0').split(':').map(Number);
  for (const source of sources) await copyTree(path.join(roots.get(from) ?? from, source), into, uid, gid);
}

/** Copies a folder's contents, keeps their modes and sets their owner. As in Docker, existing folders are unchanged. */
async function copyTree(from: string, into: string, uid: number, gid: number): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(into, entry.name)];
    if (entry.isDirectory()) {
      const { mode } = await lstat(source);
      const isNew = (await mkdir(target, { recursive: true })) !== undefined;
      if (isNew) await run('chmod', [(mode & 0o7777).toString(8), target]);
      if (isNew) await chown(target, uid, gid);
      await copyTree(source, target, uid, gid);
    } else {
      await cp(source, target, { verbatimSymlinks: true, preserveTimestamps: true });
      if (!entry.isSymbolicLink()) await chown(target, uid, gid);
    }
  }
}

/** Creates a stand-in for the base image: only the libraries that Node needs, without a shell or other programs. */
async function layDistroless(root: string): Promise<void> {
  for (const folder of DISTROLESS_FOLDERS) await mkdir(path.join(root, folder), { recursive: true });
  const { stdout } = await run('ldd', [process.execPath]);
  for (const [library] of stdout.matchAll(/\/\S+/g)) {
    await mkdir(path.join(root, path.dirname(library)), { recursive: true });
    await cp(library, path.join(root, library), { dereference: true });
  }
}
