import { createRequire } from 'node:module';

type ImportModule = (url: string) => Promise<{ readonly default?: unknown }>;

/** Imports a module by its URL, from the bundle, too. */
export function importModule(url: string): ReturnType<ImportModule> {
  const run: ImportModule = createRequire(import.meta.url)('../bin/import-module.js');
  return run(url);
}
