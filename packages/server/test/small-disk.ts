/** Returns a command that runs `command` in a separate mount namespace where `folder` is a tmpfs of this many bytes. */
export function onSmallDisk(folder: string, bytes: number, command: readonly string[]): string[] {
  return ['bwrap', '--dev-bind', '/', '/', '--die-with-parent', '--size', `${bytes}`, '--tmpfs', folder, ...command];
}
