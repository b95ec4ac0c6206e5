import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { StoreLimits } from '../../../src/store/store.js';
import { NOON, ROOMY } from '../mail.js';

const SCRIPT = fileURLToPath(new URL('appending-process.mjs', import.meta.url));

/** Number of stored emails before a process is killed. */
const ENOUGH = 150;

/** More deliveries than a process can make before it is killed. */
const ENDLESS = 1e6;

/** Number of concurrent deliveries of a process. */
export const WRITERS = 20;

export interface Appending {
  readonly url: string;
  readonly limits?: StoreLimits;
  readonly name: string;
  readonly count: number;
}

/** Runs the appending process until it ends, and reports each email that it stored. */
export async function appendElsewhere(
  appending: Appending,
  onStored: (text: string, child: ChildProcess) => void,
): Promise<void> {
  const child = spawn(process.execPath, argumentsOf(appending), { stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface(child.stdout).on('line', (text) => onStored(text, child));
  const [code, signal] = await once(child, 'close');
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`The appending process ended with ${code ?? signal}.`);
}

/** Runs the appending process while this process is blocked. */
export function appendElsewhereSync(appending: Appending): void {
  execFileSync(process.execPath, argumentsOf(appending), { stdio: ['ignore', 'ignore', 'inherit'] });
}

function argumentsOf({ url, limits = ROOMY, name, count }: Appending): string[] {
  return [SCRIPT, url, JSON.stringify(limits), `${NOON}`, name, `${count}`, `${WRITERS}`];
}

/** Kills an appending process in the middle of its work; resolves to the acknowledged emails. */
export async function killWhileAppending(url: string): Promise<string[]> {
  const acknowledged: string[] = [];
  await appendElsewhere({ url, name: 'killed', count: ENDLESS }, (text, child) => {
    acknowledged.push(text);
    if (acknowledged.length === ENOUGH) child.kill('SIGKILL');
  });
  return acknowledged;
}
