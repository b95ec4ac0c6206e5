// Redis servers for benchmarks: processes of their own on free ports, which end with the benchmark.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMsOf } from './cpu.js';
import { freePort, listens } from './ports.js';
import { endProgram, runProgram, startProgram } from './programs.js';

const SERVER = { debianPackage: 'redis-server' };
const CLIENT = { debianPackage: 'redis-tools' };

/** How often and how many times it is asked whether a server listens, or is as it is to be. */
const ASK_EVERY_MS = 20;
const ASK_TIMES = 1_500;

/** Nothing is written down unless that is asked for, and a replica is not kept waiting for others. */
const QUIET = ['--save', '', '--repl-diskless-sync-delay', '0'];

/** Where servers that run write, so that nothing outlives the benchmark, however it ends. */
const folders = new Set();
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A Redis server that runs. */
export class Redis {
  #child;
  #folder;

  constructor(child, port, folder) {
    this.#child = child;
    this.#folder = folder;
    this.port = port;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Milliseconds of processor time that it has used so far. */
  cpuMs() {
    return cpuMsOf(this.#child.pid);
  }

  /** Resolves to what the server prints of a command. */
  async command(...args) {
    return (await runProgram('redis-cli', ['-p', String(this.port), ...args], CLIENT)).trimEnd();
  }

  /** Resolves to a number of the server's own, by its section and name. */
  async number(section, name) {
    const value = new RegExp(`^${name}:(\\d+)`, 'm').exec(await this.command('INFO', section))?.[1];
    if (value === undefined) throw new Error(`redis-server tells no ${name}.`);
    return Number(value);
  }

  /** Resolves to the bytes of memory that its data and its connections take. */
  usedBytes() {
    return this.number('memory', 'used_memory');
  }

  /** Resolves to how often each command was run since the server began, by name. */
  async calls() {
    const lines = (await this.command('INFO', 'commandstats')).matchAll(/^cmdstat_(\S+):calls=(\d+)/gm);
    return new Map([...lines].map(([, name, calls]) => [name, Number(calls)]));
  }

  async stop() {
    await endProgram(this.#child);
    folders.delete(this.#folder);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Starts a server with these flags. It keeps nothing on disk unless it is told to. Rejects with `MissingProgramError`.
 */
export async function startRedis(...flags) {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-bench-redis-'));
  const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const child = await startProgram('redis-server', [...where, ...QUIET, ...flags], SERVER);
  folders.add(folder);
  await until(async () => child.exitCode === null && listens(port), 'redis-server does not listen');
  return new Redis(child, port, folder);
}

/** Starts a replica of a server and resolves once it has all that the server has. */
export async function startReplica({ port }) {
  const replica = await startRedis('--replicaof', '127.0.0.1', String(port));
  const isUp = async () => (await replica.command('INFO', 'replication')).includes('master_link_status:up');
  await until(isUp, 'the replica does not follow');
  return replica;
}

/** Starts the masters of a cluster, which share its slots, and resolves to them once each knows all. */
export async function startCluster(count) {
  const masters = [];
  for (let n = 0; n < count; n++) masters.push(await startRedis('--cluster-enabled', 'yes'));
  const addresses = masters.map(({ port }) => `127.0.0.1:${port}`);
  await runProgram('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], CLIENT);
  for (const master of masters) {
    const isWhole = async () => (await master.command('CLUSTER', 'INFO')).includes('cluster_state:ok');
    await until(isWhole, 'the cluster has slots that nobody serves');
  }
  return masters;
}

async function until(isSo, otherwise) {
  for (let asked = 0; !(await isSo()); asked++) {
    if (asked === ASK_TIMES) throw new Error(`${otherwise}.`);
    await delay(ASK_EVERY_MS);
  }
}
