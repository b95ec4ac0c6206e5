/** Checks that deploy/ matches the service and the image, and that HAProxy, Kubernetes and systemd accept it. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { needs } from '../../../../tools/needs.js';
import { ROOT } from '../../../client/test/packed.js';
import '../../src/plugin/installed.js';
import { environmentName, readSettings, settingsOfEnvironment } from '../../src/settings/reading.js';
import { settingNames } from '../../src/settings/table.js';
import { readDockerfile, type Stage } from '../container/dockerfile.js';
import { temporaryFolder } from '../service/process.js';
import { composeServices, DEPLOY, HAPROXY_CFG, readDeploy, readRoot } from './files.js';

const run = promisify(execFile);

const KUBERNETES = ['deployment', 'services', 'disruption-budget', 'network-policy'].map((name) => `${name}.yaml`);

/** The oldest Kubernetes version that supports `preStop: sleep`, and the newest that the tool supports. */
const KUBERNETES_VERSIONS = ['1.30', '1.37'];

/** Where tools/install.js installs kubernetes-validate. */
const VALIDATE = path.join(ROOT, 'node_modules/.cache/kubernetes-validate');

const services = await composeServices();
const image = readDockerfile(await readRoot('Dockerfile')).at(-1) as Stage;

/** Reads the settings of a container with these environment variables. */
const settingsOf = (environment: Readonly<Record<string, string>>) =>
  readSettings(new Map(), settingsOfEnvironment({ ...image.environment, ...environment }));

/** Reads the objects of a Kubernetes file. */
const objectsOf = async (file: string) =>
  parseAllDocuments(await readDeploy(`kubernetes/${file}`)).map((document) => document.toJS());

const [deployment] = await objectsOf('deployment.yaml');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;

test('the service accepts the settings of both compose nodes and of the Kubernetes pod', () => {
  const shared = {
    'store-replicas': 1,
    host: '0.0.0.0',
    'http-port': 8080,
    'smtp-port': 2525,
    metrics: { port: 9464 },
  };
  for (const name of ['mayfly-1', 'mayfly-2']) {
    expect(settingsOf(services[name]?.environment ?? {})).toMatchObject({ ...shared, store: 'redis://valkey:6379' });
  }
  const variables = container.env.map(({ name, value }: { name: string; value: string }) => [name, value]);
  expect(settingsOf({ ...Object.fromEntries(variables), MAYFLY_STORE: 'rediss://a.test' })).toMatchObject(shared);
});

test('the service accepts the example environment files, and rejects the sample key in their comments', async () => {
  for (const file of ['kubernetes/secret.env.example', 'systemd/mayfly.env']) {
    const text = await readDeploy(file);
    expect(settingsOf(variablesOf(text, /^([A-Z_]+)=(.*)$/gm))).toMatchObject({ store: expect.any(String) });
    const all = variablesOf(text, /^#?([A-Z_]+)=(.*)$/gm);
    expect(Object.keys(all).filter((name) => !settingNames().map(environmentName).includes(name))).toEqual([]);
    expect(() => settingsOf(all)).toThrow('MAYFLY_WORKSPACE: "acme=…" is not valid');
  }
});

/** Parses variables, one per line. The groups of `line` are the name and the value. */
function variablesOf(text: string, line: RegExp): Record<string, string> {
  return Object.fromEntries([...text.matchAll(line)].map(([, name, value]) => [name, value]));
}

test('containers of compose and Kubernetes have a read-only file system and no capabilities', () => {
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  }
  const [user, group] = image.user.split(':').map(Number);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: user, runAsGroup: group });
  expect(pod).toMatchObject({ enableServiceLinks: false, automountServiceAccountToken: false });
  expect(pod.securityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});

test.each(KUBERNETES_VERSIONS)(
  'Kubernetes %s accepts the manifests',
  needs('kubernetes-validate', 'python3'),
  async (kubernetes) => {
    const files = KUBERNETES.map((name) => path.join(DEPLOY, 'kubernetes', name));
    const { stdout, stderr } = await run(
      'python3',
      ['-m', 'kubernetes_validate', '--strict', '-k', kubernetes, ...files],
      { env: { ...process.env, PYTHONPATH: VALIDATE } },
    );
    expect((stdout + stderr).match(/ passed for resource /g)).toHaveLength(5);
  },
);

test('HAProxy accepts the configuration', needs('haproxy'), async () => {
  const { stdout, stderr } = await run('haproxy', ['-c', '-f', HAPROXY_CFG]);
  const complaints = (stdout + stderr).split('\n').filter((line) => /ALERT|WARNING/.test(line));
  // This machine cannot resolve the names of the compose file's containers.
  expect(complaints.filter((line) => !line.includes('could not resolve address'))).toEqual([]);
});

test('systemd accepts the unit file, and rates its exposure at 2 of 10 or less', needs('systemd-analyze'), async () => {
  const folder = await temporaryFolder();
  try {
    const unit = path.join(folder.path, 'mayfly.service');
    const text = await readDeploy('systemd/mayfly.service');
    // The executable is not installed on this machine.
    expect(text).toContain('\nExecStart=/usr/bin/mayfly ');
    await writeFile(unit, text.replace('/usr/bin/mayfly', process.execPath));
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
    expect(stdout + stderr).toBe('');
    // The exposure level ranges from 0, the safest, to 10. The option expects ten times the level.
    await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]);
  } finally {
    await folder.remove();
  }
});
