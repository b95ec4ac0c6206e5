import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/** Attaches strace, whose `options` name its output file, and resolves once attached. strace exits with the process. */
export async function attach(pid: number, options: readonly string[]): Promise<ChildProcess> {
  const strace = spawn('strace', [...options, '-f', '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    // Continues to read, because strace also reports new threads here, and a closed pipe would end strace.
    strace.stderr.on('data', (chunk) => {
      said += chunk;
      if (said.includes('attached')) resolve();
    });
    strace.once('error', reject);
    strace.once('exit', () => reject(new Error(`strace did not attach: ${said}`)));
  });
  return strace;
}

/** Resolves when strace has written everything. */
export async function ended(strace: ChildProcess): Promise<void> {
  if (strace.exitCode === null && strace.signalCode === null) await once(strace, 'exit');
}

/** A system call. `start` and `end` are the numbers of the trace's lines where the call begins and where it returns. */
export interface Call {
  readonly name: string;
  /** The file descriptor in the first argument; -1 if the first argument is not a number. */
  readonly fd: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Parses the output of `strace -f`, in which an interrupted call takes two lines. */
export function callsIn(trace: string): Call[] {
  const calls: Call[] = [];
  const begun = new Map<string, { text: string; start: number }>();
  for (const [position, line] of trace.split('\n').entries()) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest)?.[1];
    const before = resumed === undefined ? { text: '', start: position } : begun.get(thread);
    if (before === undefined) continue;
    const text = before.text + (resumed ?? rest);
    if (rest.endsWith('<unfinished ...>')) {
      begun.set(thread, { text: rest.slice(0, -'<unfinished ...>'.length), start: position });
      continue;
    }
    begun.delete(thread);
    const [, name, fd] = /^(\w+)\((\d+)?/.exec(text) ?? [];
    if (name !== undefined) calls.push({ name, fd: Number(fd ?? -1), text, start: before.start, end: position });
  }
  return calls;
}

/** O_DSYNC in the octal flags of /proc. */
const DSYNC = 0o10000;

/** Returns all descriptors that a process has open for a file, and those of them whose writes are synchronous. */
export async function descriptorsOf(pid: number, file: string): Promise<{ all: Set<number>; synced: Set<number> }> {
  const all = new Set<number>();
  const synced = new Set<number>();
  for (const name of await readdir(`/proc/${pid}/fd`)) {
    const flags = descriptorFlags(pid, name, file);
    if (flags === null) continue;
    all.add(Number(name));
    if (flags & DSYNC) synced.add(Number(name));
  }
  return { all, synced };
}

function descriptorFlags(pid: number, name: string, file: string): number | null {
  try {
    if (readlinkSync(`/proc/${pid}/fd/${name}`) !== file) return null;
    const [, flags = ''] = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${name}`, 'utf8')) ?? [];
    return Number.parseInt(flags, 8);
  } catch {
    // The process closed the descriptor after `readdir` listed it.
    return null;
  }
}
