import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Writes files (`{ path: text }`) into a temporary folder, passes the folder to `look`, and removes it. Resolves to the
 * result of `look`.
 */
export async function withTree(files, look) {
  const base = mkdtempSync(path.join(tmpdir(), 'mayfly-tree-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.join(base, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(base, name), text);
    }
    return await look(base);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
