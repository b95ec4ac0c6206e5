import { isIP } from 'node:net';
import { jsonText, printable } from 'mayfly-cli';
import type { Level } from '../doctor/finding.js';
import { pluginFindings } from '../plugin/installed.js';
import { readSettings, SettingsError, settingsOfEnvironment } from '../settings/reading.js';
import { settingNames } from '../settings/table.js';
import type { Command, Invocation } from './command.js';

const MARKS: Readonly<Record<Level, string>> = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' };

export const doctor: Command = {
  usage: 'doctor [OPTIONS]',
  summary: 'Diagnoses problems and says how to fix them.',
  description:
    'Checks what a service with the same settings needs, whether or not it is running: ports, store, disk, ' +
    'certificate, MX records, clock and Node version. It changes nothing and contacts only DNS, the listeners on ' +
    'this machine and the store\'s server. It exits with 0, or with 1 if it finds a problem. It takes all options of "mayfly serve" (see "mayfly serve --help").',
  get settings() {
    return settingNames();
  },
  settingsAreElsewhere: true,
  switches: { json: 'Prints the findings as JSON.' },
  options: {
    dns: {
      placeholder: 'ADDRESS',
      description: "DNS server to use instead of the system's, such as 192.0.2.53 or 192.0.2.53:5353.",
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
  const found = await examine(settings, dnsServers, pluginFindings(settings));
  const isWell = found.every(({ level }) => level !== 'problem');
  // Replaces control characters, because the texts of DNS and other servers may be hostile.
  const lines = found.map(({ check, level, text }) => `${MARKS[level]}${check}: ${printable(text)}`);
  const text = switches.has('json') ? jsonText({ ok: isWell, findings: found }) : lines.join('\n');
  process.stdout.write(`${text}\n`);
  return isWell ? 0 : 1;
}

function dnsServer(text: string): string {
  const [, bracketed, bare, port = '53'] =
    /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9.]{7,15}))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? bare ?? text;
  if (isIP(address) === 0 || Number(port) < 1 || Number(port) > 65_535) {
    throw new SettingsError(
      '--dns: use an IP address, with a port unless it is 53, such as 192.0.2.53 or [2001:db8::53]:5353.',
    );
  }
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
