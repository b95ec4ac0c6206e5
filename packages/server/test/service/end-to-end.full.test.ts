import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { describeEndToEnd, describeServing, serveByTwo } from './end-to-end.js';
import { endAll, temporaryFolder } from './process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterEach(endAll);

afterAll(() => folder.remove());

describe('in memory', () => {
  describeServing(() => ['--store', 'memory:']);
});

describe('two processes on one folder', () => {
  describeEndToEnd((name) => ['--store', `lmdb:${folder.path}/${name}`], 0, serveByTwo);
});
