// Whether what a build step made is younger than all that it was made of, so that the step has nothing to do. Steps are
// repeated by each npm script that needs the build.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** A new version of a package changes this file. */
export const PACKAGES = 'node_modules/.package-lock.json';

const ENDINGS = ['.js', '.ts', '.tsx', '.css', '.svg'];

/** `sources` are files, and folders with all that is in them. */
export function isUpToDate(made, sources) {
  const madeAt = timeOf(made);
  const files = sources.flatMap((source) => filesOf(source));
  return files.every((file) => timeOf(file) < madeAt);
}

function filesOf(source) {
  if (!existsSync(source) || !statSync(source).isDirectory()) return [source];
  const files = readdirSync(source, { recursive: true }).filter((name) => ENDINGS.some((one) => name.endsWith(one)));
  // The folder itself is younger if a file was removed.
  return [source, ...files.map((name) => path.join(source, name))];
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
