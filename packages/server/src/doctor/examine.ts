import { neededNode } from '../manifest.js';
import type { Settings } from '../settings/table.js';
import { checkCertificate, checkTrust } from './check-certificate.js';
import { checkMx } from './check-mx.js';
import { checkPorts } from './check-ports.js';
import { checkStore, folderOf } from './check-store.js';
import { checkClock, checkNode, checkProxies } from './check-surroundings.js';
import type { Finding } from './finding.js';

export interface ExamineOptions {
  /** DNS servers with a port unless 53; null for the system's. */
  readonly dnsServers: readonly string[] | null;
  /** What plugins say. */
  readonly plugins: readonly Finding[];
}

/** Checks what a service needs and changes nothing. Asks only DNS, local listeners and the store's server. */
export async function examine(settings: Settings, { dnsServers, plugins }: ExamineOptions): Promise<Finding[]> {
  const [ports, store, mx, clock] = await Promise.all([
    checkPorts(settings),
    checkStore(settings),
    checkMx(settings, dnsServers),
    checkClock(folderOf(settings)),
  ]);
  const certificate = [...(await checkCertificate(settings, mx.hosts)), ...(await checkTrust(settings))];
  return [
    checkNode(process.version, neededNode()),
    clock,
    ...ports,
    ...checkProxies(settings),
    ...plugins,
    ...store,
    ...certificate,
    ...mx.findings,
  ];
}
