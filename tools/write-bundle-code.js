// Starts the service from its bundle, and writes down the code that V8 has made of each file until it was ready, for
// the starts to come. Run by tools/build-service.js, in a process of its own.
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { CODE_SUFFIX, load, loaded, sealed } from '../server/bin/bundle.js';

/** What other commands load is in there too; but a thread's files are for a thread. */
const LATER_FILES = /^(?!main|worker).*-[\w-]{8}\.js$/;

const FLAGS = ['--smtp-port', '0', '--http-port', '0', '--store', 'memory:', '--no-page', '--log-level', 'error'];

process.argv.splice(2, Number.POSITIVE_INFINITY, 'serve', ...FLAGS);
const ready = new Promise((resolve) => {
  process.stdout.write = (line) => resolve(line.startsWith('ready'));
});
load('main.js').run();
if (!(await ready)) process.exit(1);
for (const name of readdirSync(new URL('../server/bundle/', import.meta.url))) {
  if (LATER_FILES.test(name)) load(name);
}
for (const [name, { file, script }] of [...loaded].reverse()) {
  // The entries have the same name whatever is in them.
  if (!LATER_FILES.test(name) && !name.startsWith('main-')) continue;
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, sealed(script.createCachedData()));
  renameSync(unfinished, file + CODE_SUFFIX);
}
process.exit(0);
