// The step that collects (collect/action.yml): writes the log, the run and the mails of each Mayfly that the job started into one folder, which
// the next step puts into the job's artefacts. It may run while the services do.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isInstalled, logOf, mayfly } from './programs.js';
import { folderOfJob, hand, input, printFolded, runStep, variable, warn } from './runner.js';

await runStep(async () => {
  const maxSize = input('max-size', /^\d{1,12}(?:B|[KMG]iB)$/, 'write a size such as 100MiB') || '100MiB';
  const services = servicesOfJob();
  if (services.length === 0) {
    console.log('This job started no Mayfly with the action, so there is nothing to collect.');
    return;
  }
  const collected = mkdtempSync(path.join(variable('RUNNER_TEMP'), 'mayfly-collected-'));
  for (const service of services) await collect(service, path.join(collected, path.basename(service)), maxSize);
  // Each job of a matrix has the same name, and an artefact's name is taken once in a run.
  const suffix = path.basename(collected).split('-').at(-1);
  hand('GITHUB_OUTPUT', { folder: collected, name: `mayfly-${nameOfJob()}-${suffix}` });
});

function servicesOfJob() {
  const folder = folderOfJob();
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

/** The job's name as far as the name of an artefact may have it. */
function nameOfJob() {
  return (process.env.GITHUB_JOB ?? 'job').replace(/[^\w-]/g, '_');
}

async function collect(service, into, maxSize) {
  mkdirSync(into);
  const log = path.join(service, 'mayfly.log');
  if (existsSync(log)) {
    copyFileSync(log, path.join(into, 'mayfly.log'));
    printFolded("Mayfly's log", logOf(log));
  }
  await collectRun(service, into);
  const store = path.join(service, 'store');
  // It may have ended before it had a store.
  if (!isInstalled(service) || !existsSync(store)) return;
  const mails = path.join(into, 'mails');
  const { code, output } = await mayfly(service, ['export', mails, '--max-size', maxSize, '--store', `lmdb:${store}`]);
  if (code === 0) console.log(output.trim());
  else warn(`The mails could not be collected: ${output.trim()}`);
}

/** The run of the job's tests, in one HTML file. Only a service that still runs knows it. */
async function collectRun(service, into) {
  const { MAYFLY_RUN: run } = process.env;
  const file = path.join(service, 'url');
  if (!run || run === 'off' || !existsSync(file)) return;
  const url = readFileSync(file, 'utf8');
  const { output } = await mayfly(service, ['export', '--run', run, path.join(into, 'run.html'), '--url', url]);
  console.log(`The run of the tests: ${output.trim()}`);
}
