import { expect, test } from 'vitest';
import { checkPins } from '../check-pins.js';
import { withTree } from './tree.js';

const PINNED = [
  { name: 'smtp-server', reason: 'a test', folder: 'packages/server/src/smtp', sign: /'smtp-server\/lib\// },
  { name: 'lmdb', reason: 'a test', folder: 'packages/server/src/store/lmdb', sign: /\bcommitError\b/ },
];

/** A project that pins both packages, with what is changed in its manifest, its lock file and its sources. */
function breachesOf({ wanted = {}, declared = {}, installed = {}, sources = {} } = {}) {
  const versions = { 'smtp-server': '3.21.6', lmdb: '3.5.6' };
  const packages = { 'packages/server': { dependencies: { ...versions, ...declared } } };
  for (const [name, version] of Object.entries({ ...versions, ...installed }))
    packages[`node_modules/${name}`] = { version };
  const files = {
    'packages/server/package.json': JSON.stringify({ dependencies: { ...versions, ...wanted } }),
    'package-lock.json': JSON.stringify({ packages }),
    'packages/server/src/smtp/engine.ts': `import 'smtp-server/lib/smtp-connection.js';`,
    'packages/server/src/store/lmdb/open.ts': 'error.commitError;',
    ...sources,
  };
  return withTree(files, (base) => checkPins(base, PINNED));
}

test('one version each, everywhere, passes', async () => {
  expect(await breachesOf()).toEqual([]);
});

test.each([
  [
    'a caret',
    { wanted: { lmdb: '^3.5.6' } },
    /server\/package\.json: lmdb is "\^3\.5\.6", but it needs one exact version/,
  ],
  ['a tilde', { wanted: { 'smtp-server': '~3.21.6' } }, /smtp-server is "~3\.21\.6"/],
  ['a range', { wanted: { lmdb: '>=3' } }, /lmdb is ">=3"/],
  ['no dependency at all', { wanted: { lmdb: undefined } }, /lmdb is ""/],
  [
    'another version that is installed',
    { installed: { lmdb: '3.5.7' } },
    /package-lock\.json: lmdb is 3\.5\.6 and 3\.5\.7/,
  ],
  [
    'another version in the lock file',
    { declared: { lmdb: '^3.5.6' } },
    /package-lock\.json: lmdb is \^3\.5\.6 and 3\.5\.6/,
  ],
  [
    'internals that nobody uses any more',
    { sources: { 'packages/server/src/smtp/engine.ts': '' } },
    /smtp-server is pinned .*: unpin it/,
  ],
])('%s is a breach', async (_, change, sentence) => {
  expect(await breachesOf(change)).toEqual([expect.stringMatching(sentence)]);
});
