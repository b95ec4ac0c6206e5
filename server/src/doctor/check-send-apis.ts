import { reachedAt, withPort } from '../base/listen-address.js';
import { sendingTo, servedSendApis } from '../settings/send-apis.js';
import type { Settings } from '../settings/table.js';
import { type Finding, findings } from './finding.js';

/** Tells which variables applications set that send with the SDK of a provider. */
export function checkSendApis(settings: Settings): Finding {
  const served = servedSendApis(settings);
  const say = findings('send-apis');
  if (served.length === 0) {
    return say.ok('No send API of a provider is served; --send-apis all serves those of all.');
  }
  const url = `http://${withPort(reachedAt(settings.host), settings['http-port'])}`;
  const variables = Object.values(sendingTo(url, served)).flatMap((own) => Object.entries(own));
  const shown = variables.map(([name, value]) => `${name}=${value}`).join(' ');
  return say.ok(`Applications that send with a provider's SDK take ${shown} (docs/send-apis.md).`);
}
