import { constants } from 'node:os';
import { readSettings, settingNames, settingsOfEnvironment } from '../settings/reading.js';
import type { Command, Invocation } from './command.js';

export const serve: Command = {
  usage: 'serve [OPTIONS]',
  summary: 'Runs the service.',
  description:
    'Runs the service until SIGINT or SIGTERM. Once both listeners are up, it prints one line that begins with "ready". ' +
    'Each option can also be set by the environment variable in brackets; separate several values with commas.',
  settings: settingNames(),
  switches: {},
  maxOperands: 0,
  run: runService,
};

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** By the shells' custom, a process that a signal ended has the signal's number and this as its exit code. */
const ENDED_BY_SIGNAL = 128;

async function runService({ settings: flags, environment }: Invocation): Promise<number> {
  // Nothing is promised to anybody yet, so a signal ends the start at once. The first process of a container needs to be told.
  const leave = (signal: NodeJS.Signals) => process.exit(ENDED_BY_SIGNAL + constants.signals[signal]);
  for (const signal of ENDING_SIGNALS) process.on(signal, leave);
  const settings = readSettings(flags, settingsOfEnvironment(environment));
  // The service and its engines are loaded only by the command that runs it: the others answer at once.
  const [{ startService }, { openLog }] = await Promise.all([import('../service.js'), import('../log.js')]);
  const log = openLog(settings['log-level'], settings['log-format']);
  const service = await startService(settings, log);
  // Whoever is told that the service is ready may end it at that moment.
  const signalled = nextSignal();
  for (const signal of ENDING_SIGNALS) process.off(signal, leave);
  const metrics = service.metrics === null ? '' : ` metrics=${service.metrics}`;
  process.stdout.write(`ready smtp=${service.smtp} http=${service.http}${metrics}\n`);
  service.warmUp();

  const signal = await signalled;
  log.info(`${signal}: no longer accepting mail; messages already on their way in may finish`);
  // Whoever is in a hurry sends the signal twice.
  nextSignal().then(() => process.exit(1));
  await service.stop();
  return 0;
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ENDING_SIGNALS) process.once(signal, resolve);
  });
}
