import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

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

/** The path of the folder that holds the documentation pages. */
export function pages(): string {
  return fileURLToPath(new URL('../docs', import.meta.url));
}

let known: Manifest | undefined;

function manifest(): Manifest {
  known ??= JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Manifest;
  return known;
}

type ImportModule = (url: string) => Promise<{ readonly default?: unknown }>;

/** Imports a module by its URL; works in the bundle as well. */
export function importModule(url: string): ReturnType<ImportModule> {
  const run: ImportModule = createRequire(import.meta.url)('../bin/import-module.js');
  return run(url);
}
