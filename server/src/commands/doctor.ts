import { isIP } from 'node:net';
import { jsonText, printable } from 'mayfly-cli';
import type { Finding, Level } from '../doctor/finding.js';
import { readSettings, SettingsError, settingNames, settingsOfEnvironment } from '../settings/reading.js';
import type { Command, Invocation } from './command.js';

const MARKS: Readonly<Record<Level, string>> = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' };

export const doctor: Command = {
  usage: 'doctor [OPTIONS]',
  summary: 'Looks for what keeps the service from working, and says what to do.',
  description:
    'Looks at what a service with the same settings needs, whether it runs or not: its ports, its store and the disk, its ' +
    'certificate, the MX records of its domains, the clock and Node. It changes nothing, and asks nobody but DNS, what listens on ' +
    'this machine and the server of its store. It ends with 0, or with 1 where something is a problem.',
  settings: settingNames(),
  switches: { json: 'Prints the findings as JSON.' },
  options: {
    dns: {
      placeholder: 'ADDRESS',
      description: "DNS server to ask in place of the system's, such as 192.0.2.53 or 192.0.2.53:5353.",
    },
  },
  maxOperands: 0,
  run: look,
};

async function look({ settings: flags, switches, options, environment }: Invocation): Promise<number> {
  const settings = readSettings(flags, settingsOfEnvironment(environment));
  const dns = options.get('dns');
  const dnsServers = dns === undefined ? null : [dnsServer(dns)];
  const { examine } = await import('../doctor/examine.js');
  const found = await examine(settings, { dnsServers });
  const isWell = found.every(({ level }) => level !== 'problem');
  const text = switches.has('json') ? jsonText({ ok: isWell, findings: found }) : found.map(line).join('\n');
  process.stdout.write(`${text}\n`);
  return isWell ? 0 : 1;
}

/** What DNS and others say may hold anything. */
function line({ check, level, text }: Finding): string {
  return `${MARKS[level]}${check}: ${printable(text)}`;
}

function dnsServer(text: string): string {
  const [, bracketed, bare, port = '53'] =
    /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9.]{7,15}))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? bare ?? text;
  if (isIP(address) === 0 || Number(port) < 1 || Number(port) > 65_535) {
    throw new SettingsError(
      '--dns: write an IP address, with a port where that is not 53, such as 192.0.2.53 or [2001:db8::53]:5353.',
    );
  }
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
