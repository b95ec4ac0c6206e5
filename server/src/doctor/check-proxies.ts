import { type AddressRange, isInRanges, isLoopback, shownRange } from '../limits/client-address.js';
import type { Settings } from '../settings/table.js';
import { type Finding, findings } from './finding.js';

type ProxySetting = 'smtp-proxy' | 'smtp-proxy-lazy';

/** Ranges with fewer bits than these hold more machines than one operator has. */
const LEAST_BITS = { ipv4: 8, ipv6: 16 } as const;

/** Looks whether the proxies that tell whose SMTP connection it is can reach the service, and are no more than proxies. */
export function checkProxies(settings: Settings): Finding[] {
  return (['smtp-proxy', 'smtp-proxy-lazy'] as const).flatMap((name) => {
    const ranges = settings[name];
    return ranges.length === 0
      ? []
      : [...checkReach(name, ranges, settings), ...checkWidth(name, ranges), told(name, ranges)];
  });
}

function told(name: ProxySetting, ranges: readonly AddressRange[]): Finding {
  const when = name === 'smtp-proxy' ? 'before the greeting' : "with the client's first bytes";
  const shown = ranges.map(shownRange).join(', ');
  return findings(name).ok(`SMTP connections from ${shown} must begin with a PROXY header, ${when}; others must not.`);
}

function checkReach(name: ProxySetting, ranges: readonly AddressRange[], { host }: Settings): Finding[] {
  const isLocal = isLoopback(host) || host === 'localhost';
  if (!isLocal || ['127.0.0.1', '::1', host].some((address) => isInRanges(address, ranges))) return [];
  return [
    findings(name).warning(
      `--host is ${host}, which is reachable only from this machine, but no proxy of --${name} is on it. Use the address at which the proxies reach this machine.`,
    ),
  ];
}

function checkWidth(name: ProxySetting, ranges: readonly AddressRange[]): Finding[] {
  return ranges
    .filter(([network, bits]) => bits < LEAST_BITS[network.kind()])
    .map((range) =>
      findings(name).warning(
        `${shownRange(range)} is too wide: any host in this range can pose as any client. List only the addresses of your balancers.`,
      ),
    );
}
