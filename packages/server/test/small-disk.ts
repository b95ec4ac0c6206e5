/** Runs a command in a mount of its own: `folder` is a file system in memory that takes so many bytes. */
export function onSmallDisk(folder: string, bytes: number, command: readonly string[]): string[] {
  return ['bwrap', '--dev-bind', '/', '/', '--die-with-parent', '--size', `${bytes}`, '--tmpfs', folder, ...command];
}
