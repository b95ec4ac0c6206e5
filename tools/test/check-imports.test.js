import { expect, test } from 'vitest';
import { checkImports } from '../check-imports.js';
import * as rules from '../import-rules.js';
import { withTree } from './tree.js';

/** A small tree in which each part imports what it may, in the ways that are in use. */
const CLEAN = {
  'plugins/catchers/src/catchers.ts': `import { App } from '../../../packages/server/dist/extension/extension.js';\nexport { App };`,
  'packages/cli/src/new.ts': `import { Mayfly } from 'mayfly-client';\nexport const make = () => new Mayfly();`,
  'packages/client/src/index.ts': `export { newName } from './names.js';`,
  'packages/client/src/names.ts': `export const newName = () => crypto.randomUUID();`,
  'packages/client/src/playwright.ts': `import { test } from '@playwright/test';\nexport { test };\ndeclare module '@playwright/test' {}`,
  'plugins/send-apis/src/send-apis.ts': `import { App } from '../../../packages/server/dist/extension/extension.js';\nexport { App };`,
  'packages/mcp/src/server.ts': `import { McpServer } from '@modelcontextprotocol/server';\nexport { McpServer };`,
  'packages/server/src/main.ts': `import { serve } from './commands/serve.js';\nserve();`,
  'packages/server/src/service.ts': `import { listen } from './smtp/engine.js';\nimport './http/api.js';\nexport const start = listen;`,
  'packages/server/src/base/clock.ts': `export const now = () => Date.now();`,
  'packages/server/src/commands/serve.ts': `export const serve = async () => (await import('../service.js')).start();`,
  'packages/server/src/extension/extension.ts': `export { list as App } from '../inbox/read/read.js';`,
  'packages/server/src/smtp/engine.ts': `import { SMTPServer } from 'smtp-server';\nexport const listen = () => SMTPServer;`,
  'packages/server/src/http/api.ts': `import fastify from 'fastify';\nimport { list } from '../inbox/read/read.js';\nexport { fastify, list };`,
  'packages/server/src/inbox/read/read.ts': `import { open } from '../../store/store.js';\nexport const list = () => open;`,
  'packages/server/src/inbox/compose.ts': `import { Worker } from 'node:worker_threads';\nexport const thread = () => new Worker(new URL('./compose-worker.js', import.meta.url));`,
  'packages/server/src/inbox/compose-worker.ts': `import { parse } from '../mail/parse.js';\nexport default parse;`,
  'packages/server/src/mail/parse.ts': `import { isUtf8 } from 'node:buffer';
    export type Options = { performance: number };
    export const parse = (bytes: Buffer, at: Date) => (isUtf8(bytes) ? new Date(at.getTime()) : Math.max(Date.parse(''), 1));`,
  'packages/server/src/mail/words.ts': `export const words = { process: 'n', fetch: 'v' }.process;`,
  'packages/server/src/store/store.ts': `export const open = () => null;`,
  'packages/server/src/store/lmdb/lmdb-store.ts': `import { open } from 'lmdb';
    export const turn = () => new Promise(setImmediate).then(() => open);`,
  'packages/server/src/store/lmdb/folder.ts': `import { mkdir } from 'node:fs/promises';\nexport const make = mkdir;`,
  'packages/server/src/limits/rate-limiter.ts': `import ip from 'ipaddr.js';\nexport default ip;`,
  'packages/server/src/settings/table.ts': `import { open } from '../store/store.js';\nexport default open;`,
  'packages/web/src/page.tsx': `import { render } from 'preact';\nexport default render;`,
  'packages/web/src/main.tsx': `import { useState } from 'preact/hooks';\nimport './style.css';\nexport const Page = () => <p>{useState(0)[0]}</p>;`,
};

/** The project's rules, with the exceptions and an engine that the small tree uses. */
const RULES = {
  ...rules,
  PARTS: { ...rules.PARTS, smtp: { parts: ['inbox'], packages: ['smtp-server', 'smtp-server/lib/smtp-stream.js'] } },
  DOORS: {
    commands: { 'commands/serve.ts': 'a test' },
    smtp: { 'smtp/engine.ts': 'a test' },
    extension: { 'extension/extension.ts': 'a test' },
    http: { 'http/api.ts': 'a test' },
    inbox: { 'inbox/read/read.ts': 'a test' },
    mail: { 'mail/parse.ts': 'a test' },
    store: { 'store/store.ts': 'a test' },
  },
  DECLARED_MODULES: [{ file: 'packages/client/src/playwright.ts', name: '@playwright/test', reason: 'a test' }],
  THREAD_STARTERS: [{ file: 'packages/server/src/inbox/compose.ts', reason: 'a test' }],
  SEVERAL_FILES: { preact: 'a test' },
  IMPURE_NAMES: [
    { file: 'packages/server/src/store/lmdb/lmdb-store.ts', name: 'setImmediate', reason: 'a test' },
    { file: 'packages/server/src/base/clock.ts', name: 'Date.now', reason: 'a test' },
  ],
  FILE_PACKAGES: [
    { file: 'packages/client/src/playwright.ts', name: '@playwright/test', reason: 'a test' },
    { file: 'packages/server/src/store/lmdb/folder.ts', name: 'node:fs/promises', reason: 'a test' },
  ],
};

const breachesWith = async (planted) =>
  withTree({ ...CLEAN, ...planted }, (base) => checkImports(base, RULES).breaches);

test('a clean tree passes', async () => {
  expect(await breachesWith({})).toEqual([]);
});

const NO_ENGINE = /mail must not import the package lmdb/;
const UNKNOWN = /cannot be checked/;

test.each([
  ['a static import', `import { open } from 'lmdb';`, NO_ENGINE],
  ['double quotes', `import { open } from "lmdb";`, NO_ENGINE],
  ['no semicolon, several lines', `import {\n  open,\n} from 'lmdb'\nopen()`, NO_ENGINE],
  ['a type-only import', `import type { Database } from 'lmdb';`, NO_ENGINE],
  ['a type in place', `export type Root = import('lmdb').RootDatabase;`, NO_ENGINE],
  ['a triple-slash reference', `/// <reference types="lmdb" />\nexport {};`, NO_ENGINE],
  ['an import for its side effect', `import 'lmdb';`, NO_ENGINE],
  ['a re-export of names', `export { open } from 'lmdb';`, NO_ENGINE],
  ['a re-export of everything', `export * from 'lmdb';`, NO_ENGINE],
  ['a re-export under one name', `export * as lmdb from 'lmdb';`, NO_ENGINE],
  ['a dynamic import', `export const open = async () => (await import('lmdb')).open;`, NO_ENGINE],
  ['a dynamic import of a template', 'export const open = async () => (await import(`lmdb`)).open;', NO_ENGINE],
  ['import = require', `import lmdb = require('lmdb');\nexport { lmdb };`, NO_ENGINE],
  ['require', `export const lmdb = require('lmdb');`, NO_ENGINE],
  ['require.resolve', `export const at = require.resolve('lmdb');`, NO_ENGINE],
  ['import.meta.resolve', `export const at = import.meta.resolve('lmdb');`, NO_ENGINE],
  ['createRequire', `import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('lmdb');`, NO_ENGINE],
  ['what createRequire made', `createRequire(import.meta.url).resolve('lmdb');`, NO_ENGINE],
  ['createRequire by another name', `import { createRequire as x } from 'node:module'; x('/')('lmdb');`, UNKNOWN],
  ['all of what has createRequire', `import * as m from 'node:module'; m.createRequire('/')('lmdb');`, UNKNOWN],
  ['createRequire from a dynamic import', `const { createRequire: x } = await import('node:module');`, UNKNOWN],
  ['a variable of createRequire', `const x = createRequire; x('/')('lmdb');`, UNKNOWN],
  ['a variable of what it made', `const x = createRequire('/'); x('lmdb');`, UNKNOWN],
  ['declare module', `declare module 'lmdb' { export const x: 1; }\nexport {};`, /declares what the module lmdb holds/],
  ['@import in JSDoc', `/** @import { RootDatabase } from 'lmdb' */\nexport {};`, NO_ENGINE],
  ['import() in JSDoc', `/** @type {import('lmdb').RootDatabase} */\nexport const x = 1;`, NO_ENGINE],
  [
    'data beside a file',
    `export const at = new URL('./words.json', import.meta.url);`,
    /words\.json is no source file/,
  ],
  ['a thread of a path', `export const x = () => new Worker('./words.js');`, /starts a thread/],
  [
    'a thread by another name',
    `import { Worker as W } from 'node:worker_threads'; new W('./words.js');`,
    /starts a thread/,
  ],
  [
    'a thread of the whole module',
    `import * as t from 'worker_threads'; new t['W'+'orker']('./w.js');`,
    /starts a thread/,
  ],
  ['createRequire itself', `import { createRequire } from 'module';\nexport { createRequire };`, /package node:module/],
  ['getBuiltinModule', `export const fs = process.getBuiltinModule('fs');`, /mail must not import the package node:fs/],
  ['a subpath of a package', `import 'lmdb/cursor';`, /the package lmdb\/cursor/],
  ["a module of Node's", `import { readFileSync } from 'node:fs';`, /the package node:fs/],
  ["a module of Node's by its short name", `import { readFile } from 'fs/promises';`, /the package node:fs\/promises/],
  ['a package that nobody has listed', `import leftPad from 'left-pad';`, /the package left-pad/],
  ['an absolute path', `import x from '/tmp/x.js';`, /the package \/tmp\/x\.js/],
  ['an alias', `import x from '#store';`, /the package #store/],
  ['a name that is made when it runs', `export const load = (name: string) => import(name);`, /cannot be checked/],
  ['another part', `import { open } from '../store/store.js';`, /mail must not import store/],
  ['another part by its type', `import type { open } from '../store/store.js';`, /mail must not import store/],
  [
    "another part's file in a worker",
    `export const at = new URL('../inbox/read/read.js', import.meta.url);`,
    /not import inbox/,
  ],
  ['a file that is not there', `import './gone.js';`, /\.\/gone\.js is no source file/],
  ['compiled code', `import '../../dist/store/store.js';`, /is no source file/],
])('in mail: %s', async (_, text, sentence) => {
  expect(await breachesWith({ 'packages/server/src/mail/planted.ts': text })).toContainEqual(
    expect.stringMatching(sentence),
  );
});

test.each([
  [
    'the settings in the store',
    'packages/server/src/store/planted.ts',
    `import '../settings/table.js';`,
    /store must not import settings/,
  ],
  ['HTTP in SMTP', 'packages/server/src/smtp/planted.ts', `import '../http/api.js';`, /smtp must not import http/],
  ['SMTP in HTTP', 'packages/server/src/http/planted.ts', `import '../smtp/engine.js';`, /http must not import smtp/],
  ['mail in HTTP', 'packages/server/src/http/planted.ts', `import '../mail/parse.js';`, /http must not import mail/],
  [
    'the store in HTTP',
    'packages/server/src/http/planted.ts',
    `import '../store/store.js';`,
    /http must not import store/,
  ],
  [
    'HTTP in the inbox',
    'packages/server/src/inbox/planted.ts',
    `import '../http/api.js';`,
    /inbox must not import http/,
  ],
  [
    'the service in SMTP',
    'packages/server/src/smtp/planted.ts',
    `import '../service.js';`,
    /smtp must not import service/,
  ],
  ['a part in base', 'packages/server/src/planted.ts', `import './inbox/read/read.js';`, /base must not import inbox/],
  [
    'the server in the client',
    'packages/client/src/planted.ts',
    `import '../../server/src/base/clock.js';`,
    /client must not import base/,
  ],
  [
    "the client's files past its package",
    'packages/server/src/http/planted.ts',
    `import '../../../client/src/names.js';`,
    /http must not import client/,
  ],
  [
    "an inner path of the client's package",
    'packages/web/src/planted.ts',
    `import 'mayfly-client/dist/names.js';`,
    /package mayfly-client\/dist/,
  ],
  [
    'the server in the page',
    'packages/web/src/planted.ts',
    `import '../../server/src/base/clock.js';`,
    /web must not import base/,
  ],
  [
    'the service in the command line of the client',
    'packages/cli/src/planted.ts',
    `import '../../server/src/base/clock.js';`,
    /cli must not import base/,
  ],
  [
    'the server past its door for extensions',
    'plugins/catchers/src/planted.ts',
    `import '../../../packages/server/dist/http/api.js';`,
    /catchers must not import http \(packages\/server\/src\/http\/api\.ts\)/,
  ],
  [
    'what the server does not compile, in an extension',
    'plugins/catchers/src/planted.ts',
    `import '../../../packages/server/dist/store/gone.js';`,
    /gone\.js is no source file/,
  ],
  [
    'an extension in the service',
    'packages/server/src/http/planted.ts',
    `import '../../../../plugins/catchers/dist/catchers.js';`,
    /http must not import catchers/,
  ],
  [
    'the command line in SMTP',
    'packages/server/src/smtp/planted.ts',
    `import 'mayfly-cli';`,
    /smtp must not import the package/,
  ],
  [
    'a package in the client',
    'packages/client/src/planted.ts',
    `import 'undici';`,
    /client must not import the package undici/,
  ],
  [
    "Node's modules in the client",
    'packages/client/src/planted.ts',
    `import 'node:fs';`,
    /client must not import the package node:fs/,
  ],
  [
    'a test framework beside its entry',
    'packages/client/src/planted.ts',
    `import '@playwright/test';`,
    /the package @playwright\/test/,
  ],
  [
    'an engine in a second file',
    'packages/server/src/store/lmdb/planted.ts',
    `import 'lmdb';`,
    /lmdb is imported by several files/,
  ],
  [
    'a subpath of an engine in a second file',
    'packages/server/src/smtp/planted.ts',
    `import 'smtp-server/lib/smtp-stream.js';`,
    /smtp-server is imported by several/,
  ],
  ['a new part without rules', 'packages/server/src/queue/planted.ts', `export {};`, /what the part queue may import/],
  ['a cycle', 'packages/server/src/mail/parse.ts', `import './words.js'; export const parse = 1;`, null],
])('%s', async (_, file, text, sentence) => {
  const planted = { [file]: text };
  if (sentence === null) planted['packages/server/src/mail/words.ts'] = `export { parse } from './parse.js';`;
  expect(await breachesWith(planted)).toContainEqual(expect.stringMatching(sentence ?? /a cycle: .*words\.ts/));
});

test.each([
  ['Date.now()', 'Date.now'],
  [`Date['now']()`, 'Date.now'],
  ['new Date()', 'new Date()'],
  ['Date()', 'new Date()'],
  ['[Date].map((D) => new D())', 'new Date()'],
  ['performance.now()', 'performance'],
  ['setTimeout(() => {}, 1)', 'setTimeout'],
  ['setInterval(() => {}, 1)', 'setInterval'],
  ['queueMicrotask(() => {})', 'queueMicrotask'],
  ['globalThis.setTimeout(() => {}, 1)', 'globalThis'],
  ['Math.random()', 'Math.random'],
  ['(({ random }) => random())(Math)', 'Math'],
  ['crypto.getRandomValues(new Uint8Array(1))', 'crypto'],
  ['process.env.HOME', 'process'],
  ['({ process })', 'process'],
  [`fetch('http://127.0.0.1/')`, 'fetch'],
  [`console.log('')`, 'console'],
  [`eval('1')`, 'eval'],
  [`new Function('return 1')()`, 'Function'],
  ['Atomics.wait(new Int32Array(1), 0, 0, 1)', 'Atomics.wait'],
  ['AbortSignal.timeout(1)', 'AbortSignal.timeout'],
])('mail and store are pure: %s', async (expression, name) => {
  for (const part of ['mail', 'store']) {
    expect(
      await breachesWith({ [`packages/server/src/${part}/planted.ts`]: `export const x = () => ${expression};` }),
    ).toEqual(
      expect.arrayContaining([`packages/server/src/${part}/planted.ts:1: ${part} is pure and must not use ${name}`]),
    );
  }
});

test.each([
  ['Date.now()', 'Date.now'],
  ['new Date()', 'new Date()'],
  ['performance.now()', 'performance'],
  ['setTimeout(() => {}, 1)', 'setTimeout'],
  ['[1].map(setInterval)', 'setInterval'],
  ['AbortSignal.timeout(1)', 'AbortSignal.timeout'],
])('other parts are given the time: %s', async (expression, name) => {
  expect(
    await breachesWith({ 'packages/server/src/http/planted.ts': `export const x = () => ${expression};` }),
  ).toEqual([
    `packages/server/src/http/planted.ts:1: takes its time from ${name} and not from a Clock; tools/outside-rules.js lists who may`,
  ]);
});

test('other parts may use the outside, and timers of sockets', async () => {
  const text =
    'export const x = (socket) => [process.pid, Math.random(), setImmediate(() => {}), socket.setTimeout(1)];';
  expect(await breachesWith({ 'packages/server/src/http/planted.ts': text })).toEqual([]);
});

test('setImmediate is excepted in one file of the store, and nowhere else', async () => {
  expect(
    await breachesWith({ 'packages/server/src/store/memory.ts': 'export const x = () => setImmediate(() => {});' }),
  ).toEqual(['packages/server/src/store/memory.ts:1: store is pure and must not use setImmediate']);
});

test('other parts come in by the door alone', async () => {
  const inner = { 'packages/server/src/inbox/read/inner.ts': 'export const inner = 1;' };
  expect(
    await breachesWith({ ...inner, 'packages/server/src/http/planted.ts': `import '../inbox/read/inner.js';` }),
  ).toEqual([
    'packages/server/src/http/planted.ts:1: packages/server/src/inbox/read/inner.ts is not in the door of inbox (tools/doors.js)',
  ]);
  expect(await breachesWith({ ...inner, 'packages/server/src/inbox/planted.ts': `import './read/inner.js';` })).toEqual(
    [],
  );
});

test('a door is no wider than what comes in', async () => {
  expect(
    await breachesWith({ 'packages/server/src/service.ts': `import './smtp/engine.js';\nexport const start = 1;` }),
  ).toEqual(['tools/doors.js has http/api.ts in the door of http, but no other part imports it']);
  const DOORS = { ...RULES.DOORS, smtp: { ...RULES.DOORS.smtp, 'smtp/gone.ts': 'a test' } };
  expect(await withTree(CLEAN, (base) => checkImports(base, { ...RULES, DOORS }).breaches)).toEqual([
    'tools/doors.js has smtp/gone.ts in the door of smtp, but there is no such file',
  ]);
});

test('an exception that nothing needs any more is a breach', async () => {
  expect(await breachesWith({ 'packages/client/src/playwright.ts': 'export {};' })).toEqual([
    expect.stringMatching(
      /^packages\/client\/src\/playwright\.ts is excepted for @playwright\/test .*does not use it$/,
    ),
    expect.stringMatching(
      /^packages\/client\/src\/playwright\.ts is excepted for @playwright\/test .*does not use it$/,
    ),
  ]);
  expect(await breachesWith({ 'packages/server/src/inbox/compose.ts': 'export {};' })).toEqual([
    expect.stringMatching(/^packages\/server\/src\/inbox\/compose\.ts is excepted for threads .*does not use it$/),
  ]);
  expect(await breachesWith({ 'packages/web/src/page.tsx': 'export {};' })).toEqual([
    expect.stringMatching(/^preact is excepted .* not imported by several files$/),
  ]);
});
