import { ownFiles } from './own-package.js';

let known: { readonly version: string; readonly engines: { readonly node: string } } | undefined;

function manifest() {
  known ??= JSON.parse(ownFiles('.').read('package.json').toString()) as NonNullable<typeof known>;
  return known;
}

export function version(): string {
  return manifest().version;
}

/** The supported Node versions, such as `>=20.19`. */
export function neededNode(): string {
  return manifest().engines.node;
}
