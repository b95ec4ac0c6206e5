import type { StatsFs } from 'node:fs';
import { access, constants, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { missingFolders, whyUnusable } from '../base/make-folder.js';
import { checkLmdb, messageOf, openConfiguredStore } from '../settings/resources.js';
import type { Settings } from '../settings/table.js';
import { counted, type Finding, findings } from './finding.js';

const say = findings('store');

/** LMDB reuses deleted space but returns none to the file system, so its file may grow to twice the quota. */
const FILE_PER_BUDGET = 2;

/** Files that may remain of a store whose data file was deleted. The service then creates a new data file. */
const REMAINS: readonly string[] = ['lock.mdb', 'reserve.bin'];

const MIB = 1024 * 1024;

export function folderOf({ store }: Settings): string | null {
  return /^lmdb:(.+)$/.exec(store)?.[1] ?? null;
}

export function dataFile(folder: string) {
  return stat(path.join(folder, 'data.mdb')).catch(() => null);
}

/** Checks that the store can be opened or created, and has room. Leaves no file. */
export async function checkStore(settings: Settings): Promise<Finding[]> {
  const folder = folderOf(settings);
  if (settings.store === 'memory:') return [say.ok`Mail is kept in memory and is lost when the service stops.`];
  if (folder === null) return checkServer(settings);
  const missing = await missingFolders(folder).catch((error: Error) => error);
  if (missing instanceof Error) return [say.problem`--store: ${folder} cannot be used: ${whyUnusable(missing)}`];
  const nearest = missing[0] === undefined ? folder : path.dirname(missing[0]);
  const hasStore = (await dataFile(folder)) !== null;
  const found = hasStore ? () => opened(`in ${folder}`, settings) : () => checkEmpty(folder);
  const finding = (await whyUnwritable(nearest)) ?? (await found());
  return finding.level === 'problem' ? [finding] : [finding, ...(await checkDisk(folder, nearest, settings))];
}

async function checkServer(settings: Settings): Promise<Finding[]> {
  // Shows only the hosts, because the URL contains the password. If the URL is invalid, `opened` reports that.
  const [, hosts = ''] = /^[^/]*\/\/(?:[^/]*@)?([^/@]*)/.exec(settings.store) ?? [];
  const what = /^rediss?\+cluster:/.test(settings.store) ? 'cluster' : 'server';
  const warnings: Finding[] = [];
  const warn = (sentence: string) => warnings.push(say.warning`${sentence}`);
  return [await opened(`on the ${what} ${hosts}`, settings, warn), ...warnings];
}

async function opened(place: string, settings: Settings, warn?: (sentence: string) => void): Promise<Finding> {
  try {
    const { store } = await openConfiguredStore(settings, 'existing', warn);
    try {
      await store.ping();
      const { emails, bytes } = await store.usage();
      const held = `${counted(emails, 'email')} in ${Math.ceil(bytes / MIB)} MiB`;
      return say.ok`The store ${place} can be opened. It holds ${held}.`;
    } finally {
      await store.close();
    }
  } catch (error) {
    return say.problem`${messageOf(error)}`;
  }
}

async function checkEmpty(folder: string): Promise<Finding> {
  const files = await readdir(folder).catch(() => []);
  if (!files.every((file) => REMAINS.includes(file)))
    return say.problem`--store: the folder ${folder} contains other files but no store. Use an empty or a new folder.`;
  return checkLmdb().then(
    () => say.ok`There is no store in ${folder} yet. It is created at the first start.`,
    (error) => say.problem`${messageOf(error)}`,
  );
}

/** Why this user cannot write to a folder, or null. Writes a file, because permissions do not show a read-only disk. */
async function whyUnwritable(folder: string): Promise<Finding | null> {
  const probe = path.join(folder, `.mayfly-doctor-${process.pid}`);
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
    return null;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? messageOf(error);
    return say.problem`--store: this user cannot write in ${folder} (${reason}). Give the folder to the user that runs the service, mount it writable, or use another folder.`;
  }
}

/** File systems on which LMDB cannot share memory safely, by the numbers of statfs(2). */
const DISTANT: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x01021997, '9P, used by virtual machines to share folders'],
  [0x65735546, 'FUSE, used by sshfs, GlusterFS and shared folders'],
]);

/** The network file system that statfs(2) identifies by this magic number; null for a local one. */
export function distantKind(type: number): string | null {
  // Some systems return the number as a signed integer.
  return DISTANT.get(type >>> 0) ?? null;
}

/** Warns if a folder is not on a local disk, where LMDB may lose mail, and checks the free space. */
async function checkDisk(folder: string, nearest: string, settings: Settings): Promise<Finding[]> {
  const disk = await statfs(nearest);
  const kind = distantKind(disk.type);
  const room = checkSpace(folder, settings, disk, (await dataFile(folder))?.size ?? 0);
  if (kind === null) return [room];
  return [
    say.warning`${nearest} is on a network file system (${kind}). LMDB maps its file into memory, and on such a file system it may lose mail. Use a folder on a disk of this machine, or a Redis store.`,
    room,
  ];
}

function checkSpace(folder: string, settings: Settings, { blocks, bavail, bsize }: StatsFs, held: number): Finding {
  const say = findings('disk');
  const [free, most] = [bavail * bsize, settings['store-quota'] * FILE_PER_BUDGET];
  const [freeMib, mostMib] = [free, most].map((bytes) => Math.floor(bytes / MIB));
  if (blocks === 0)
    return say.ok`The file system of ${folder} has no fixed size; the store file may grow to ${mostMib} MiB.`;
  if (free < settings['max-message'] && held < most)
    return say.problem`The disk of ${folder} has ${freeMib} MiB left, too little for the largest message (--max-message). Free some space.`;
  if (free + held < most)
    return say.warning`The disk of ${folder} has ${freeMib} MiB left, but the store file may grow to ${mostMib} MiB, twice --store-quota. Lower --store-quota, or free some space.`;
  return say.ok`The disk of ${folder} has ${freeMib} MiB left; the store file may grow to ${mostMib} MiB.`;
}
