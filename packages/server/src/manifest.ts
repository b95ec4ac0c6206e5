import { ownFiles } from './own-package.js';

/** `engines.node` has the supported versions of Node, such as `>=20.19`. */
export const manifest: { readonly version: string; readonly engines: { readonly node: string } } = JSON.parse(
  ownFiles('.').read('package.json').toString(),
);
