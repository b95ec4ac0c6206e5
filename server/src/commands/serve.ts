import type { Log } from '../base/log.js';
import { readSettings, settingNames, settingsOfEnvironment } from '../settings/reading.js';
import type { Command, Invocation } from './command.js';
import { Signals } from './signals.js';

export const serve: Command = {
  usage: 'serve [OPTIONS]',
  summary: 'Runs the service.',
  description:
    'Runs the service until SIGINT or SIGTERM, or until its terminal is closed. Once both listeners are up, it prints one line that begins with "ready". ' +
    'Each option can also be set by the environment variable in brackets; separate several values with commas.',
  settings: settingNames(),
  switches: {},
  maxOperands: 0,
  run: runService,
};

async function runService({ settings: flags, environment }: Invocation): Promise<number> {
  // Nothing is promised to anybody yet, so a signal ends the start at once. The first process of a container needs to be told.
  const signals = new Signals();
  const settings = readSettings(flags, settingsOfEnvironment(environment));
  // The service and its engines are loaded only by the command that runs it: the others answer at once.
  const [{ startService }, { openLog }] = await Promise.all([import('../service.js'), import('../base/log.js')]);
  const log = openLog(settings['log-level'], settings['log-format']);
  const service = await startService(settings, log).catch(async (error) => {
    const { whyNotStarted } = await import('../doctor/check-ports.js');
    throw await whyNotStarted(error, settings);
  });
  // Whoever is told that the service is ready may end it at that moment.
  const signalled = untilSignalled(signals, log);
  const metrics = service.metrics === null ? '' : ` metrics=${service.metrics}`;
  process.stdout.write(`ready smtp=${service.smtp} http=${service.http}${metrics}\n`);
  service.warmUp();

  const signal = await signalled;
  log.info(
    `${signal}: no longer accepting new mail; mail already being received may finish (at most 10 s; press Ctrl-C again to stop at once)`,
  );
  await service.stop();
  return 0;
}

/** Resolves to the first signal that ends the service. Whoever is in a hurry sends another. */
function untilSignalled(signals: Signals, log: Log): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isEnding = false;
    signals.mean({
      end(signal, isHurry) {
        if (isEnding && isHurry) process.exit(1);
        isEnding = true;
        resolve(signal);
      },
      ignored: (signal) => log.info(`${signal} is ignored; SIGTERM stops the service.`),
    });
  });
}
