import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type AddressRange, isInRanges, isLoopback, shownRange } from '../limits/client-address.js';
import type { Settings } from '../settings/table.js';
import { type Finding, findings } from './finding.js';

const clock = findings('clock');

/** Mayfly is younger: a machine that claims an earlier time lost it. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** Network file systems may have their own clocks. */
const TOLERANCE_MS = 60_000;

export async function checkClock(storeFolder: string | null, now = Date.now()): Promise<Finding> {
  const shown = new Date(now).toISOString();
  if (now < EARLIEST) {
    return clock.problem(
      `The clock of this machine says ${shown}, which is in the past. Set it, and keep it synchronized (NTP).`,
    );
  }
  const written = storeFolder === null ? null : await lastWritten(storeFolder);
  if (written !== null && written > now + TOLERANCE_MS) {
    return clock.problem(
      `The clock says ${shown}, but the store was last written at ${new Date(written).toISOString()}. It has since been set back. ` +
        'Correct it and keep it synchronized (NTP), or mail is kept for too long.',
    );
  }
  return clock.ok(`The clock says ${shown}.`);
}

async function lastWritten(folder: string): Promise<number | null> {
  const file = await stat(path.join(folder, 'data.mdb')).catch(() => null);
  return file?.mtimeMs ?? null;
}

const node = findings('node');

/** Checks Node's version, such as `v22.1.0`, against the needed `>=20.19`. */
export function checkNode(version: string, needed: string): Finding {
  const [major = 0, minor = 0] = numbers(version);
  const [needMajor = 0, needMinor = 0] = numbers(needed);
  const isEnough = major > needMajor || (major === needMajor && minor >= needMinor);
  return isEnough
    ? node.ok(`Node ${version}.`)
    : node.problem(`Node ${version} is too old. Install Node ${needMajor}.${needMinor} or newer.`);
}

function numbers(text: string): number[] {
  return (text.match(/\d{1,5}/g) ?? []).map(Number);
}

type ProxySetting = 'smtp-proxy' | 'smtp-proxy-lazy';

/** Wider ranges hold more machines than one operator has. */
const LEAST_BITS = { ipv4: 8, ipv6: 16 } as const;

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
