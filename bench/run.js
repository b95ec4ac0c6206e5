// Runs the benchmarks. The command is `npm run bench`; `--help` says how.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tableOf } from './figures.js';
import { buildPeers, startPeers } from './peers.js';

const OPTIONS = {
  only: { type: 'string', multiple: true },
  short: { type: 'boolean' },
  peers: { type: 'boolean' },
  checkout: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
};

const HELP = `Usage: npm run bench -- [OPTIONS]

Runs the benchmarks one after the other and prints the figures of each, with the baseline of the same run, as tables for
docs/internals/performance.md.

  --only NAME     Only this one; may be given several times.
  --short         Shorter rounds and fewer of them.
  --peers         Measures Mailpit and Inbucket, too, built with Go if it is installed.
  --checkout DIR  Measures the build of another checkout, to compare with.
  --list          Names the benchmarks.
  --help          This text.

A benchmark that fails does not stop the others. The exit code is 1 if one failed, 2 for an invalid option. The senders
come from Postfix (Debian package postfix). "npm run bench:abuse" measures what one client does to the others.

It needs Linux, where all of 127.0.0.0/8 is this machine. Only --peers uses the network, for downloads. All processes
that it starts end with it.`;

process.exitCode = await main();

async function main() {
  try {
    const options = parseArgs({ options: OPTIONS }).values;
    if (options.help) {
      console.log(HELP);
      return 0;
    }
    if (process.platform !== 'linux') throw new Error('This needs Linux, where 127.0.0.2 is this machine too.');
    // Which build is measured is decided before anything is loaded that asks for it.
    if (options.checkout !== undefined) process.env.BENCH_CHECKOUT = path.resolve(options.checkout);
    if (options.checkout !== undefined && !existsSync(path.join(options.checkout, 'packages/server/dist')))
      throw new Error(`${options.checkout} has no build.`);
    return await chosen(options);
  } catch (error) {
    console.error(`bench: ${error.message.replace(/\.?$/, '.')} Try --help.`);
    return 2;
  }
}

/**
 * A benchmark has a `name` for `--only`, a `title`, a paragraph on what it measures and how (`about`), and
 * `run({ isShort, progress, others })`, which resolves to figures; `others` are servers to measure beside ours.
 */
async function chosen({ only, list, ...options }) {
  const modules = await Promise.all(
    ['ingest', 'delivery', 'fetch', 'streams', 'start'].map((name) => import(`./suite/${name}.js`)),
  );
  const all = modules.map(({ benchmark }) => benchmark);
  if (list) {
    for (const { name, title, about } of all) console.log(`${name}\n  ${title}. ${about}\n`);
    return 0;
  }
  const unknown = (only ?? []).find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}". --list names all.`);
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
      // Each benchmark has them anew: mail that others have left makes some of them slow.
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
