import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withTree } from './tree.js';

const run = promisify(execFile);
const BIOME = path.resolve('node_modules/@biomejs/biome/bin/biome');
const LINT = ['lint', '--error-on-warnings', '--reporter=github', '--max-diagnostics=none', '.'];

/** Resolves to Biome's output for a folder with these files and this project's settings. */
function saidOf(files) {
  return withTree({ ...Object.fromEntries(files), '.gitignore': 'node_modules\n' }, async (cwd) => {
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

test('Biome accepts functions of seventy lines, files of three hundred lines, long test files and nested loops', async () => {
  const files = [
    ['packages/server/src/a.ts', functionOf(66)],
    ['bench/a.js', fileOf(300)],
    ['tools/test/a.test.js', fileOf(400)],
    ['packages/web/src/a.tsx', winding(2)],
  ];
  expect(await saidOf(files)).toEqual({ code: 0, stdout: expect.any(String) });
});

const SLEEP = `import { setTimeout as sleep } from 'node:timers/promises';\n\nawait sleep(1);\n`;
const UNUSED_EXCEPTION = '// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a test\nexport {};\n';

test('Biome rejects each planted file by the rule that it breaks', async () => {
  const planted = [
    ['noExcessiveLinesPerFunction', 'packages/server/src/a.ts', functionOf(80)],
    ['noExcessiveLinesPerFunction', 'packages/client/src/b/a.ts', functionOf(80)],
    ['noExcessiveLinesPerFunction', 'packages/cli/src/a.ts', functionOf(80)],
    ['noExcessiveLinesPerFunction', 'packages/mcp/src/a.ts', functionOf(80)],
    ['noExcessiveLinesPerFunction', 'plugins/mailpit/src/a.ts', functionOf(80)],
    ['noExcessiveLinesPerFunction', 'packages/web/src/a.tsx', functionOf(80)],
    ['noExcessiveLinesPerFile', 'packages/server/src/http/a.ts', fileOf(351)],
    ['noExcessiveLinesPerFile', 'tools/a.js', fileOf(351)],
    ['noExcessiveLinesPerFile', 'bench/suite/a.js', fileOf(351)],
    ['Take the time from a Clock', 'packages/server/src/http/b.ts', 'export const now = Date.now();\n'],
    ['only what Node documents', 'packages/server/src/http/c.ts', 'export const a = globalThis._handle;\n'],
    ['noRestrictedGlobals', 'packages/server/src/smtp/a.ts', 'export const later = setTimeout;\n'],
    ['noRestrictedGlobals', 'packages/mail/src/a.ts', 'export const all = process;\n'],
    ['noRestrictedGlobals', 'packages/web/test/a.test.ts', 'setTimeout(() => undefined, 100);\n'],
    ['noRestrictedImports', 'packages/web/test/b.test.ts', SLEEP],
    ['noNodejsModules', 'packages/web/src/b.tsx', `export * from 'node:fs';\n`],
    ['noRestrictedImports', 'packages/web/src/c.tsx', `export * from 'mayfly-inbox';\n`],
    ['noExcessiveCognitiveComplexity', 'packages/server/src/b.ts', winding(5)],
    ['noExcessiveCognitiveComplexity', 'packages/server/test/a.test.ts', winding(5)],
    ['suppressions/unused', 'packages/server/src/c.ts', UNUSED_EXCEPTION],
  ];
  const { code, stdout } = await saidOf(planted.map(([, file, text]) => [file, text]));
  const found = stdout.split('\n');
  const isFound = ([rule, file]) => found.some((line) => line.includes(rule) && line.includes(`/${file},`));
  expect(planted.filter((one) => !isFound(one))).toEqual([]);
  expect(code).toBe(1);
});
