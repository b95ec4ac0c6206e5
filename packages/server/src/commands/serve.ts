import { closeSync, openSync } from 'node:fs';
import { constants, devNull } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { sayIfUnread } from 'mayfly-cli';
import { withPort } from '../base/listen-address.js';
import type { Log } from '../base/log.js';
import { environmentName, flagName, readSettings, renamedIn, settingsOfEnvironment } from '../settings/reading.js';
import { settingNames } from '../settings/table.js';
import type { Command, Invocation } from './command.js';

export const serve: Command = {
  usage: 'serve [OPTIONS]',
  summary: 'Runs the service.',
  description:
    'Runs the service until SIGINT or SIGTERM, or until its terminal is closed. Once both listeners are up and the store answers, it prints one line that begins with "ready". ' +
    'Each option can also be set by the environment variable in brackets; separate several values with commas.',
  get settings() {
    return settingNames();
  },
  switches: {},
  maxOperands: 0,
  run: runService,
};

const STORE_LOOK_MS = 200;

const LEFT_OPEN_MS = 1_000;

async function runService({ settings: flags, environment }: Invocation): Promise<number> {
  // Handles signals from the start, because signals without a handler do not end the first process of a container.
  const untilSignalled = handleSignals();
  const variables = settingsOfEnvironment(environment);
  const settings = readSettings(flags, variables);
  // Only this command loads the service, so that the others are fast.
  const [{ startService }, { openLog }] = await Promise.all([import('../service.js'), import('../base/log.js')]);
  const log = openLog(settings['log-level'], settings['log-format']);
  const renamed = [...renamedIn(flags, flagName), ...renamedIn(variables, environmentName)];
  for (const sentence of renamed) log.warn(sentence);
  const service = await startService(settings, log).catch(async (error) => {
    const { whyNotStarted } = await import('../doctor/check-ports.js');
    throw await whyNotStarted(error, settings);
  });
  // Lets pending signals be delivered, once per iteration of the event loop. The start may be part of the first one, so
  // the first wait ends that iteration, and the second lasts a whole one.
  for (let rounds = 0; rounds < 2; rounds += 1) await new Promise((resolve) => setImmediate(resolve));
  // Handles signals from here on, because a supervisor may stop the service as soon as it sees the ready line.
  const signalled = untilSignalled(log);
  const metrics = service.metrics === null ? '' : ` metrics=${service.metrics}`;
  sayIfUnread(
    'Standard output was closed before the "ready" line could be written, so the service has stopped. Keep its reader open, or redirect the output to a file or to /dev/null.',
  );
  const smtps = service.smtps === null ? '' : ` smtps=${withPort(service.smtps.host, service.smtps.port)}`;
  let signal: NodeJS.Signals | null = null;
  while (signal === null && !(await service.hasStore()))
    signal = await Promise.race([signalled, pause(STORE_LOOK_MS, null)]);
  if (signal === null) {
    const smtp = withPort(service.smtp.host, service.smtp.port);
    process.stdout.write(`ready smtp=${smtp} http=${service.http}${metrics}${smtps}\n`);
    service.prepare();
    signal = await signalled;
  }
  const hurry = signal === 'SIGINT' ? '; press Ctrl-C again to stop immediately' : '';
  log.info(`${signal}: no longer accepting new mail; mail already being received may finish (at most 10 s${hurry})`);
  await service.stop();
  // biome-ignore lint/style/noRestrictedGlobals: What a plugin has left open must not keep the process running.
  setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
  return 0;
}

/** If a signal ended a process, shells report the sum of this number and the signal's number as exit code. */
const ENDED_BY_SIGNAL = 128;

/**
 * Handles signals: SIGINT and SIGTERM end the process, SIGUSR1 and SIGUSR2 do nothing. SIGHUP ends a process whose
 * terminal closed. Without a terminal, SIGHUP is ignored, as `nohup` requests (Node resets what `nohup` set), and
 * because daemons get SIGHUP to reload certificates, which Mayfly reloads by itself (D44). Returns a function that
 * resolves to the first ending signal. Until that function is called, an ending signal ends the process.
 */
function handleSignals(): (log: Log) => Promise<NodeJS.Signals> {
  let end = (signal: NodeJS.Signals): void => process.exit(ENDED_BY_SIGNAL + constants.signals[signal]);
  let ignore = (_: NodeJS.Signals): void => {};
  // Notes now which streams are terminals, because a terminal may be gone later.
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal));
  process.on('SIGHUP', () => (terminals.length > 0 ? end('SIGHUP') : ignore('SIGHUP')));
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => ignore(signal));
  process.once('exit', () => {
    for (const fd of terminals) if (!isatty(fd)) leave(fd);
  });
  return (log) =>
    new Promise((resolve) => {
      let isEnding = false;
      end = (signal) => {
        // A lost terminal may repeat SIGHUP. A person who repeats another signal is in a hurry.
        if (isEnding && signal !== 'SIGHUP') process.exit(1);
        isEnding = true;
        resolve(signal);
      };
      ignore = (signal) => log.info(`${signal} is ignored; SIGTERM stops the service.`);
    });
}

/**
 * Closes a lost terminal. Otherwise Node would try to restore it on exit, and abort. Must run only on exit: earlier, a
 * connection of another thread could get the freed descriptor, so that the log would be sent over that connection.
 */
function leave(terminal: number): void {
  closeSync(terminal);
  openSync(devNull, 'r+');
}
