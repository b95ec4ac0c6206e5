import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { folderOfFile } from './service/process.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PYTEST = 'pytest>=8';

const SIGN_UP = `
import os, smtplib

def test_sign_up(inbox):
    with smtplib.SMTP(os.environ["SMTP_HOST"], int(os.environ["SMTP_PORT"])) as smtp:
        smtp.sendmail("app@example.test", inbox.address, "Subject: Welcome\\r\\n\\r\\nYour code is 482913")
    assert inbox.wait_for_otp() == "482913"
`;

const folder = await folderOfFile();
const packed = path.join(folder.path, 'packed');
let files: string[];
let version: string;

const packedFile = (end: string) => path.join(packed, files.find((name) => name.endsWith(end)) ?? `no *${end}`);

beforeAll(async () => {
  await run(process.execPath, ['tools/build-executable.js'], { cwd: ROOT });
  await run(process.execPath, ['tools/package-executable.js', '--into', packed], { cwd: ROOT });
  files = await readdir(packed);
  version = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')).version;
});

test('the checksums are those of the packages, the formula and the manifest name them, and the SBOM has Node', async () => {
  const sums = await readFile(path.join(packed, 'SHA256SUMS'), 'utf8');
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: packed });
  const [, archive = 'none'] = /^(\w{64}) {2}mayfly-linux-x64\.tar\.gz$/m.exec(sums) ?? [];
  const formula = await readFile(path.join(packed, 'mayfly.rb'), 'utf8');
  expect(formula).toContain(`/releases/download/v${version}/mayfly-linux-x64.tar.gz"\n      sha256 "${archive}"`);
  const manifest = await readFile(path.join(packed, 'mayfly.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ version, bin: 'mayfly.exe' });
  expect(formula + manifest).not.toContain('{sha256');
  expect(await readFile(path.join(packed, 'mayfly.cdx.json'), 'utf8')).toContain('"pkg:generic/node@24.');
});

test('the Debian package has the program, its unit, and settings that only root may read', async () => {
  const { stdout: fields } = await run('dpkg-deb', ['--field', packedFile('.deb')]);
  expect(fields).toMatch(new RegExp(`^Version: ${version.replaceAll('.', '\\.')}$`, 'm'));
  const root = path.join(folder.path, 'debian');
  await run('dpkg-deb', ['--extract', packedFile('.deb'), root]);
  expect((await run(path.join(root, 'usr/bin/mayfly'), ['--version'], { env: {} })).stdout).toBe(`${version}\n`);
  expect((await stat(path.join(root, 'etc/mayfly.env'))).mode & 0o777).toBe(0o600);
  const unit = await readFile(path.join(root, 'usr/lib/systemd/system/mayfly.service'), 'utf8');
  expect(unit).toContain('ExecStart=/usr/bin/mayfly serve');
});

describe('for Python', needs('environments of Python'), () => {
  const venv = path.join(folder.path, 'venv');
  const python = path.join(venv, 'bin/python');
  const pip = (...args: string[]) => run(python, ['-m', 'pip', '--disable-pip-version-check', 'install', ...args]);

  beforeAll(() => run('python3', ['-m', 'venv', venv]));

  test('with the wheel, the pytest plugin starts the service on a system without Node', async () => {
    await pip('--quiet', PYTEST);
    await pip('--quiet', '--no-index', packedFile('.whl'));
    const suite = path.join(folder.path, 'suite');
    await mkdir(suite);
    await writeFile(path.join(suite, 'test_sign_up.py'), SIGN_UP);
    const env = { PATH: '/nowhere', HOME: suite, PYTHONPATH: path.join(ROOT, 'clients/python/src') };
    const args = ['-m', 'pytest', '-q', '-p', 'mayfly_client.pytest_plugin', '-p', 'no:cacheprovider'];
    expect((await run(python, args, { cwd: suite, env })).stdout).toContain('1 passed');
  });

  test('the sdist says what to do on a system without a wheel', async () => {
    const failed = await pip('--no-index', path.join(packed, `mayfly_inbox-${version}.tar.gz`)).catch((error) => error);
    expect(`${failed.stdout}${failed.stderr}`).toContain('mayfly-inbox has no executable for this system');
  });
});
