/** Tests the steps of the Dockerfile and their result. Only a container engine could test the real base image. */
import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { ROOT } from '../../../client/test/packed.js';
import { type BuiltImage, buildImage, contextFiles } from './built-image.js';
import { type Container, type Ended, endContainers, type RunOptions, runContainer } from './container.js';

/** Long, because the first build in a clone without a cache installs every package. */
const BUILD_TIMEOUT_MS = 2_400_000;

const MAIL_AND_LOOK = fileURLToPath(new URL('mail-and-look.mjs', import.meta.url));

let folder: string;
let image: BuiltImage;

test('the build context contains only files that git tracks', async () => {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const known = new Set(tracked.split('\n'));
  const given = await contextFiles();
  expect(given.filter((file) => !known.has(file))).toEqual([]);
  expect(given).toContain('package-lock.json');
});

describe('the image', needs('containers'), () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mayfly-image-'));
    await chmod(folder, 0o755);
    image = await buildImage(folder);
  }, BUILD_TIMEOUT_MS);

  afterEach(endContainers);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Creates a volume as an engine does: with the contents, owner and mode of the image's volume folder. */
  async function newVolume(): Promise<string> {
    const { uid, gid, mode } = await stat(path.join(image.root, image.stage.volume));
    const volume = await mkdtemp(path.join(folder, 'volume-'));
    await chmod(volume, mode & 0o7777);
    await chown(volume, uid, gid);
    return volume;
  }

  const start = async (args: readonly string[] = [], options: Partial<RunOptions> = {}): Promise<Container> =>
    runContainer(image, args, { volume: await newVolume(), ...options });

  const runToEnd = async (args: readonly string[], options: Partial<RunOptions> = {}): Promise<Ended> =>
    (await start(args, options)).ended;

  /** Returns the contents of the inbox `to`. If `to` is an address, sends a message to it first. */
  async function look(container: Container, to: string) {
    const [smtpPort, httpPort] = image.stage.ports;
    const { stdout, stderr } = await container.inNetwork([
      process.execPath,
      MAIL_AND_LOOK,
      `${smtpPort}`,
      `${httpPort}`,
      to,
    ]);
    return stderr === '' ? JSON.parse(stdout).emails : stderr;
  }

  test('without arguments, accepts mail for any domain and extracts the code', async () => {
    const container = await start();
    expect(await container.line('ready ')).toBe('ready smtp=0.0.0.0:2525 http=http://0.0.0.0:8080');
    expect(await look(container, 'ada@any.example')).toMatchObject([{ otp: '482913', to: 'ada@any.example' }]);
    expect(await container.stop()).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ready .*\n$/) });
  });

  test('runs as user 65532 without capabilities, and writes only to its volume', async () => {
    const container = await start();
    await container.line('ready ');
    await look(container, 'ada@any.example');
    const status = await readFile(`/proc/${container.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:(?:\t65532){4}$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    const mounts = (await readFile(`/proc/${container.pid}/mounts`, 'utf8')).trim().split('\n');
    const writable = mounts
      .map((line) => line.split(' '))
      .filter(([, , , options]) => options?.split(',').includes('rw'));
    const places = writable.map(([, place]) => place).filter((place) => !/^\/(?:proc|dev)(?:\/|$)/.test(place ?? ''));
    expect(places).toEqual(['/data']);
  });

  test('becomes healthy once it is ready', async () => {
    expect(await runToEnd(['healthy'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^mayfly: No answer from /),
    });
    const container = await start();
    await container.line('ready ');
    const { health } = image.stage;
    expect(await container.exec(health?.command ?? [])).toEqual({
      exitCode: 0,
      stdout: '{"status":"ready"}\n',
      stderr: '',
    });
    expect(health?.options).toMatchObject({ interval: '5s', 'start-interval': '0.5s' });
  });

  test('keeps its mail across a restart with the same volume', async () => {
    const volume = await newVolume();
    const first = await start([], { volume });
    await first.line('ready ');
    await look(first, 'ada@any.example');
    await first.stop();
    const second = await start([], { volume });
    await second.line('ready ');
    expect(await look(second, 'ada%40any.example')).toMatchObject([{ otp: '482913' }]);
    expect(await readdir(volume)).toEqual(['data.mdb', 'lock.mdb', 'reserve.bin']);
  });

  test('can run as a user other than 65532', async () => {
    const container = await start([], { user: '12345:0' });
    await container.line('ready ');
    expect(await look(container, 'ada@any.example')).toMatchObject([{ otp: '482913' }]);
    expect(await container.stop()).toMatchObject({ exitCode: 0 });
  });

  test('runs the commands serve, wait, new and help', async () => {
    const container = await start(['serve', '--domain', 'inbox.example.com']);
    await container.line('ready ');
    expect(await look(container, 'ada@any.example')).toContain('550 5.7.1');
    await look(container, 'ada@inbox.example.com');
    const waited = await container.exec([...image.stage.entrypoint, 'wait', 'ada@inbox.example.com', '--otp']);
    expect(waited).toEqual({ exitCode: 0, stdout: '482913\n', stderr: '' });
    expect((await runToEnd(['new'])).stdout).toMatch(/^[a-z0-9-]+@inbox\.example\.com\n$/);
    expect((await runToEnd(['help'])).stdout).toContain('Usage:');
    const lost = await runToEnd(['wait', 'ada', '--timeout', '3s']);
    expect(lost).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('http://127.0.0.1:8080') });
  });

  test('reports a volume that it cannot write to', async () => {
    const elsewhere = await runToEnd([], { environment: { MAYFLY_STORE: 'lmdb:/elsewhere' } });
    expect(elsewhere).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is read-only') });
    const foreign = path.join(folder, 'foreign');
    await mkdir(foreign, { mode: 0o700 });
    const refused = await runToEnd([], { volume: foreign });
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('this user may not read and write there'),
    });
  });

  test('builds for amd64 and for arm64, and fails to build for riscv64', async () => {
    const other = process.arch === 'arm64' ? 'amd64' : 'arm64';
    const files = await image.filesFor(other);
    const [native = ''] = await readdir(path.join(files, 'usr/local/lib/mayfly'));
    for (const name of ['usr/local/bin/mayfly', `usr/local/lib/mayfly/${native}`]) {
      // The processor in an ELF file's header: 183 is ARM64, and 62 is x86-64.
      const header = (await readFile(path.join(files, name))).subarray(0, 20);
      expect(header.readUInt16LE(18)).toBe(other === 'arm64' ? 183 : 62);
    }
    await expect(image.filesFor('riscv64')).rejects.toThrow('There is no target linux-riscv64');
  });
});
