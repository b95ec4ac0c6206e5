import { type AddressRange, isInRanges, isLoopback, shownRange } from '../limits/client-address.js';
import { manifest } from '../manifest.js';
import type { Settings } from '../settings/table.js';
import { checkCertificate, checkTrust } from './check-certificate.js';
import { checkMx } from './check-mx.js';
import { checkPorts } from './check-ports.js';
import { checkStore, dataFile, folderOf } from './check-store.js';
import { type Finding, findings } from './finding.js';

/** Checks what a service needs, and changes nothing. `dnsServers` replace those of the system. */
export async function examine(settings: Settings, dnsServers: readonly string[] | null, plugins: readonly Finding[]) {
  const [ports, store, mx, clock] = await Promise.all([
    checkPorts(settings),
    checkStore(settings),
    checkMx(settings, dnsServers),
    checkClock(folderOf(settings)),
  ]);
  const certificate = [...(await checkCertificate(settings, mx.hosts)), ...(await checkTrust(settings))];
  const node = checkNode(process.version, manifest.engines.node);
  return [node, clock, ...ports, ...checkProxies(settings), ...plugins, ...store, ...certificate, ...mx.findings];
}

/** A time before Mayfly existed, so a clock that shows an earlier time is wrong. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** Tolerance for the time of a file, because network file systems may have their own clocks. */
const TOLERANCE_MS = 60_000;

export async function checkClock(storeFolder: string | null, now = Date.now()): Promise<Finding> {
  const say = findings('clock');
  const shown = new Date(now).toISOString();
  const file = storeFolder === null ? null : await dataFile(storeFolder);
  if (now < EARLIEST)
    return say.problem`The clock of this machine says ${shown}, which is in the past. Set it, and keep it synchronized (NTP).`;
  if (file !== null && file.mtimeMs > now + TOLERANCE_MS)
    return say.problem`The clock says ${shown}, but the store was last written at ${file.mtime.toISOString()}. The clock has since been set back. Correct it and keep it synchronized (NTP), or mail is kept for too long.`;
  return say.ok`The clock says ${shown}.`;
}

export function checkNode(version: string, needed: string): Finding {
  const say = findings('node');
  const [[major = 0, minor = 0], [needMajor = 0, needMinor = 0]] = [version, needed].map(
    (text) => text.match(/\d{1,5}/g)?.map(Number) ?? [],
  ) as [number[], number[]];
  return major > needMajor || (major === needMajor && minor >= needMinor)
    ? say.ok`Node ${version}.`
    : say.problem`Node ${version} is too old. Install Node ${needMajor}.${needMinor} or newer.`;
}

type ProxySetting = 'smtp-proxy' | 'smtp-proxy-lazy';

/** Minimum prefix lengths. A wider range includes more machines than one operator has. */
const LEAST_BITS = { ipv4: 8, ipv6: 16 } as const;

export function checkProxies(settings: Settings): Finding[] {
  return (['smtp-proxy', 'smtp-proxy-lazy'] as const).flatMap((name) => checkProxy(name, settings[name], settings));
}

function checkProxy(name: ProxySetting, ranges: readonly AddressRange[], { host }: Settings): Finding[] {
  if (ranges.length === 0) return [];
  const say = findings(name);
  const isLocal = isLoopback(host) || host === 'localhost';
  const isReached = !isLocal || ['127.0.0.1', '::1', host].some((address) => isInRanges(address, ranges));
  const wide = ranges.filter(([network, bits]) => bits < LEAST_BITS[network.kind()]).map(shownRange);
  const when = name === 'smtp-proxy' ? 'before the greeting' : "with the client's first bytes";
  const unreached = say.warning`--host is ${host}, which is reachable only from this machine, but --${name} lists no proxy on this machine. Set --host to the address at which the proxies reach Mayfly.`;
  return [
    ...(isReached ? [] : [unreached]),
    ...wide.map(
      (range) =>
        say.warning`${range} is too wide: any host in this range can pose as any client. List only the addresses of your balancers.`,
    ),
    say.ok`SMTP connections from ${ranges.map(shownRange).join(', ')} must begin with a PROXY header, ${when}; others must not.`,
  ];
}
