// On what a benchmark ran.
import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import os from 'node:os';

/** File systems by the number that Linux gives them: whether a sync reaches a disk depends on it. */
const FILE_SYSTEMS = {
  61267: 'ext4',
  16914836: 'tmpfs',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  2035054128: 'overlay',
};

/** The machine and the versions, each a `[name, value]`. */
export function machine() {
  const [cpu] = os.cpus();
  return [
    [
      'Processor',
      `${cpu?.model.trim() ?? 'unknown'}, ${os.availableParallelism()} cores, shared with the load generator`,
    ],
    ['Memory', `${Math.round(os.totalmem() / 2 ** 30)} GB`],
    ['File system of the store', fileSystemOf(os.tmpdir())],
    ['System', `${os.type()} ${os.release()}, ${process.arch}`],
    ['Node', process.versions.node],
    ['Postfix', versionOf('postconf', ['-d', '-h', 'mail_version'], /\S+/)],
    ['Redis', versionOf('redis-server', ['--version'], /(?<=\bv=)\S+/)],
  ];
}

function fileSystemOf(folder) {
  const { type } = statfsSync(folder);
  return FILE_SYSTEMS[type] ?? `number 0x${type.toString(16)}`;
}

function versionOf(program, args, version) {
  try {
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
    const said = execFileSync(program, args, { env, encoding: 'utf8', stdio: 'pipe' });
    return version.exec(said)?.[0] ?? 'unknown';
  } catch {
    return 'not installed';
  }
}
