import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withTree } from './tree.js';

const run = promisify(execFile);
const BIOME = path.resolve('node_modules/@biomejs/biome/bin/biome');
const LINT = ['lint', '--error-on-warnings', '--reporter=github', '.'];

/** What Biome says by the settings of this project of a tree with one file. */
function saidOf(file, text) {
  return withTree({ [file]: text, '.gitignore': 'node_modules\n' }, async (cwd) => {
    for (const name of ['biome.jsonc', 'tools/clock.grit', 'tools/internals.grit'])
      cpSync(name, path.join(cwd, name), { recursive: true });
    const { stdout, code = 0 } = await run(process.execPath, [BIOME, ...LINT], { cwd }).catch((error) => error);
    return { code, stdout };
  });
}

const lines = (count) => Array.from({ length: count }, (_, at) => `  log(${at});`).join('\n');
const functionOf = (count) => `export function long(log: (at: number) => void) {\n${lines(count)}\n}\n`;
const fileOf = (count) => `${'export {};\n'.repeat(count)}`;
const winding = (depth) => {
  const loops = Array.from({ length: depth }, (_, at) => `for (const a${at} of all) if (a${at}) {`).join('\n');
  return `export function winding(all: boolean[]) {\n${loops}\n${'}'.repeat(depth)}\n}\n`;
};

test.each([
  ['seventy lines', 'packages/server/src/a.ts', functionOf(66)],
  ['three hundred lines', 'bench/a.js', fileOf(300)],
  ['many lines of a test', 'tools/test/a.test.js', fileOf(400)],
  ['a loop in a loop', 'packages/web/src/a.tsx', winding(2)],
])('%s pass', async (_, file, text) => {
  expect(await saidOf(file, text)).toEqual({ code: 0, stdout: expect.any(String) });
});

test.each([
  ...[
    'packages/server/src/a.ts',
    'packages/client/src/b/a.ts',
    'packages/cli/src/a.ts',
    'packages/mcp/src/a.ts',
    'plugins/mailpit/src/a.ts',
    'packages/web/src/a.tsx',
  ].map((file) => [`a long function in ${file}`, file, functionOf(80), 'noExcessiveLinesPerFunction']),
  ['a long file of the service', 'packages/server/src/http/a.ts', fileOf(351), 'noExcessiveLinesPerFile'],
  ['a long tool', 'tools/a.js', fileOf(351), 'noExcessiveLinesPerFile'],
  ['a long benchmark', 'bench/suite/a.js', fileOf(351), 'noExcessiveLinesPerFile'],
  ['a clock', 'packages/server/src/http/a.ts', 'export const now = Date.now();\n', 'Take the time from a Clock'],
  [
    'an internal of Node',
    'packages/server/src/http/a.ts',
    'export const a = globalThis._handle;\n',
    'only what Node documents',
  ],
  ['a timer', 'packages/server/src/smtp/a.ts', 'export const later = setTimeout;\n', 'noRestrictedGlobals'],
  ['the process in mail', 'packages/mail/src/a.ts', 'export const all = process;\n', 'noRestrictedGlobals'],
  ['a sleep', 'packages/web/test/a.test.ts', 'setTimeout(() => undefined, 100);\n', 'noRestrictedGlobals'],
  [
    'a sleep of a promise',
    'packages/web/test/a.test.ts',
    `import { setTimeout as sleep } from 'node:timers/promises';\n\nawait sleep(1);\n`,
    'noRestrictedImports',
  ],
  ['a module of Node in the page', 'packages/web/src/a.tsx', `export * from 'node:fs';\n`, 'noNodejsModules'],
  ['the server in the page', 'packages/web/src/a.tsx', `export * from 'mayfly-inbox';\n`, 'noRestrictedImports'],
  ['what is hard to follow', 'packages/server/src/a.ts', winding(5), 'noExcessiveCognitiveComplexity'],
  ['the same in a test', 'packages/server/test/a.test.ts', winding(5), 'noExcessiveCognitiveComplexity'],
  [
    'an exception that nothing needs',
    'packages/server/src/a.ts',
    '// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a test\nexport {};\n',
    'suppressions/unused',
  ],
])('%s is refused', async (_, file, text, rule) => {
  const { code, stdout } = await saidOf(file, text);
  expect(stdout).toContain(rule);
  expect(code).toBe(1);
});
