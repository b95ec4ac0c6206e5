import { afterEach, describe } from 'vitest';
import { describeEndToEnd, describeServing, serveByTwo } from './end-to-end.js';
import { endAll, folderOfFile } from './process.js';

const folder = await folderOfFile();

afterEach(endAll);

describe('a service in memory', () => {
  describeServing(() => ['--store', 'memory:']);
});

describe('two processes on one folder', () => {
  describeEndToEnd((name) => ['--store', `lmdb:${folder.path}/${name}`], 0, serveByTwo);
});
