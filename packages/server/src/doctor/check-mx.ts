import { Resolver } from 'node:dns/promises';
import { isLoopback } from '../limits/client-address.js';
import { messageOf } from '../settings/resources.js';
import type { Settings } from '../settings/table.js';
import { type Finding, findings } from './finding.js';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

const MAX_HOSTS = 10;

/** Names that public DNS does not know: RFC 6761, RFC 2606, RFC 6762, RFC 8375, and `internal`, reserved by ICANN. */
const RESERVED = /(?:^|\.)(?:test|example|invalid|localhost|local|internal|home\.arpa|onion|example\.(?:com|net|org))$/;

const NOTHING = new Set(['ENOTFOUND', 'ENODATA']);

/** The port for mail from the internet (RFC 5321 section 4.5.4.2). */
const SMTP_PORT = 25;

/** Checks for each domain whether mail from the internet arrives here. `servers` replace the system's DNS servers. */
export async function checkMx(settings: Settings, servers: readonly string[] | null) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== null) resolver.setServers(servers);
  const checked = await Promise.all(settings.domain.map((domain) => checkDomain(domain, resolver)));
  const hosts = checked.flatMap(([, ofDomain = []]) => ofDomain);
  return {
    findings: [...checked.map(([finding]) => finding), ...(hosts.length > 0 ? checkReach(settings) : [])],
    hosts,
  };
}

async function checkDomain(
  domain: string,
  resolver: Resolver,
): Promise<readonly [finding: Finding, hosts?: readonly string[]]> {
  const say = findings(`mx of ${domain}`);
  if (domain === '*') return [say.ok`Mail for any domain is accepted, so there is no MX record to check.`];
  if (RESERVED.test(domain))
    return [say.ok`This domain is reserved for tests or private networks, so it needs no MX record.`];
  try {
    const records = await found(resolver.resolveMx(domain));
    const hosts = records.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange.replace(/\.$/, ''));
    if (hosts.length > 0) return await checkHosts(say, hosts, resolver);
    // Without an MX record, mail goes to the address of the domain itself (RFC 5321 section 5.1).
    return (await addressesOf(domain, resolver)).length === 0
      ? [
          say.problem`This domain has neither an MX record nor an address in DNS, so it receives no mail from other machines. Publish "${domain}. MX 10 HOST.", where HOST is the name of this machine.`,
        ]
      : [
          say.warning`This domain has no MX record in DNS, so mail goes to the IP address of the domain itself. Publish an MX record, which every sender understands.`,
          [domain],
        ];
  } catch (error) {
    return [say.warning`The DNS lookup failed (${messageOf(error)}), so it is unknown where this domain gets mail.`];
  }
}

async function checkHosts(say: ReturnType<typeof findings>, all: readonly string[], resolver: Resolver) {
  if (all.every((host) => host === ''))
    return [
      say.problem`The MX record says that this domain accepts no mail (RFC 7505). Replace it with one for this host.`,
    ] as const;
  const hosts = all.slice(0, MAX_HOSTS);
  const known = await Promise.all(hosts.map(async (host) => ({ host, addresses: await addressesOf(host, resolver) })));
  const lost = known.filter(({ addresses }) => addresses.length === 0).map(({ host }) => host);
  const local = known.filter(({ addresses }) => addresses.some(isLoopback)).map(({ host }) => host);
  const shown = known.map(({ host, addresses }) => `${host} (${addresses.join(', ') || 'no address'})`).join(', ');
  const finding = () => {
    if (lost.length === hosts.length)
      return say.problem`The MX record points to ${shown}. Publish an A or AAAA record for ${lost.join(' and ')}.`;
    if (local.length > 0)
      return say.problem`The MX record points to ${shown}, but ${local.join(' and ')} resolves to the sender's own machine. Publish the address of this machine.`;
    if (lost.length > 0)
      return say.warning`The MX record points to ${shown}. A sender may try a host without an address first, which delays the mail.`;
    return say.ok`Mail goes to ${shown}. Make sure that this is your machine, or that it forwards mail to your machine.`;
  };
  return [finding(), hosts] as const;
}

/** Checks that other machines can reach the listener: senders use only port 25, and cannot reach a loopback address. */
function checkReach({ host, 'smtp-port': port }: Settings): Finding[] {
  const say = findings('reach');
  if (isLoopback(host) || host === 'localhost') {
    return [
      say.warning`--host is ${host}, which is reachable only from this machine. Use 0.0.0.0, unless something on this machine forwards mail to Mayfly.`,
    ];
  }
  if (port === SMTP_PORT) return [];
  return [
    say.warning`Mail from the internet arrives at port ${SMTP_PORT}, but --smtp-port is ${port}. Forward port ${SMTP_PORT} to port ${port}, or set --smtp-port ${SMTP_PORT}.`,
  ];
}

async function addressesOf(host: string, resolver: Resolver): Promise<string[]> {
  return (await Promise.all([found(resolver.resolve4(host)), found(resolver.resolve6(host))])).flat();
}

function found<T>(lookup: Promise<T[]>): Promise<T[]> {
  return lookup.catch((error) => {
    if (NOTHING.has(error.code)) return [];
    throw error;
  });
}
