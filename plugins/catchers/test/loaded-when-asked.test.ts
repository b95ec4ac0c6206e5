import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const BUNDLE = fileURLToPath(new URL('../../../packages/server/bundle/', import.meta.url));

const LOADER = fileURLToPath(new URL('../../../packages/server/bin/bundle.js', import.meta.url));

/** What the code of the catchers says, that of their routes and that of their tasks, and no other code. */
const ROUTES = '/api/v2/outgoing-smtp';
const TASKS = 'ListUnsubscribe:';

/** What a service needs for extensions, and not without them. */
const ALL_INBOXES = 'AllInboxes = class';

/** How many of the files that a service has loaded once it is ready hold each of these. */
function loaded(args: readonly string[]): readonly number[] {
  const flags = ['--http-port', '0', '--smtp-port', '0', '--store', 'memory:', '--log-level', 'silent', ...args];
  const program = `
    const { readFileSync } = require('node:fs');
    const { load, loaded } = require(${JSON.stringify(LOADER)});
    process.argv.splice(1, Number.POSITIVE_INFINITY, 'mayfly', 'serve', ...${JSON.stringify(flags)});
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = () => {
      process.stdout.write = write;
      const texts = [...loaded.values()].map(({ file }) => readFileSync(file, 'utf8'));
      const counts = ${JSON.stringify([ROUTES, ALL_INBOXES])}.map((sign) => texts.filter((text) => text.includes(sign)).length);
      write(JSON.stringify(counts), () => process.exit());
    };
    load('main.js').run();
  `;
  return JSON.parse(execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8' }));
}

/** A file of the bundle and those that it loads as it begins. */
function begunWith(name: string, seen = new Map<string, string>()): ReadonlyMap<string, string> {
  if (seen.has(name)) return seen;
  const text = readFileSync(path.join(BUNDLE, name), 'utf8');
  seen.set(name, text);
  // What is loaded later is required within a function. An entry may load its file with the code that V8 made of it.
  const begins =
    /^(?:const \S+ = |module\.exports = )?(?:require\(["']\.\/|require\('\.\.\/bin\/bundle\.js'\)\.load\(')([^"']+)["']\)/gm;
  for (const [, next = ''] of text.matchAll(begins)) begunWith(next, seen);
  return seen;
}

test('a service loads the catchers where it is asked for one, and nothing of them otherwise', () => {
  expect(loaded([])).toEqual([0, 0]);
  expect(loaded(['--drop-in', 'mailhog'])).toEqual([1, 1]);
});

test('a reading thread begins without the tasks of the catchers', () => {
  const holds = (texts: Iterable<string>) => [...texts].some((text) => text.includes(TASKS));
  const worker = begunWith('worker.js');
  expect(worker.size).toBeGreaterThan(1);
  expect(holds(worker.values())).toBe(false);
  const [tasks = ''] = [...worker.values()].join('').match(/in-thread-[\w-]+\.js/) ?? [];
  expect(holds(begunWith(tasks).values())).toBe(true);
});
