import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { checkTrust } from '../../src/doctor/check-certificate.js';
import { readSettings } from '../../src/settings/reading.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { endAll, runMayfly, temporaryFolder } from '../service/process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder.remove());
afterAll(endAll);

const settings = (cert: string, key: string) =>
  readSettings(
    new Map([
      ['tls-cert', [cert]],
      ['tls-key', [key]],
    ]),
    new Map(),
  );

/** Creates a certificate authority and a certificate that the authority signed, as PEM files in the folder. */
function signed() {
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: folder.path, stdio: 'ignore' });
  const fresh = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  openssl(`req -x509 ${fresh} -keyout ca.key -out ca.pem -subj /CN=Authority -days 30`);
  openssl(`req ${fresh} -keyout key.pem -out request.pem -subj /CN=mail.app.dev`);
  openssl('x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 30');
  const at = (name: string) => `${folder.path}/${name}`;
  return { authority: at('ca.pem'), authorityKey: at('ca.key'), cert: at('cert.pem'), key: at('key.pem') };
}

test('the doctor reports that senders reject a self-signed certificate', async () => {
  const { cert, key } = await selfSigned('mail.app.dev');
  const files = [`${folder.path}/cert.pem`, `${folder.path}/key.pem`] as const;
  await Promise.all([writeFile(files[0], cert), writeFile(files[1], key)]);
  expect(await checkTrust(settings(...files))).toEqual([
    expect.objectContaining({ level: 'warning', text: expect.stringContaining('reject this one: it is self-signed.') }),
  ]);
});

test(
  'the doctor reports a certificate whose chain is incomplete or ends with an unknown authority',
  needs('openssl'),
  async () => {
    const { authority, cert, key } = signed();
    expect((await checkTrust(settings(cert, key)))[0]?.text).toContain('fullchain.pem');
    await writeFile(cert, (await readFile(cert, 'utf8')) + (await readFile(authority, 'utf8')));
    expect((await checkTrust(settings(cert, key)))[0]?.text).toContain('an authority that Node does not know');
  },
);

test(
  'the doctor trusts a certificate from a known authority, and ignores a missing or unreadable certificate',
  needs('openssl'),
  async () => {
    const { authority, cert, key } = signed();
    const args = ['doctor', '--json', '--store', 'memory:', '--tls-cert', cert, '--tls-key', key];
    const ports = ['--http-port', '0', '--smtp-port', '0'];
    const texts = async (environment: Record<string, string>) =>
      (await runMayfly([...args, ...ports], environment)).stdout;
    expect(await texts({})).toContain('reject this one');
    expect(await texts({ NODE_EXTRA_CA_CERTS: authority })).not.toContain('reject this one');
    expect(await checkTrust(readSettings(new Map(), new Map()))).toEqual([]);
    expect(await checkTrust(settings(`${folder.path}/missing`, key))).toEqual([]);
  },
);
