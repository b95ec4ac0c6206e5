import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPacked, ROOT, sbomIn } from '../../client/test/packed.js';
import { type Finished, temporaryFolder } from '../../server/test/service/process.js';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const MESSAGE = 'Subject: Your code\r\n\r\nYour code is 482913.\r\n';

/** Matches an expression on its own line and its value: `email.code; // '482913'`. */
const SHOWN = /^(?!const |import |export |\/\/)(.*); \/\/ (.*)$/gm;

const readme = await readFile(path.join(PACKAGE, 'README.md'), 'utf8');
const examples = readme.split(/^## /m).flatMap((section) => {
  const heading = section.split('\n', 1)[0];
  return [...section.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => ({ heading, code }));
});

let project: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  project = await temporaryFolder();
  await installPacked(project.path, PACKAGE);
  await writeFile(path.join(project.path, 'package.json'), '{ "type": "module" }');
  await writeFile(path.join(project.path, 'message.eml'), MESSAGE);
});

afterAll(() => project.remove());

async function printed(name: string, text: string): Promise<string> {
  await writeFile(path.join(project.path, name), text);
  const { stdout } = await run(process.execPath, [name], { cwd: project.path });
  return stdout;
}

test("the package's SBOM lists each package that it depends on at runtime", async () => {
  const { dependencies } = JSON.parse(await readFile(path.join(PACKAGE, 'package.json'), 'utf8'));
  const { components } = await sbomIn(project.path, 'mayfly-mail');
  expect(components.map(({ name }) => name)).toEqual(Object.keys(dependencies));
});

describe('the packed package, in an empty folder', () => {
  test('behaves as its README shows', async () => {
    const shown = examples.filter(({ code }) => code.search(SHOWN) >= 0);
    const checks = shown.map(async ({ heading, code }, at) => {
      await writeFile(
        path.join(project.path, `example-${at}.js`),
        `import assert from 'node:assert/strict';\n${code.replace(SHOWN, 'assert.deepEqual($1, $2);')}console.log(${JSON.stringify(heading)});`,
      );
      return `await import('./example-${at}.js');`;
    });
    const output = await printed('examples.js', (await Promise.all(checks)).join('\n'));
    expect(output.trimEnd().split('\n')).toEqual(shown.map(({ heading }) => heading));
  });

  test('runs the README example that reads a message from a file', async () => {
    const example = examples.find(({ heading }) => heading === 'Read a file');
    expect(await printed('file.js', `${example?.code}console.log(code);`)).toBe('482913\n');
  });

  test('can be loaded with require()', async () => {
    const text = `console.log(require('mayfly-mail').readMail(${JSON.stringify(MESSAGE)}).code);`;
    expect(await printed('required.cjs', text)).toBe('482913\n');
  });

  test('has types for every example of its README', async () => {
    await symlink(path.join(ROOT, 'node_modules/@types'), path.join(project.path, 'node_modules/@types'));
    const sources = examples.map(async ({ code }, at) => {
      const name = `typed-${at}.mts`;
      await writeFile(
        path.join(project.path, name),
        code.replace(/\((gmail|imap)(, id)?\)/, (_, client, id = '') => `(${client}: any${id && `${id}: any`})`),
      );
      return name;
    });
    const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
    const args = ['--noEmit', '--strict', '--module', 'node20', '--target', 'es2023', '--types', 'node'];
    const { stdout } = await run(tsc, [...args, ...(await Promise.all(sources))], { cwd: project.path }).catch(
      (error: Finished) => error,
    );
    expect(stdout).toBe('');
  });

  test('accepts an ArrayBuffer, as fetch returns it', async () => {
    const { readMail } = await import('mayfly-mail');
    const { buffer, byteOffset, byteLength } = Buffer.from(MESSAGE);
    expect(readMail(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer).code).toBe('482913');
  });

  test.each([[undefined], [null], [42], [{}]])('throws a TypeError for the input %j', async (given) => {
    const { readMail } = await import('mayfly-mail');
    expect(() => readMail(given as never)).toThrow(/^The email has the type .* Pass the whole message as /);
  });
});
