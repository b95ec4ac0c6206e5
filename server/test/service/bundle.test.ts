import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const SERVER = fileURLToPath(new URL('../../', import.meta.url));

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

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'mayfly-bundle-'));
  for (const name of ['bin', 'bundle', 'package.json']) {
    cpSync(path.join(SERVER, name), path.join(copy, name), { recursive: true });
  }
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the bundle', () => {
  test('is run with the code that the build has made of it', () => {
    const refused = refusals(SERVER);
    expect(Object.keys(refused).length).toBeGreaterThan(0);
    expect(Object.values(refused)).not.toContain(true);
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
});
