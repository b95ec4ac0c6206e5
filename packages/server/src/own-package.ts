import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn } from 'mayfly-cli';

// In the executable, executable/embedded-package.ts replaces this module.

const FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** How users start Mayfly, and the program that the system sees. */
export const PROGRAM = { start: 'npx mayfly-inbox', name: 'Node', file: 'node' };

/** The code of a parser thread: its file, or its source. */
export const WORKER: URL | string = new URL('./worker.js', import.meta.url);

/** A folder of this package. */
export interface Files {
  names(): string[];
  /** The bytes must not be changed. */
  read(name: string): Buffer;
}

export function ownFiles(folder: '.' | 'api' | 'docs' | 'page'): Files {
  return filesIn(path.join(FOLDER, folder));
}

/** Imports a module by its URL; works in the bundle as well. */
export function importModule(url: string): Promise<{ readonly default?: unknown }> {
  return createRequire(import.meta.url)('../bin/import-module.js')(url);
}
