/** Runs a command in a separate mount namespace, where `folder` is a file system in memory of this many bytes. */
export function onSmallDisk(folder: string, bytes: number, command: readonly string[]): string[] {
  return ['bwrap', '--dev-bind', '/', '/', '--die-with-parent', '--size', `${bytes}`, '--tmpfs', folder, ...command];
}
