import { afterEach, describe, expect, test } from 'vitest';
import { needs, skipUnless } from '../../../../tools/needs.js';
import { endAll } from '../service/process.js';
import { temporaryDirectories } from '../store/temporary.js';
import { clusterThatFailsOver } from './cluster-stage.js';
import { keepLedger, type Stage } from './keeping.js';
import { NODE_FAULTS } from './nodes.js';
import { redisThatFailsOver, redisThatRestarts, type Staged } from './redis-stages.js';

/** Minimum duration of the load in seconds; `npm run test:ledger` sets 60, and runs all stages. */
const SECONDS = Number(process.env.LEDGER_SECONDS ?? 2);
const isLong = process.env.LEDGER_SECONDS !== undefined;

/** Time limit on a busy machine, in addition to the duration of the load. */
const PATIENCE_MS = 900_000;

const newFolder = temporaryDirectories();

afterEach(endAll);

interface Scene {
  readonly name: string;
  readonly needsRedis: boolean;
  readonly isShort: boolean;
  stage(): Promise<Staged>;
}

const SCENES: readonly Scene[] = [
  {
    name: 'mail survives the death of either of two processes on one folder',
    needsRedis: false,
    isShort: true,
    stage: async () => ({
      settings: ['--store', `lmdb:${await newFolder()}`],
      faults: NODE_FAULTS,
      end: async () => {},
    }),
  },
  {
    name: 'mail survives a Redis server whose replica takes its place',
    needsRedis: true,
    isShort: true,
    stage: redisThatFailsOver,
  },
  {
    name: 'mail survives a Redis server that dies and restarts with what it wrote to disk',
    needsRedis: true,
    isShort: false,
    stage: async () => redisThatRestarts(await newFolder()),
  },
  {
    name: 'mail survives a Redis cluster whose masters die',
    needsRedis: true,
    isShort: false,
    stage: clusterThatFailsOver,
  },
];

describe('whatever is killed, acknowledged mail is stored once and in order, and no follower misses an email', () => {
  for (const { name, needsRedis, isShort, stage } of SCENES) {
    const skipping = {
      ...skipUnless(isShort || isLong, 'npm run test:ledger runs it'),
      ...(needsRedis ? needs('redis-server') : {}),
    };
    test(name, { ...skipping, timeout: SECONDS * 1_000 + PATIENCE_MS }, async () => keepAndTell(name, await stage()));
  }
});

async function keepAndTell(name: string, stage: Stage & { end(): Promise<unknown> }): Promise<void> {
  try {
    const { counts, breaches } = await keepLedger(stage, SECONDS * 1_000);
    console.log(
      `${name}: ${Object.entries(counts)
        .map(([what, count]) => `${what} ${count}`)
        .join(', ')}`,
    );
    for (const [what, sentences] of Object.entries(breaches)) {
      expect(sentences, what).toEqual([]);
    }
  } finally {
    endAll();
    await stage.end();
  }
}
