/** What stands in deploy/ agrees with itself, with the service, with the image and with what HAProxy, Kubernetes and systemd take. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { needs } from '../../../../tools/needs.js';
import { ROOT } from '../../../client/test/packed.js';
import { environmentName, readSettings, settingNames, settingsOfEnvironment } from '../../src/settings/reading.js';
import { SETTINGS } from '../../src/settings/table.js';
import { readDockerfile, type Stage } from '../container/dockerfile.js';
import { temporaryFolder } from '../service/process.js';
import { composeServices, DEPLOY, HAPROXY_CFG, haproxyAddress, readDeploy, readRoot } from './files.js';

const run = promisify(execFile);

const KUBERNETES = ['deployment', 'services', 'disruption-budget', 'network-policy'].map((name) => `${name}.yaml`);

/** The version of Kubernetes that the manifests need, for `preStop: sleep`, and the newest that the tool knows. */
const KUBERNETES_VERSIONS = ['1.30', '1.37'];

/** Where tools/install.js puts it. */
const VALIDATE = path.join(ROOT, 'node_modules/.cache/kubernetes-validate');

const services = await composeServices();
const { version, repository } = JSON.parse(await readRoot('package.json'));
/** `owner/name`, in small letters once it is no placeholder. */
const NAME = /github\.com\/(.*)\.git$/.exec(repository.url)?.[1] ?? '';
const IMAGE = `ghcr.io/${NAME.startsWith('OWNER/') ? NAME : NAME.toLowerCase()}:${version.split('.').slice(0, 2).join('.')}`;
const image = readDockerfile(await readRoot('Dockerfile')).at(-1) as Stage;

/** What a container with these variables is set to. */
const settingsOf = (environment: Readonly<Record<string, string>>) =>
  readSettings(new Map(), settingsOfEnvironment({ ...image.environment, ...environment }));

/** The objects of a Kubernetes file. */
const objectsOf = async (file: string) =>
  parseAllDocuments(await readDeploy(`kubernetes/${file}`)).map((document) => document.toJS());

const [deployment] = await objectsOf('deployment.yaml');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;

test('every node of the compose file and the pod have settings with which the service starts', () => {
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

test('the files of variables are settings with which the service starts, and a key that was only copied is none', async () => {
  for (const file of ['kubernetes/secret.env.example', 'systemd/mayfly.env']) {
    const text = await readDeploy(file);
    expect(settingsOf(variablesOf(text, /^([A-Z_]+)=(.*)$/gm))).toMatchObject({ store: expect.any(String) });
    const all = variablesOf(text, /^#?([A-Z_]+)=(.*)$/gm);
    expect(Object.keys(all).filter((name) => !settingNames().map(environmentName).includes(name))).toEqual([]);
    expect(() => settingsOf(all)).toThrow('MAYFLY_WORKSPACE: "acme=…" is not valid');
  }
});

/** The variables of a text that has one in a line. */
function variablesOf(text: string, line: RegExp): Record<string, string> {
  return Object.fromEntries([...text.matchAll(line)].map(([, name, value]) => [name, value]));
}

test('every variable and flag of ours that docs/scaling.md names is a setting, and every file of deploy/ is there', async () => {
  const text = await readRoot('docs/scaling.md');
  const variables = [...text.matchAll(/\bMAYFLY_[A-Z_]+/g)].map(([name]) => name);
  expect(variables.length).toBeGreaterThan(5);
  expect(variables.filter((name) => !settingNames().map(environmentName).includes(name))).toEqual([]);
  // What begins a piece of code; within one, the flags may be of other programs.
  const flags = [...text.matchAll(/`--([a-z-]+)/g)].map(([, name]) => name ?? '');
  expect(flags.length).toBeGreaterThan(5);
  expect(new Set(flags.filter((name) => !(name in SETTINGS)))).toEqual(new Set(['replicaof']));
  for (const [, file] of text.matchAll(/`deploy\/([\w./-]+)`/g))
    expect(existsSync(path.join(DEPLOY, file ?? ''))).toBe(true);
});

test('the image is named with this version', () => {
  const named = [services['mayfly-1'], services['mayfly-2'], container].map((one) => one?.image);
  expect(named).toEqual([IMAGE, IMAGE, IMAGE]);
});

test('ports lead to those of the image', async () => {
  const [smtp, http] = [SETTINGS['smtp-port'].default, SETTINGS['http-port'].default];
  expect(image.ports.map(String)).toEqual([smtp, http]);
  const haproxy = await readDeploy('haproxy.cfg');
  for (const [kind, port] of [
    ['HTTP', http],
    ['SMTP', smtp],
  ]) {
    const found = [...haproxy.matchAll(new RegExp(`"\\$\\{NODE_\\d_${kind}-([^}]*)\\}"`, 'g'))].map(
      ([, address]) => address,
    );
    expect(found).toEqual([`mayfly-1:${port}`, `mayfly-2:${port}`]);
    expect(haproxy).toContain(`bind "\${${kind}_BIND-:${port}}"`);
  }
  expect(services.haproxy?.ports).toEqual([`25:${smtp}`, `127.0.0.1:${http}:${http}`]);
  const ports = new Map(
    container.ports.map((port: { name: string; containerPort: number }) => [port.name, port.containerPort]),
  );
  expect([...ports]).toEqual([
    ['smtp', Number(smtp)],
    ['http', Number(http)],
    ['metrics', 9464],
  ]);
  const [policy] = await objectsOf('network-policy.yaml');
  const reached = [...(await objectsOf('services.yaml')), policy].flatMap(({ spec }) => [
    ...(spec.ports ?? []).map((port: { targetPort: string }) => port.targetPort),
    ...(spec.ingress ?? []).flatMap((rule: { ports: { port: string }[] }) => rule.ports.map(({ port }) => port)),
  ]);
  expect(reached).toEqual(['http', 'smtp', 'smtp', 'http', 'metrics']);
});

test('two pods never share a host, and have the memory that the default bounds take', () => {
  const [host] = pod.topologySpreadConstraints;
  expect(host).toMatchObject({
    topologyKey: 'kubernetes.io/hostname',
    maxSkew: 1,
    minDomains: deployment.spec.replicas,
    whenUnsatisfiable: 'DoNotSchedule',
    // Otherwise pods of the version that leaves would make room for two of the next on one host.
    matchLabelKeys: ['pod-template-hash'],
  });
  const settings = settingsOf({});
  const [streamBytes, toStoreBytes, processBytes] = [13.5 * 1024, 64 * 1024 ** 2, 256 * 1024 ** 2];
  const needed = settings.streams * streamBytes + settings['max-in-flight'] + toStoreBytes + processBytes;
  const mebibytes = Number(/^(\d+)Mi$/.exec(container.resources.limits.memory)?.[1]);
  expect(mebibytes * 1024 ** 2).toBeGreaterThan(1.5 * needed);
});

test('pods may reach the store that the example names, with TLS and in a cluster', async () => {
  const [policy] = await objectsOf('network-policy.yaml');
  const ports = policy.spec.egress.flatMap((rule: { ports: object[] }) => rule.ports);
  const example = /^MAYFLY_STORE=(\S+)$/m.exec(await readDeploy('kubernetes/secret.env.example'))?.[1] ?? '';
  for (const port of [{ port: Number(new URL(example).port) }, { port: 6380 }, { port: 7000, endPort: 7005 }]) {
    expect(ports).toContainEqual(port);
  }
});

test('HAProxy is believed by its address alone, which is its own', () => {
  const address = haproxyAddress(services);
  expect(services['mayfly-1']?.environment).toMatchObject({ MAYFLY_TRUST_PROXY: address, MAYFLY_SMTP_PROXY: address });
});

test('nothing has more rights than it needs', () => {
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

test('whoever stops a node gives it the time that it takes', () => {
  const graceSeconds = 10 + 11;
  expect(Number.parseInt(`${services['mayfly-1']?.stop_grace_period}`, 10)).toBeGreaterThan(graceSeconds);
  const { seconds } = container.lifecycle.preStop.sleep;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(seconds + graceSeconds);
});

test('what is selected is what is there', async () => {
  const { labels } = deployment.spec.template.metadata;
  const selectors = [
    deployment.spec.selector.matchLabels,
    ...(await objectsOf('services.yaml')).map(({ spec }) => spec.selector),
    ...(await objectsOf('disruption-budget.yaml')).map(({ spec }) => spec.selector.matchLabels),
    ...(await objectsOf('network-policy.yaml')).map(({ spec }) => spec.podSelector.matchLabels),
    ...pod.topologySpreadConstraints.map(
      (one: { labelSelector: { matchLabels: object } }) => one.labelSelector.matchLabels,
    ),
  ];
  expect(selectors).toEqual(Array(7).fill(labels));
  const [{ resources, secretGenerator }] = await objectsOf('kustomization.yaml');
  expect(resources).toEqual(KUBERNETES);
  const files = await readdir(path.join(DEPLOY, 'kubernetes'));
  expect(files.sort()).toEqual([...KUBERNETES, 'kustomization.yaml', 'secret.env.example'].sort());
  expect(secretGenerator).toEqual([{ name: container.envFrom[0].secretRef.name, envs: ['secret.env'] }]);
});

test.each(KUBERNETES_VERSIONS)(
  'the manifests are such to Kubernetes %s',
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

test('the configuration pleases HAProxy', needs('haproxy'), async () => {
  const { stdout, stderr } = await run('haproxy', ['-c', '-f', HAPROXY_CFG]);
  const complaints = (stdout + stderr).split('\n').filter((line) => /ALERT|WARNING/.test(line));
  // Here there are no containers of these names.
  expect(complaints.filter((line) => !line.includes('could not resolve address'))).toEqual([]);
});

test('the unit pleases systemd, which finds little to attack', needs('systemd-analyze'), async () => {
  const folder = await temporaryFolder();
  try {
    const unit = path.join(folder.path, 'mayfly.service');
    const text = await readDeploy('systemd/mayfly.service');
    // Node may be elsewhere here.
    expect(text).toContain('\nExecStart=/usr/bin/node ');
    await writeFile(unit, text.replace('/usr/bin/node', process.execPath));
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
    expect(stdout + stderr).toBe('');
    // From 0, for what can do nothing, to 10; the tool takes it ten times.
    await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]);
  } finally {
    await folder.remove();
  }
});
