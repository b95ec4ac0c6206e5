import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { readDockerfile } from '../container/dockerfile.js';
import { endAll, fetchInbox, type RunningMayfly, serve, transportTo } from './process.js';

const MIB = 1024 * 1024;

/** The memory that docs/operations.md states for the defaults. Node limits its heap to half of it. */
const LIMIT_BYTES = 512 * MIB;

/** Variables of a container's environment that are not our settings. */
const ENVIRONMENT = {
  ...Object.fromEntries(Object.entries(imageEnvironment()).filter(([name]) => name.startsWith('MALLOC_'))),
  NODE_OPTIONS: `--max-old-space-size=${LIMIT_BYTES / 2 / MIB}`,
};

/**
 * Minimum and maximum time that a test watches the service after the last request of an attack. In between, the test
 * ends once the service uses little CPU time. A faulty service may need half a minute to fill its memory.
 */
const ATTACK_MS = 4_000;
const MOST_ATTACK_MS = 60_000;
const LITTLE_CPU = 0.2;

/** Interval at which each connection reads a little. */
const READ_EVERY_MS = 800;
const READ_BYTES = 600;

/** Maximum wait of another client for a response, on a busy machine. */
const PATIENCE_MS = 240_000;

/**
 * A Linux control group (version 1) that kills a service which exceeds the limit, and that limits socket buffers; null
 * if none can be created.
 */
const GROUP = controlGroup(`/sys/fs/cgroup/memory/mayfly-test-${process.pid}`);

const sockets = new Set<Socket>();

afterEach(() => {
  leave();
  endAll();
});

afterAll(() => vi.waitFor(() => GROUP?.remove(), { timeout: 120_000 }));

/** Stops an attack. */
function leave(): void {
  const open = [...sockets];
  sockets.clear();
  for (const socket of open) socket.destroy();
}

function imageEnvironment(): Readonly<Record<string, string>> {
  const text = readFileSync(new URL('../../../../Dockerfile', import.meta.url), 'utf8');
  return readDockerfile(text).at(-1)?.environment ?? {};
}

function controlGroup(folder: string): { readonly prefix: readonly string[]; remove(): void } | null {
  try {
    mkdirSync(folder);
    writeFileSync(`${folder}/memory.kmem.tcp.limit_in_bytes`, String(64 * MIB));
    writeFileSync(`${folder}/memory.limit_in_bytes`, String(LIMIT_BYTES));
  } catch {
    return null;
  }
  const prefix = ['sh', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$@"`, 'sh'];
  return { prefix, remove: () => rmdirSync(folder) };
}

/** The memory of a process in bytes. */
function memoryOf({ process: { pid } }: RunningMayfly): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** The CPU time of a process in milliseconds, from Linux's count in hundredths of a second. */
function cpuMsOf({ process: { pid } }: RunningMayfly): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number) as [number, number];
  return (user + system) * 10;
}

/** Returns a function that reports whether a process used little CPU time since the last report; null within 1 s. */
function watchRest(mayfly: RunningMayfly): () => boolean | null {
  let [at, cpuMs] = [performance.now(), cpuMsOf(mayfly)];
  return () => {
    const elapsedMs = performance.now() - at;
    if (elapsedMs < 1_000) return null;
    const usedMs = cpuMsOf(mayfly) - cpuMs;
    [at, cpuMs] = [at + elapsedMs, cpuMs + usedMs];
    return usedMs / elapsedMs < LITTLE_CPU;
  };
}

interface Attack {
  readonly clients: number;
  readonly connections: number;
  /** Requests that each connection sends at the same time. */
  readonly requests: number;
  /** The paths that the requests cycle through. */
  readonly paths: readonly string[];
}

/** Opens connections of many clients, which send many requests and read slowly. Reopens closed connections. */
function attack({ url }: RunningMayfly, { clients, connections, requests, paths }: Attack): { sent: number } {
  const soFar = { sent: 0 };
  let asked = 0;
  const request = () => `GET ${paths[asked++ % paths.length]} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const open = (localAddress: string) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
    sockets.add(socket);
    socket.pause().on('error', () => {});
    socket.write(Array.from({ length: requests }, request).join(''), () => {
      soFar.sent += 1;
    });
    const reading = setInterval(() => socket.read(READ_BYTES) ?? socket.read(), READ_EVERY_MS);
    socket.on('close', () => {
      clearInterval(reading);
      // When the attack ends, `leave` has emptied the set, so sockets do not reconnect.
      if (sockets.delete(socket)) setTimeout(open, 100, localAddress).unref();
    });
  };
  for (let n = 0; n < clients * connections; n += 1) open(`127.0.7.${1 + (n % clients)}`);
  return soFar;
}

/** A connection that sends for as long as the attack lasts. */
function talker(port: number, localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.add(socket);
  return socket.on('error', () => {});
}

/** Begins messages of nearly the maximum size over SMTP, and of 2 MB over HTTP, each from a different client. */
function beginMails({ url, smtpPort }: RunningMayfly): void {
  const content = Buffer.from(`${'z'.repeat(998)}\r\n`.repeat(9_500));
  for (let n = 0; n < 30; n += 1) {
    const sender = talker(smtpPort, `127.0.8.${1 + n}`);
    sender.write(`EHLO a.test\r\nMAIL FROM:<a@a.test>\r\nRCPT TO:<half-${n}@inbox.example.com>\r\nDATA\r\n`);
    sender.on('data', (said) => {
      if (/^354 /m.test(String(said))) sender.write(content);
    });
  }
  const body = Buffer.alloc(2_000_000, ' ');
  for (let n = 0; n < 20; n += 1) {
    const sender = talker(Number(new URL(url).port), `127.0.9.${1 + n}`).resume();
    sender.write('POST /api/v1/send HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2097152\r\n\r\n');
    sender.write(body);
  }
}

/** Sends an email with this many lines, and resolves to its path. 130 lines are just under 16 KiB, a small response. */
async function emailOf(lines: number, mayfly: RunningMayfly): Promise<string> {
  const text = `${'y'.repeat(69)}\n`.repeat(lines);
  await transportTo(mayfly).sendMail({ from: 'app@shop.test', to: 'small@inbox.example.com', subject: 'Small', text });
  const { emails } = await fetchInbox(mayfly, 'small');
  return `/api/inbox/small/${emails[0]?.receivedAt}`;
}

/** Returns a path for every kind of response, from an inbox with thirty messages of 200 KB and an image of 10 MB. */
async function everyKind(mayfly: RunningMayfly): Promise<string[]> {
  const transport = transportTo(mayfly);
  const mail = { from: 'app@shop.test', to: 'mixed@inbox.example.com' };
  const image = { content: randomBytes(7 * MIB), filename: 'a.png', contentType: 'image/png', cid: 'a' };
  await transport.sendMail({ ...mail, html: '<img src="cid:a">', attachments: [image] });
  const html = `<p>${'y'.repeat(62)}</p>\n`.repeat(2_900);
  for (let n = 0; n < 30; n += 1) await transport.sendMail({ ...mail, html });
  const { emails } = await fetchInbox(mayfly, 'mixed');
  const times = emails.map(({ receivedAt }) => receivedAt).sort();
  const inbox = '/api/inbox/mixed';
  const [large, small] = [`${inbox}/${times[0]}`, `${inbox}/${times[1]}`];
  const ofMail = [large, small].flatMap((path) => [path, `${path}/raw`, `${path}/parts`, `${path}/html`]);
  return [...ofMail, inbox, `${large}/parts/2`, '/openapi.json', '/inbox/mixed', `${inbox}/stream`];
}

/** The maximum memory of the service during an attack, in bytes. Rejects if another client is not answered in time. */
async function mostMemory(mayfly: RunningMayfly, kind: Attack): Promise<number> {
  const soFar = attack(mayfly, kind);
  const isAtRest = watchRest(mayfly);
  let most = 0;
  let sentAt = Number.POSITIVE_INFINITY;
  for (let isOver = false; !isOver; await delay(100)) {
    const ask = () => fetch(`${mayfly.url}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    // While this process was busy, the service may have closed the idle connection. Only a failed request shows that.
    const response = await ask().catch((error) =>
      ['UND_ERR_SOCKET', 'ECONNRESET'].includes(error.cause?.code) ? ask() : Promise.reject(error),
    );
    expect(await response.json()).toEqual({ status: 'ok' });
    most = Math.max(most, memoryOf(mayfly));
    if (soFar.sent >= kind.clients * kind.connections) sentAt = Math.min(sentAt, performance.now());
    const lastedMs = performance.now() - sentAt;
    isOver = lastedMs > MOST_ATTACK_MS || (lastedMs > ATTACK_MS && isAtRest() === true);
  }
  return most;
}

const FEW = { clients: 4, connections: 690, requests: 32 };
const MANY = { clients: 60, connections: 50, requests: 32 };
const AHEAD = { clients: 4, connections: 250, requests: 1_800 };
const MIXED = { clients: 27, connections: 25, requests: 3 };

const nothing = () => {};

describe('a service with the documented memory', () => {
  test.each([
    ['thousands of requests in a packet, sent ahead of the answers', AHEAD, async () => ['/'], nothing, 240],
    ['large answers that few clients do not read', FEW, async () => ['/openapi.json'], nothing, 240],
    [
      'small answers that many clients do not read',
      MANY,
      async (mayfly: RunningMayfly) => [await emailOf(130, mayfly)],
      nothing,
      320,
    ],
    [
      'messages that the store copies for each of many clients, who do not read them',
      MANY,
      async (mayfly: RunningMayfly) => [`${await emailOf(800, mayfly)}/raw`],
      nothing,
      320,
    ],
    ['answers of every kind that many clients do not read', MIXED, everyKind, nothing, 380],
    ['unread responses of every kind, and messages that do not end', MIXED, everyKind, beginMails, 400],
    // The last number is the growth allowed, in MiB. A service that wrongly begins every request exceeds it, or dies.
  ])('survives %s, and serves other clients', { timeout: 480_000 }, async (_, kind, pathsIn, beside, mostGrowth) => {
    const as = GROUP === null ? {} : { prefix: GROUP.prefix };
    const mayfly = await serve(
      ['--store', 'memory:', '--compat-api', 'mailpit', '--log-level', 'warn'],
      ENVIRONMENT,
      as,
    );
    const paths = await pathsIn(mayfly);
    // The first response allocates memory that is needed only once.
    await fetch(`${mayfly.url}${paths[0]}`).then((response) => response.text());
    const before = memoryOf(mayfly);
    beside(mayfly);
    const most = await mostMemory(mayfly, { ...kind, paths });
    expect(most).toBeLessThan(LIMIT_BYTES);
    expect(most - before).toBeLessThan(mostGrowth * MIB);
    leave();
    expect(await mayfly.end('SIGTERM')).toBe(0);
  });
});
