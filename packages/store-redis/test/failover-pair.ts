import { expect } from 'vitest';
import type { Store } from '../../server/src/store/store.js';
import { ROOMY, storeAt } from '../../server/test/store/mail.js';
import { type RedisProxy, startProxy } from './proxy.js';
import { type RedisServer, startRedis } from './redis-server.js';

/** A master and its replica. A test may swap their roles. */
export interface Pair {
  /** The proxy between the master and its replica. Between its `hold` and `release`, the replica receives nothing. */
  readonly link: RedisProxy;
  /** The URL of an unused database, at an address that always leads to the current master. */
  newUrl(): string;
  /** Sends a command to the database of the most recent URL. */
  command(...args: string[]): Promise<string>;
  /** Promotes the replica; writes that it lacks are lost. Resolves once the old master replicates the new one. */
  failOver(): Promise<void>;
  end(): Promise<unknown>;
}

export async function startPair(): Promise<Pair> {
  let master: RedisServer = await startRedis();
  const [front, link] = await Promise.all([startProxy(master.port), startProxy(master.port)]);
  let replica: RedisServer = await startRedis({ args: ['--replicaof', '127.0.0.1', `${link.port}`] });
  const isLinked = () => expect.poll(() => replica.command('INFO', 'replication')).toContain('master_link_status:up');
  await isLinked();
  let databases = 0;
  return {
    link,
    newUrl: () => `redis://127.0.0.1:${front.port}/${databases++}`,
    command: (...args) => master.command('-n', `${databases - 1}`, ...args),
    async failOver() {
      await replica.command('REPLICAOF', 'NO', 'ONE');
      link.serverPort = replica.port;
      link.cut();
      link.release();
      front.serverPort = replica.port;
      front.cut();
      [master, replica] = [replica, master];
      await replica.command('REPLICAOF', '127.0.0.1', `${link.port}`);
      await isLinked();
    },
    end: () => Promise.all([front.close(), link.close(), master.end('SIGKILL'), replica.end('SIGKILL')]),
  };
}

/** Two nodes on the same store. */
export function openNodes(url: string, replicas: number): Promise<[Store, Store]> {
  const open = () => storeAt(url, ROOMY, 'create', { warn: () => {}, replicas });
  return Promise.all([open(), open()]);
}
