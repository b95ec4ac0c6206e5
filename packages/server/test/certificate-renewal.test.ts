import { expect, test } from 'vitest';
import type { TlsIdentity } from '../src/tls/certificate.js';
import { CHECK_MS, watchCertificate } from '../src/tls/certificate-files.js';
import { ManualClock } from './manual-clock.js';

const OLD: TlsIdentity = { cert: 'old', key: 'old key' };
const NEW: TlsIdentity = { cert: 'new', key: 'new key' };

/** A watch over two files that hold what `next` says, or cannot be used. */
function watched() {
  const clock = new ManualClock();
  const used: TlsIdentity[] = [];
  const logged: string[] = [];
  const faults: string[] = [];
  const files = { next: OLD as TlsIdentity | Error };
  const renewal = watchCertificate({
    used: OLD,
    async read() {
      if (files.next instanceof Error) throw files.next;
      return files.next;
    },
    use(pair) {
      const fault = faults.shift();
      if (fault !== undefined) throw new Error(fault);
      used.push(pair);
    },
    clock,
    log: {
      info: (message) => void logged.push(`info: ${message}`),
      warn: (message) => void logged.push(`warn: ${message}`),
    },
  });
  const look = () => clock.advance(CHECK_MS);
  return { used, logged, files, faults, renewal, look };
}

test('a pair that is wrong at one look is not worth a word', async () => {
  const { used, logged, files, look } = watched();
  files.next = new Error('half written');
  await look();
  files.next = NEW;
  await look();
  expect(used).toEqual([NEW]);
  expect(logged).toEqual([expect.stringMatching(/^info: /)]);
});

test('one that stays wrong is told once, the one before stays, and the right one is used when it comes', async () => {
  const { used, logged, files, look } = watched();
  files.next = new Error('they do not belong together.');
  for (let looks = 0; looks < 5; looks += 1) await look();
  expect(used).toEqual([]);
  expect(logged).toEqual([
    'warn: The TLS certificate was not renewed; the previous one stays in use: they do not belong together.',
  ]);
  files.next = NEW;
  await look();
  expect(used).toEqual([NEW]);
  files.next = new Error('they do not belong together.');
  for (let looks = 0; looks < 2; looks += 1) await look();
  expect(logged.filter((line) => line.startsWith('warn'))).toHaveLength(2);
});

test('one that cannot be used is tried again at every look', async () => {
  const { used, logged, files, faults, look } = watched();
  files.next = NEW;
  faults.push('no PEM', 'no PEM', 'no PEM');
  for (let looks = 0; looks < 3; looks += 1) await look();
  expect(used).toEqual([]);
  expect(logged).toEqual([expect.stringMatching(/^warn: .* stays in use: no PEM$/)]);
  await look();
  expect(used).toEqual([NEW]);
});

test('nothing is looked at once it is stopped', async () => {
  const { used, files, renewal, look } = watched();
  files.next = NEW;
  await renewal.stop();
  await look();
  expect(used).toEqual([]);
});
