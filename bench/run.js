// Runs the benchmarks: `npm run bench`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { optionsOf, refuse } from '../tools/options.js';
import { tableOf } from './figures.js';
import { buildPeers, startPeers } from './peers.js';

const OPTIONS = {
  only: { type: 'string', multiple: true },
  short: { type: 'boolean' },
  peers: { type: 'boolean' },
  checkout: { type: 'string' },
  executable: { type: 'string' },
  list: { type: 'boolean' },
};

const HELP = `Usage: npm run bench -- [OPTIONS]

Runs the benchmarks one after the other and prints the figures of each, with the baseline of the same run, as tables for
docs/internals/performance.md.

  --only NAME     Only this benchmark; repeatable.
  --short         Shorter rounds and fewer of them.
  --peers         Also measures Mailpit and Inbucket, built with Go if it is installed.
  --checkout DIR  Measures the build of another checkout, to compare with.
  --executable FILE  Measures this executable instead of the npm package.
  --list          Describes the benchmarks.
  --help          This text.

A failed benchmark does not stop the others. The exit code is 1 if one failed, 2 for an invalid option. The senders are
Postfix's (Debian package postfix). "npm run bench:abuse" measures the effect of one client on the others.

Needs Linux, where all of 127.0.0.0/8 is local. Only --peers uses the network, for downloads.`;

process.exitCode = await main();

/** A benchmark has `name`, `title`, `about` and `run({ isShort, progress, others })`, which resolves to figures. */
async function main() {
  const { checkout, executable, list, only, ...options } = optionsOf(HELP, OPTIONS);
  if (process.platform !== 'linux') refuse('This needs Linux, where 127.0.0.2 is also a loopback address');
  if (checkout !== undefined) {
    if (!existsSync(path.join(checkout, 'packages/server/dist'))) refuse(`${checkout} has no build`);
    // Sets the variable before loading the modules that read it.
    process.env.BENCH_CHECKOUT = path.resolve(checkout);
  }
  if (executable !== undefined) process.env.BENCH_EXECUTABLE = path.resolve(executable);
  const modules = await Promise.all(
    ['ingest', 'delivery', 'fetch', 'streams', 'start'].map((name) => import(`./suite/${name}.js`)),
  );
  const all = modules.map(({ benchmark }) => benchmark);
  if (list) {
    for (const { name, title, about } of all) console.log(`${name}\n  ${title}. ${about}\n`);
    return 0;
  }
  const unknown = (only ?? []).find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined) refuse(`There is no benchmark "${unknown}". Use --list to see all`);
  return runAll(
    all.filter(({ name }) => only === undefined || only.includes(name)),
    options,
  );
}

async function runAll(benchmarks, { short, peers }) {
  const built = peers ? await buildPeers((sentence) => progress('peers', sentence)) : [];
  let failures = 0;
  for (const { name, title, about, run, isBesidePeers } of benchmarks) {
    const startedAt = performance.now();
    const tell = (sentence) => progress(name, sentence);
    let others = [];
    try {
      // Restarts the peers for each benchmark, because stored mail slows some of them down.
      if (isBesidePeers) others = await startPeers(built);
      const figures = await run({ isShort: short === true, progress: tell, others });
      console.log(`\n## ${title}\n\n${about}\n\n${tableOf(figures)}`);
    } catch (error) {
      failures += 1;
      tell(`failed: ${error.message}`);
    } finally {
      for (const other of others) await other.stop();
    }
    tell(`took ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
  return failures > 0 ? 1 : 0;
}

function progress(name, sentence) {
  process.stderr.write(`bench: ${name}: ${sentence}\n`);
}
