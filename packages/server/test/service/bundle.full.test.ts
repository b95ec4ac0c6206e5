import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const SERVER = fileURLToPath(new URL('../../', import.meta.url));

const { CODE_SUFFIX, sealed, writeCode } = createRequire(import.meta.url)(path.join(SERVER, 'bin/bundle.js'));

let copy: string;

/** Loads the command line in a process of its own, and tells of each file with code whether V8 has refused it. */
function refusals(server: string): Record<string, boolean> {
  const loader = JSON.stringify(path.join(server, 'bin/bundle.js'));
  const program = `
    const { load, loaded } = require(${loader});
    load('main.js');
    const known = [...loaded].filter(([, { script }]) => script.cachedDataRejected !== undefined);
    console.log(JSON.stringify(Object.fromEntries(known.map(([name, { script }]) => [name, script.cachedDataRejected]))));
  `;
  return JSON.parse(execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8' }));
}

function version(server: string): string {
  return execFileSync(process.execPath, [path.join(server, 'bin/mayfly.js'), '--version'], { encoding: 'utf8' });
}

function codeFiles(): string[] {
  const folder = path.join(copy, 'bundle');
  return readdirSync(folder).flatMap((name) => (name.endsWith('.code') ? [path.join(folder, name)] : []));
}

/** The files that a command loads, without what tells their versions apart, and how large each is. */
function loadedBy(...args: readonly string[]): Record<string, number> {
  const loader = JSON.stringify(path.join(SERVER, 'bin/bundle.js'));
  const program = `
    const { load, loaded } = require(${loader});
    const sizes = () => [...loaded].map(([name, { file }]) => [name, require('node:fs').statSync(file).size]);
    process.on('exit', () => process.stderr.write('\\n' + JSON.stringify(sizes())));
    load('main.js').run();
  `;
  const { stderr } = spawnSync(process.execPath, ['--eval', program, '--', 'mayfly', ...args], { encoding: 'utf8' });
  const sizes: [string, number][] = JSON.parse(stderr.split('\n').at(-1) ?? '');
  return Object.fromEntries(sizes.map(([name, size]) => [name.replace(/-[\w-]{8}\.js$/, ''), size]));
}

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'mayfly-bundle-'));
  for (const name of ['api', 'bin', 'bundle', 'package.json']) {
    cpSync(path.join(SERVER, name), path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.join(SERVER, '../node_modules'), path.join(copy, 'node_modules'));
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the bundle', () => {
  test('is run with the code that the build has made of it', () => {
    const refused = refusals(SERVER);
    expect(Object.keys(refused).length).toBeGreaterThan(0);
    expect(Object.values(refused)).not.toContain(true);
  });

  test('is compiled anew, without a word, where that code is of another version of V8', () => {
    for (const file of codeFiles()) {
      const code = readFileSync(file).subarray(0, -4);
      // The header's second word is a hash of the version (V8: SerializedCodeData).
      code.writeUInt8(code.readUInt8(4) ^ 1, 4);
      writeFileSync(file, sealed(code));
    }
    const refused = Object.values(refusals(copy));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused).not.toContain(false);
    const { stdout, stderr } = spawnSync(process.execPath, [path.join(copy, 'bin/mayfly.js'), '-v'], {
      encoding: 'utf8',
    });
    expect({ stdout, stderr }).toEqual({ stdout: version(SERVER), stderr: '' });
  });

  test('runs where that code is cut off, written over or not there', () => {
    for (const file of codeFiles()) {
      // V8 does not look at what it is given, and dies of it.
      const code = readFileSync(file);
      code.fill(0xa5, code.length >> 1, (code.length >> 1) + 64);
      writeFileSync(file, code);
    }
    expect(refusals(copy)).toEqual({});
    expect(version(copy)).toBe(version(SERVER));
    for (const file of codeFiles()) truncateSync(file, 100);
    expect(refusals(copy)).toEqual({});
    expect(version(copy)).toBe(version(SERVER));
    for (const file of codeFiles()) truncateSync(file, 0);
    expect(version(copy)).toBe(version(SERVER));
    for (const file of codeFiles()) rmSync(file);
    expect(refusals(copy)).toEqual({});
    expect(version(copy)).toBe(version(SERVER));
  });

  test('of a package, which has none of that code, a process keeps its own for the starts to come', async () => {
    for (const file of codeFiles()) rmSync(file);
    const cutOff = readdirSync(path.join(copy, 'bundle')).find((name) => /^main-[\w-]{8}\.js$/.test(name)) ?? '';
    writeFileSync(path.join(copy, 'bundle', cutOff + CODE_SUFFIX), 'cut off');
    const flags = ['serve', '--store', 'memory:', '--smtp-port', '0', '--http-port', '0', '--no-page'];
    const service = spawn(process.execPath, [path.join(copy, 'bin/mayfly.js'), ...flags], { stdio: 'ignore' });
    try {
      await expect.poll(() => codeFiles().length).toBeGreaterThan(10);
    } finally {
      service.kill();
      await once(service, 'exit');
    }
    const refused = refusals(copy);
    expect(Object.keys(refused).length).toBeGreaterThan(0);
    expect(Object.values(refused)).not.toContain(true);
    expect(Object.keys(refused)).toContain(cutOff);
    expect(version(copy)).toBe(version(SERVER));
  }, 90_000);

  test('leaves nothing behind where that code cannot be kept', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-code-'));
    const file = path.join(folder, 'file.js');
    // A name that is taken by a folder stands for a full disk: the file is written, but not kept.
    mkdirSync(`${file + CODE_SUFFIX}/taken`, { recursive: true });
    expect(() => writeCode({ file, script: new Script('1') })).toThrow();
    expect(readdirSync(folder)).toEqual([`file.js${CODE_SUFFIX}`]);
    rmSync(folder, { recursive: true });
  });
});

/** How many bytes of the bundle a command of the client may load: some 150 KB are needed, and more than 1 MB for the service. */
const MAX_LOADED = 300_000;

test('a command of the client loads nothing of the service: neither its engines nor its log nor its words', () => {
  // An address of documentation (RFC 5737), which no machine has.
  const service = loadedBy('serve', '--host', '192.0.2.1', '--store', 'memory:');
  expect(Object.keys(service)).toEqual(expect.arrayContaining(['service', 'log']));
  expect(sum(service)).toBeGreaterThan(MAX_LOADED);
  const command = loadedBy('new');
  expect(Object.keys(command)).not.toContain('service');
  expect(sum(command)).toBeLessThan(MAX_LOADED);
});

function sum(sizes: Readonly<Record<string, number>>): number {
  return Object.values(sizes).reduce((total, size) => total + size, 0);
}
