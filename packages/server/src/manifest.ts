import { ownFiles } from './own-package.js';

const manifest: { readonly version: string; readonly engines: { readonly node: string } } = JSON.parse(
  ownFiles('.').read('package.json').toString(),
);

export function version(): string {
  return manifest.version;
}

/** The supported Node versions, such as `>=20.19`. */
export function neededNode(): string {
  return manifest.engines.node;
}
