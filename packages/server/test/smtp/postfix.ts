import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns a `master.cf` with which Postfix accepts messages on this port and relays them. */
const services = (port: number) =>
  [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
    'smtp unix - - n - - smtp',
    ...['error', 'retry'].map((name) => `${name} unix - - n - - error`),
    'scache unix - - n - 1 scache',
    'anvil unix - - n - 1 anvil',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'proxymap unix - - n - - proxymap',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');

export interface RunningPostfix {
  stop(): Promise<void>;
}

/** Starts Postfix, which relays all mail from a loopback port to another. */
export async function startPostfix(port: number, relayTo: number, more: readonly string[]): Promise<RunningPostfix> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-postfix-'));
  chmodSync(folder, 0o755);
  for (const name of ['etc', 'queue', 'data']) mkdirSync(path.join(folder, name));
  await run('chown', ['postfix', path.join(folder, 'data')]);
  const settings = [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    `maillog_file = ${folder}/queue/log`,
    `maillog_file_prefixes = ${folder}`,
    'inet_interfaces = loopback-only',
    'inet_protocols = ipv4',
    'mydestination =',
    'myhostname = app.test',
    'mynetworks = 127.0.0.0/8',
    `relayhost = [127.0.0.1]:${relayTo}`,
    ...more,
    '',
  ];
  writeFileSync(path.join(folder, 'etc', 'main.cf'), settings.join('\n'));
  writeFileSync(path.join(folder, 'etc', 'master.cf'), services(port));
  await run('postfix', ['-c', path.join(folder, 'etc'), 'start']);
  return {
    async stop() {
      await run('postfix', ['-c', path.join(folder, 'etc'), 'stop']).catch(() => {});
      rmSync(folder, { recursive: true });
    },
  };
}
