import { spawnSync } from 'node:child_process';

/** Runs a command in a mount of its own: `folder` is a file system in memory that takes so many bytes. */
export function onSmallDisk(folder: string, bytes: number, command: readonly string[]): string[] {
  return ['bwrap', '--dev-bind', '/', '/', '--die-with-parent', '--size', `${bytes}`, '--tmpfs', folder, ...command];
}

/** Whether this user may have such a mount here. In CI it must be so. */
export const hasSmallDisks =
  process.env.CI === 'true' || spawnSync('bwrap', ['--dev-bind', '/', '/', '--tmpfs', '/mnt', 'true']).status === 0;
