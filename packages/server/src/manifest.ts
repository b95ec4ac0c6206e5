import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

let known: Manifest | undefined;

export function version(): string {
  return manifest().version;
}

/** The Node versions it supports, such as `>=20.19`. */
export function neededNode(): string {
  return manifest().engines.node;
}

function manifest(): Manifest {
  known ??= JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Manifest;
  return known;
}
