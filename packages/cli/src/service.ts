import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * The file of the service's command if the service's package can be resolved from one of these folders. Both packages
 * install a command named `mayfly`; in a project with both, it may be the client's, which lacks the service's commands.
 */
export function serviceCommand(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const manifest = manifestOfService(folder);
    if (manifest === undefined) continue;
    const { bin }: { bin?: { mayfly?: string } } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (bin?.mayfly !== undefined) return path.join(path.dirname(manifest), bin.mayfly);
  }
  return undefined;
}

function manifestOfService(folder: string): string | undefined {
  try {
    return createRequire(path.join(folder, 'anywhere.js')).resolve('mayfly-inbox/package.json');
  } catch {
    return undefined;
  }
}
