/**
 * Runs deploy/compose.yaml as processes of this machine: HAProxy with the same configuration, nodes with the same
 * settings, Valkey and its replica with the same options. Only addresses differ, and this file sets them.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { expect, vi } from 'vitest';
import { VALKEY } from '../../../../tools/needs.js';
import { type RedisServer, startRedis } from '../../../store-redis/test/redis-server.js';
import { freePort } from '../ports.js';
import { type RunningMayfly, serve } from '../service/process.js';
import { startHaproxyWith } from '../smtp/haproxy.js';
import { composeServices, HAPROXY_CFG, haproxyAddress } from './files.js';

const HERE = '127.0.0.1';

/** Time limit for the replica to become available. */
const PATIENCE_MS = 120_000;

const PROGRAM = VALKEY ?? 'redis-server';

const services = await composeServices();

/** The Redis servers that the nodes share. */
export interface Shared {
  readonly master: RedisServer;
  readonly replica: RedisServer;
  /** Starts a new replica after the old one ended. */
  newReplica(): Promise<RedisServer>;
}

/** HAProxy and its nodes. */
export interface Topology {
  readonly nodes: readonly [RunningMayfly, RunningMayfly];
  /** The HTTP address for clients. */
  readonly url: string;
  readonly smtpPort: number;
  readonly domain: string;
  /** The node of each HTTP or SMTP connection in HAProxy's log, in the order in which the connections ended. */
  served(kind: 'http' | 'smtp'): string[];
  /** Whether HAProxy has noticed that the first node accepts no new connections. */
  isFirstDown(): boolean;
  /** Stops HAProxy; the nodes stop with the other processes of the test. */
  end(): Promise<void>;
}

/** Starts master and replica, and resolves when they are connected. */
export async function startShared(): Promise<Shared> {
  const master = await startRedis({ program: PROGRAM, args: optionsOf('valkey', {}) });
  const newReplica = () =>
    startRedis({ program: PROGRAM, args: optionsOf('valkey-replica', { valkey: HERE, '6379': `${master.port}` }) });
  const replica = await newReplica();
  // `expect.poll` does not work in hooks.
  const isServed = async () =>
    expect(await master.command('INFO', 'replication')).toContain('min_slaves_good_slaves:1');
  await vi.waitFor(isServed, { timeout: PATIENCE_MS });
  return { master, replica, newReplica };
}

/** Returns the options of a server in the compose file, with these addresses in place of the file's. */
function optionsOf(name: string, addresses: Readonly<Record<string, string>>): string[] {
  const [program, ...options] = services[name]?.command ?? [];
  expect(program).toBe('valkey-server');
  const at = options.indexOf('--replicaof') + 1;
  return options.map((option, i) => (at > 0 && (i === at || i === at + 1) ? (addresses[option] ?? option) : option));
}

/** Returns the settings of a node in the compose file, with the addresses of this machine. */
function settingsOf(name: string, master: RedisServer): Record<string, string> {
  const settings = { ...services[name]?.environment };
  const moved = (setting: string, from: string, to: string) => {
    expect(settings[setting], setting).toBe(from);
    settings[setting] = to;
  };
  moved('MAYFLY_STORE', 'redis://valkey:6379', `redis://${HERE}:${master.port}`);
  moved('MAYFLY_TRUST_PROXY', haproxyAddress(services), HERE);
  moved('MAYFLY_SMTP_PROXY', haproxyAddress(services), HERE);
  moved('MAYFLY_METRICS', '0.0.0.0:9464', `${HERE}:0`);
  return settings;
}

/** Starts two nodes and HAProxy in front of them. `changed` overrides settings. */
export async function startTopology({ master }: Shared, changed: Record<string, string> = {}): Promise<Topology> {
  const names = Object.keys(services).filter((name) => name.startsWith('mayfly-'));
  expect(names).toEqual(['mayfly-1', 'mayfly-2']);
  const [one, two] = await Promise.all(names.map((name) => serve([], { ...settingsOf(name, master), ...changed })));
  if (one === undefined || two === undefined) throw new Error('There are no two nodes.');
  const [httpPort, smtpPort] = [await freePort(), await freePort()];
  const haproxy = await startHaproxyWith(HAPROXY_CFG, [httpPort, smtpPort], {
    HTTP_BIND: `${HERE}:${httpPort}`,
    SMTP_BIND: `${HERE}:${smtpPort}`,
    NODE_1_HTTP: new URL(one.url).host,
    NODE_2_HTTP: new URL(two.url).host,
    NODE_1_SMTP: `${HERE}:${one.smtpPort}`,
    NODE_2_SMTP: `${HERE}:${two.smtpPort}`,
  });
  const url = `http://${HERE}:${httpPort}`;
  await expect.poll(() => statusOf(url, '/readyz').catch(String)).toBe(200);
  // Waits until HAProxy has logged that request, which would otherwise be counted during a test.
  await expect.poll(haproxy.output).toMatch(/ http node-\d GET 200 /);
  return {
    nodes: [one, two],
    url,
    smtpPort,
    domain: services['mayfly-1']?.environment?.MAYFLY_DOMAIN ?? '',
    served: (kind) =>
      [...haproxy.output().matchAll(new RegExp(` ${kind} (node-\\d) `, 'g'))].map(([, node = '']) => node),
    isFirstDown: () => haproxy.output().includes('Server http/node-1 is DOWN'),
    end: () => haproxy.end(),
  };
}

/** Sends a request from a local address, and resolves to the status. */
export async function statusOf(
  url: string,
  path: string,
  {
    localAddress = HERE,
    headers = {},
  }: { readonly localAddress?: string; readonly headers?: Record<string, string> } = {},
): Promise<number> {
  const asking = request(url + path, { localAddress, headers, agent: false }).end();
  const [answer] = await once(asking, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}
