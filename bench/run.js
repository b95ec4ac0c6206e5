// Runs the benchmarks. The command is `npm run bench`; `--help` says how.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from './machine.js';
import { parseOther } from './others.js';
import { buildPeers, startPeers } from './peers.js';
import { besideTableOf, documentOf, tableOf } from './results.js';

const RESULTS = new URL('./results.json', import.meta.url);
const DOCUMENT = new URL('../docs/performance.md', import.meta.url);

const OPTIONS = {
  only: { type: 'string', multiple: true },
  short: { type: 'boolean' },
  write: { type: 'boolean' },
  against: { type: 'string', multiple: true },
  peers: { type: 'boolean' },
  programs: { type: 'string' },
  checkout: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
};

const HELP = `Usage: npm run bench -- [OPTIONS]

Runs the benchmarks one after the other and prints the figures of each, with the baseline of the same run.

  --only NAME          Only this one; may be given several times.
  --short              Shorter rounds and fewer of them, and no store of 1,000,000 mails: some minutes.
  --write              Also writes docs/performance.md, with the last figures of each benchmark.
  --against NAME=SMTP_PORT,HTTP_URL
                       Measures another server on this machine, too, where Mailpit is. The benchmark polls the URL,
                       in which {inbox} stands for the inbox, until it has the mail. May be given several times.
  --peers              Measures Mailpit, Inbucket and MailHog, too, built with Go if it is installed.
  --programs DIR       The same, and takes those that lie in this folder as they are (mailpit, inbucket, MailHog).
  --checkout DIR       Measures the build of another checkout, to compare with. Such results are not written.
  --list               Names the benchmarks.
  --help               This text.

A benchmark that fails does not stop the others. The exit code is 1 if one failed, 2 for an invalid option. The senders
come from Postfix (Debian package postfix); without it, benchmarks that need it are skipped, and say so.

It needs Linux, where all of 127.0.0.0/8 is this machine. Only --peers uses the network, for downloads. All processes
that it starts end with it.`;

process.exitCode = await main();

async function main() {
  let options;
  try {
    options = readOptions();
  } catch (error) {
    console.error(`bench: ${error.message.replace(/\.?$/, '.')} Try --help.`);
    return 2;
  }
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  // Which build is measured is decided before anything is loaded that asks for it.
  if (options.checkout !== undefined) process.env.BENCH_CHECKOUT = path.resolve(options.checkout);
  const { BENCHMARKS } = await import('./suite.js');
  if (options.list) {
    for (const { name, title, about } of BENCHMARKS) console.log(`${name}\n  ${title}. ${about}\n`);
    return 0;
  }
  const unknown = (options.only ?? []).filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) {
    console.error(`bench: there is no benchmark "${unknown[0]}". Try --list.`);
    return 2;
  }
  return runAll(BENCHMARKS, options);
}

function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help || values.list) return values;
  if (process.platform !== 'linux') throw new Error('This needs Linux, where 127.0.0.2 is this machine too.');
  if (values.write && values.checkout !== undefined) throw new Error('What another checkout does is not written.');
  if (values.checkout !== undefined && !existsSync(path.join(values.checkout, 'packages/server/dist')))
    throw new Error(`${values.checkout} has no build`);
  return { ...values, others: (values.against ?? []).map(parseOther) };
}

async function runAll(benchmarks, { only, short, write, peers, programs, others }) {
  const isShort = short === true;
  const { built, absent } = await builtPeers(peers, programs);
  const results = {};
  const failures = [];
  for (const benchmark of benchmarks.filter(({ name }) => only === undefined || only.includes(name))) {
    const startedAt = performance.now();
    const tell = (sentence) => progress(benchmark.name, sentence);
    let running = [];
    try {
      // Each benchmark has them anew: mail that others have left makes some of them slow.
      if (benchmark.isBesidePeers) running = await startPeers(built);
      const found = await benchmark.run({ isShort, progress: tell, others: [...others, ...running] });
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      const how = { measuredAt: new Date().toISOString(), isShort, seconds, machine: machine() };
      results[benchmark.name] = { ...how, ...(benchmark.isBesidePeers && { absent }), ...found };
      print(benchmark, found);
    } catch (error) {
      failures.push(`${benchmark.name}: ${error.message}`);
      tell(`failed: ${error.message}`);
    } finally {
      for (const peer of running) await peer.stop();
    }
    tell(`took ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
  if (write) writeDocument(benchmarks, results);
  if (failures.length > 0) console.log(`\nNot measured:\n${failures.join('\n')}`);
  return failures.length > 0 ? 1 : 0;
}

async function builtPeers(isWanted, programs) {
  if (!isWanted && programs === undefined)
    return { built: [], absent: ['No other server is measured: --peers was not given'] };
  const found = await buildPeers({ programs, progress: (sentence) => progress('peers', sentence) });
  for (const sentence of found.absent) progress('peers', sentence);
  return found;
}

function print({ name, title }, { figures, beside = [], text }) {
  console.log(`\n${title} (${name})`);
  if (figures.length > 0) console.log(tableOf(figures));
  if (beside.length > 0) console.log(besideTableOf(beside));
  if (text !== undefined) console.log(text);
}

/** Results of benchmarks that did not run stay as they were. */
function writeDocument(benchmarks, results) {
  const before = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
  const all = { ...before, ...results };
  if (Object.keys(all).length === 0) return;
  writeFileSync(RESULTS, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(DOCUMENT, documentOf(benchmarks, all));
  console.log('\nWritten: bench/results.json and docs/performance.md');
}

function progress(name, sentence) {
  process.stderr.write(`bench: ${name}: ${sentence}\n`);
}
