import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const LOADER = fileURLToPath(new URL('../../bin/bundle.js', import.meta.url));

/** Something that the code of the protocol's packages says and ours does not. */
const ENGINE = 'io.modelcontextprotocol/';

/**
 * Runs a command in a process of its own, until it is ready or has printed something. Resolves to how many of the files that it had
 * loaded by then hold the engine, and then again when an agent has asked something.
 */
function enginesLoaded(args: readonly string[]): readonly number[] {
  const program = `
    const { readFileSync } = require('node:fs');
    const { load, loaded } = require(${JSON.stringify(LOADER)});
    const engines = () => [...loaded.values()].filter(({ file }) => readFileSync(file, 'utf8').includes('${ENGINE}')).length;
    process.argv.splice(1, Number.POSITIVE_INFINITY, 'mayfly', ...${JSON.stringify(args)});
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = async (line) => {
      process.stdout.write = write;
      const before = engines();
      const [, url] = /http=(.+)/.exec(line) ?? [];
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      if (url !== undefined) await (await fetch(url + '/mcp', { method: 'POST', headers, body })).text();
      write(JSON.stringify([before, engines()]), () => process.exit());
    };
    load('main.js').run();
  `;
  return JSON.parse(execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8' }));
}

const SERVE = ['serve', '--http-port', '0', '--smtp-port', '0', '--store', 'memory:', '--log-level', 'silent'];

test('the engine for agents is loaded by who is asked by one, and by nobody else', () => {
  expect(enginesLoaded(['new'])).toEqual([0, 0]);
  expect(enginesLoaded(SERVE)).toEqual([0, 0]);
  expect(enginesLoaded([...SERVE, '--mcp'])).toEqual([0, 1]);
});
