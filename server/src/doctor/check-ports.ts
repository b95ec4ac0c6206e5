import { reachedAt, withPort } from '../base/listen-address.js';
import { listening, type WantedPort, wantedPorts } from '../settings/ports.js';
import { listenError, messageOf } from '../settings/system-errors.js';
import type { Settings } from '../settings/table.js';
import { type Finding, findings } from './finding.js';
import { answersAsHttp, answersAsMetrics, answersAsSmtp } from './who-listens.js';

/** Looks whether each port can be listened on: it is free, or Mayfly itself has it. */
export async function checkPorts(settings: Settings): Promise<Finding[]> {
  return await Promise.all(wantedPorts(settings).map((port) => checkPort(port, settings)));
}

/** Why a start has failed: where a Mayfly has the port that the start was to listen on, that is said instead. */
export async function whyNotStarted(error: unknown, settings: Settings): Promise<unknown> {
  const { code, port } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException & { readonly port?: number };
  if (code !== 'EADDRINUSE') return error;
  for (const wanted of wantedPorts(settings)) {
    const { setting, host } = wanted;
    if (wanted.port !== port || !(await isMayfly(wanted, settings))) continue;
    const sentence = `--${setting}: Mayfly is already running on ${withPort(host, port)}. Use that instance, stop it, or choose another port.`;
    return new Error(sentence, { cause: error });
  }
  return error;
}

function isMayfly({ setting, host, port }: WantedPort, settings: Settings): Promise<boolean> {
  const at = reachedAt(host);
  if (setting === 'smtp-port') return answersAsSmtp(at, port, settings['smtp-proxy']);
  return setting === 'metrics' ? answersAsMetrics(at, port) : answersAsHttp(at, port);
}

async function checkPort(wanted: WantedPort, settings: Settings): Promise<Finding> {
  const { setting, host, port } = wanted;
  const say = findings(setting);
  try {
    (await listening(host, port)).close();
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (isTaken && (await isMayfly(wanted, settings))) {
      return say.ok(`Mayfly is already running on ${withPort(host, port)}.`);
    }
    return say.problem(messageOf(listenError(error, setting, settings)));
  }
  return say.ok(port === 0 ? `Any free port of ${host} will be used.` : `Port ${port} of ${host} is free.`);
}
