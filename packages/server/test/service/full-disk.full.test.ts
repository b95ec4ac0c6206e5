import { afterEach, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { endAll, fetchInbox, type RunningMayfly, runMayfly, serve, temporaryFolder, transportTo } from './process.js';

const MIB = 1024 * 1024;

const FULL = /452 4\.3\.1 The disk of the service is full: /;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

/** Returns a command that runs `command` in a separate mount namespace where `folder` is a tmpfs of this many bytes. */
function onSmallDisk(folder: string, bytes: number, command: readonly string[]): string[] {
  return ['bwrap', '--dev-bind', '/', '/', '--die-with-parent', '--size', `${bytes}`, '--tmpfs', folder, ...command];
}

afterEach(async () => {
  endAll();
  await folder.remove();
});

const text = 'x'.repeat(76).concat('\n').repeat(1_000);

async function send(mayfly: RunningMayfly, inbox: string): Promise<string> {
  const mail = { from: 'a@app.test', to: `${inbox}@inbox.example.com`, subject: 's', text };
  return transportTo(mayfly)
    .sendMail(mail)
    .then(
      ({ response }) => response,
      (error: Error) => error.message,
    );
}

/** Sends to ten inboxes in turn until a message is rejected, and resolves to the reply. */
async function fill(mayfly: RunningMayfly): Promise<string> {
  for (let n = 0; ; n += 1) {
    const answer = await send(mayfly, `inbox-${n % 10}`);
    if (!answer.startsWith('250')) return answer;
  }
}

async function readiness({ url }: RunningMayfly): Promise<[number, string | null]> {
  const { status, headers } = await fetch(`${url}/readyz`);
  return [status, headers.get('mayfly-error')];
}

const linesWith = ({ log }: RunningMayfly, what: string) =>
  log()
    .split('\n')
    .filter((line) => line.includes(what));

test(
  'a service with a full disk rejects mail, is not ready, and recovers once mail is deleted',
  needs('mounts by bwrap'),
  async () => {
    folder = await temporaryFolder();
    const mayfly = await serve(
      ['--store', `lmdb:${folder.path}/store`, '--read-limit', 'off', '--max-emails', '10000'],
      {},
      { prefix: onSmallDisk(folder.path, 24 * MIB, []) },
    );
    expect(await fill(mayfly)).toMatch(FULL);
    expect(await send(mayfly, 'another')).toMatch(FULL);
    expect(await readiness(mayfly)).toEqual([503, 'disk-full']);
    expect((await fetch(`${mayfly.url}/healthz`)).status).toBe(200);
    expect(linesWith(mayfly, 'is full: mail is refused')).toHaveLength(1);
    expect(linesWith(mayfly, 'Storing a message failed')).toEqual([]);
    const before = await fetchInbox(mayfly, 'inbox-3');
    expect(before.count).toBeGreaterThan(5);

    const clear = (inbox: string) => fetch(`${mayfly.url}/api/inbox/${inbox}`, { method: 'DELETE' });
    for (const n of [0, 1, 2]) expect((await clear(`inbox-${n}`)).status).toBe(204);
    expect(await send(mayfly, 'another')).toMatch(/^250 /);
    expect(await readiness(mayfly)).toEqual([200, null]);
    expect(linesWith(mayfly, 'has space again')).toHaveLength(1);
    expect(await fetchInbox(mayfly, 'inbox-3')).toEqual(before);

    // Freed space is reused repeatedly, even if emails are deleted one by one.
    for (const inbox of ['inbox-3', 'inbox-4', 'inbox-5']) {
      expect(await fill(mayfly)).toMatch(FULL);
      const { emails } = await fetchInbox(mayfly, inbox);
      expect(emails.length).toBeGreaterThan(5);
      for (const { receivedAt } of emails) {
        expect((await fetch(`${mayfly.url}/api/inbox/${inbox}/${receivedAt}`, { method: 'DELETE' })).status).toBe(204);
      }
      expect(await send(mayfly, 'another')).toMatch(/^250 /);
    }
    expect(linesWith(mayfly, 'is full: mail is refused')).toHaveLength(1);
  },
);

/** The start of a command line whose rest runs in a mount namespace where `folder` is a file system without a size. */
const onEndlessDisk = (folder: string) => [
  ...['unshare', '--map-root-user', '--mount', 'sh', '-c'],
  ...['mount -t tmpfs -o size=0 none "$0" && exec "$@"', folder],
];

test(
  'neither the start nor the doctor treats a file system without a fixed size as full',
  needs('mounts by unshare'),
  async () => {
    folder = await temporaryFolder();
    const prefix = onEndlessDisk(folder.path);
    const store = ['--store', `lmdb:${folder.path}/store`];
    const { stdout } = await runMayfly(['doctor', ...store], {}, { prefix });
    expect(stdout).toMatch(/The file system of \S+ has no fixed size; the store file may grow to \d+ MiB\./);
    expect(stdout).not.toContain('MiB left');
    const mayfly = await serve(store, {}, { prefix });
    expect(await readiness(mayfly)).toEqual([200, null]);
    expect(await send(mayfly, 'demo')).toMatch(/^250 /);
    expect(linesWith(mayfly, 'is full')).toEqual([]);
  },
);

test('a store that reaches the file size limit of the process rejects mail as if the disk were full', async () => {
  folder = await temporaryFolder();
  const prefix = ['sh', '-c', 'ulimit -f 20000; exec "$@"', 'sh'];
  const mayfly = await serve(['--store', `lmdb:${folder.path}/store`, '--max-emails', '10000'], {}, { prefix });
  expect(await fill(mayfly)).toMatch(FULL);
  expect(await readiness(mayfly)).toEqual([503, 'disk-full']);
  expect(linesWith(mayfly, 'is full: mail is refused')).toHaveLength(1);
  expect(linesWith(mayfly, 'Storing a message failed')).toEqual([]);
  for (const n of [0, 1, 2]) {
    expect((await fetch(`${mayfly.url}/api/inbox/inbox-${n}`, { method: 'DELETE' })).status).toBe(204);
  }
  expect(await send(mayfly, 'another')).toMatch(/^250 /);
  expect(await readiness(mayfly)).toEqual([200, null]);
});
