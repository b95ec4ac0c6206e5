import { createServer } from 'node:net';
import { reachedAt } from '../listen-address.js';
import { listenError, messageOf } from '../settings/system-errors.js';
import type { Settings } from '../settings/table.js';
import { type Finding, findings } from './finding.js';
import { answersAsHttp, answersAsMetrics, answersAsSmtp } from './who-listens.js';

/** A port that the service is to listen on. */
interface Wanted {
  readonly setting: 'http-port' | 'smtp-port' | 'metrics';
  readonly host: string;
  readonly port: number;
  /** Whether what listens there already is Mayfly. */
  isMayfly(host: string, port: number): Promise<boolean>;
}

/** Looks whether each port can be listened on: it is free, or Mayfly itself has it. */
export async function checkPorts(settings: Settings): Promise<Finding[]> {
  const { host, metrics } = settings;
  const isSmtp = (at: string, port: number) => answersAsSmtp(at, port, settings['smtp-proxy']);
  const wanted: Wanted[] = [
    { setting: 'smtp-port', host, port: settings['smtp-port'], isMayfly: isSmtp },
    { setting: 'http-port', host, port: settings['http-port'], isMayfly: answersAsHttp },
  ];
  if (metrics !== null) wanted.push({ setting: 'metrics', ...metrics, isMayfly: answersAsMetrics });
  return await Promise.all(wanted.map((port) => checkPort(port, settings)));
}

async function checkPort({ setting, host, port, isMayfly }: Wanted, settings: Settings): Promise<Finding> {
  const say = findings(setting);
  try {
    await tryToListen(host, port);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (isTaken && (await isMayfly(reachedAt(host), port))) {
      return say.ok(`Port ${port} of ${host} is held by Mayfly, which runs.`);
    }
    return say.problem(messageOf(listenError(error, setting, settings)));
  }
  return say.ok(port === 0 ? `Any free port of ${host} will be taken.` : `Port ${port} of ${host} is free.`);
}

/** Listens for a moment. Rejects with the system's error when that cannot be. */
function tryToListen(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}
