import { ownFiles } from './own-package.js';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

export function version(): string {
  return manifest().version;
}

/** The supported Node versions, such as `>=20.19`. */
export function neededNode(): string {
  return manifest().engines.node;
}

let known: Manifest | undefined;

function manifest(): Manifest {
  known ??= JSON.parse(ownFiles('.').read('package.json').toString()) as Manifest;
  return known;
}
