import type * as OwnPackage from '../own-package.js';

// Replaces ../own-package.ts in the executable.

interface Embedded {
  readonly assets: OwnPackage.Files;
  readonly importModule: typeof OwnPackage.importModule;
}

/** packages/server/executable/bundle-loader.js sets this. */
const EMBEDDED = Symbol.for('mayfly-inbox/embedded');

const { assets, importModule } = (globalThis as unknown as Record<symbol, Embedded>)[EMBEDDED] as Embedded;

export { importModule };

export const PROGRAM: typeof OwnPackage.PROGRAM = { start: 'mayfly', name: 'Mayfly', file: 'mayfly' };

export const WORKER = assets.read('main.js').toString();

export function ownFiles(folder: string): OwnPackage.Files {
  const below = folder === '.' ? '' : `${folder}/`;
  return {
    names: () => assets.names().flatMap((name) => (name.startsWith(below) ? name.slice(below.length) : [])),
    read: (name) => assets.read(below + name),
  };
}
