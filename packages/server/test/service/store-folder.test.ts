import { access, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { endAll, folderOfFile, type RunningMayfly, runMayfly, serve, transportTo } from './process.js';

const folder = await folderOfFile();

afterEach(endAll);

function send(mayfly: RunningMayfly): Promise<unknown> {
  return transportTo(mayfly).sendMail({
    from: 'a@app.test',
    to: 'demo@inbox.example.com',
    subject: 'Hello',
    text: 'Hello',
  });
}

describe('a service whose store folder is removed', () => {
  test.each([
    { what: 'the folder is deleted', take: (path: string) => rm(path, { recursive: true }) },
    { what: 'the folder is moved', take: (path: string) => rename(path, `${path}-moved`) },
    {
      what: 'the data file is replaced',
      take: async (path: string) => {
        await copyFile(`${path}/data.mdb`, `${path}/copy`);
        await rename(`${path}/copy`, `${path}/data.mdb`);
      },
    },
  ])('reports that it is not ready, and acknowledges no mail: $what', async ({ what, take }) => {
    const path = `${folder.path}/${what.replaceAll(' ', '-')}`;
    const mayfly = await serve(['--store', `lmdb:${path}`, '--fetch-limit', 'off']);
    await send(mayfly);
    expect((await fetch(`${mayfly.url}/readyz`)).status).toBe(200);
    await take(path);
    const readiness = await fetch(`${mayfly.url}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toEqual({ error: 'Not ready: the store is not responding.' });
    await expect(send(mayfly)).rejects.toThrow('451 4.3.0');
    expect(await mayfly.end('SIGTERM')).toBe(0);
  });
});

describe('mayfly waitlist without a store', () => {
  test.each([
    { what: 'no folder', make: async () => {} },
    { what: 'an empty folder', make: (path: string) => mkdir(path) },
  ])('reports that there is no store, and creates nothing: $what', async ({ what, make }) => {
    const path = `${folder.path}/none-${what.length}`;
    await make(path);
    const { exitCode, stdout, stderr } = await runMayfly(['waitlist', '--store', `lmdb:${path}`]);
    expect(stderr).toContain(`--store: there is no store in ${path}.`);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    expect(isThere ? await readdir(path) : []).toEqual([]);
    expect(isThere).toBe(what === 'an empty folder');
  });
});
