// Runs the step of collect/action.yml. Writes the log, the run report and the emails of each Mayfly of the job into a
// folder, which the next step uploads as an artifact. The services may still be running.
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
  // All jobs of a matrix have the same name, but artifact names must be unique in a run.
  const suffix = path.basename(collected).split('-').at(-1);
  hand('GITHUB_OUTPUT', { folder: collected, name: `mayfly-${nameOfJob()}-${suffix}` });
});

function servicesOfJob() {
  const folder = folderOfJob();
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

/** Returns the job's name, without characters that an artifact's name may not have. */
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
  // The service may have ended before it created a store.
  if (!isInstalled(service) || !existsSync(store)) return;
  const emails = path.join(into, 'emails');
  const { code, output } = await mayfly(service, ['export', emails, '--max-size', maxSize, '--store', `lmdb:${store}`]);
  if (code === 0) console.log(output.trim());
  else warn(`Could not collect the emails: ${output.trim()}`);
}

/** Writes the run report as an HTML file. The service has the report in memory only, so it must still be running. */
async function collectRun(service, into) {
  const { MAYFLY_RUN: run } = process.env;
  const file = path.join(service, 'url');
  if (!run || run === 'off' || !existsSync(file)) return;
  const url = readFileSync(file, 'utf8');
  const { output } = await mayfly(service, ['export', '--run', run, path.join(into, 'run.html'), '--url', url]);
  console.log(`Run report: ${output.trim()}`);
}
