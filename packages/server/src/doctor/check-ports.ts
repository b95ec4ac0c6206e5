import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { reachedAt, withPort } from '../base/listen-address.js';
import { type AddressRange, isInRanges } from '../limits/client-address.js';
import { listenError, listening, messageOf, type WantedPort, wantedPorts } from '../settings/resources.js';
import type { Settings } from '../settings/table.js';
import { type Finding, findings } from './finding.js';

const TIMEOUT_MS = 3_000;

/** Maximum bytes that are read from a server. Mayfly sends fewer. */
const MAX_BYTES = 64 * 1024;

/** A PROXY header that names no client (D29). Sent if Mayfly expects a header from this machine's address. */
const OWN_CONNECTION = 'PROXY UNKNOWN\r\n';

/** Mayfly's SMTP greeting, or its refusal of more connections. */
const GREETING =
  /^220 \S+ ESMTP Mayfly\r\n|^421 4\.\d\.\d (?:Too many connections from your address|All connections are in use)/;

export function checkPorts(settings: Settings): Promise<Finding[]> {
  return Promise.all(wantedPorts(settings).map((port) => checkPort(port, settings)));
}

async function checkPort(wanted: WantedPort, settings: Settings): Promise<Finding> {
  const { setting, host, port } = wanted;
  const say = findings(setting);
  try {
    (await listening(host, port)).close();
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (isTaken && (await isMayfly(wanted, settings))) {
      return say.ok`Mayfly is already running on ${withPort(host, port)}.`;
    }
    return say.problem`${messageOf(listenError(error, setting, settings))}`;
  }
  return port === 0 ? say.ok`Any free port of ${host} will be used.` : say.ok`Port ${port} of ${host} is free.`;
}

/** Replaces the error of a failed start with a clearer one if a Mayfly already uses the port. */
export async function whyNotStarted(error: unknown, settings: Settings): Promise<unknown> {
  const { code, port } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException & { readonly port?: number };
  if (code !== 'EADDRINUSE') return error;
  for (const wanted of wantedPorts(settings)) {
    const { setting, host } = wanted;
    if (wanted.port !== port || !(await isMayfly(wanted, settings))) continue;
    const sentence = `--${setting}: Mayfly is already running on ${withPort(host, port)}. Use that instance, stop it, or choose another port.`;
    return new Error(sentence, { cause: error });
  }
  return error;
}

async function isMayfly({ setting, host, port }: WantedPort, settings: Settings): Promise<boolean> {
  const { 'smtp-proxy': proxies, 'smtp-proxy-lazy': lazyProxies } = settings;
  const says = async (bytesFrom: (own: string) => string, expected: RegExp, tls?: 'tls') =>
    expected.test(await answerOf(connect(port, reachedAt(host)), bytesFrom, expected, TIMEOUT_MS, tls));
  const headerFrom = (ranges: readonly AddressRange[]) => (own: string) =>
    isInRanges(own, ranges) ? OWN_CONNECTION : '';
  switch (setting) {
    case 'smtp-port':
      return says(headerFrom(proxies), GREETING);
    case 'smtps-port':
      return says(headerFrom([...proxies, ...lazyProxies]), GREETING, 'tls');
    case 'metrics':
      return says(() => asking('/metrics'), /\nmayfly_build_info\{/);
    default:
      return says(() => asking('/livez'), /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"status":"ok"\}$/);
  }
}

const asking = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

/** Calls `bytesFrom` with our address, sends the result, and reads until `enough` or a timeout. Never rejects. */
export function answerOf(
  socket: Socket,
  bytesFrom: (own: string) => string,
  enough: RegExp,
  timeoutMs: number,
  tls: 'tls' | 'clear' = 'clear',
): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(done, timeoutMs);
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.length > MAX_BYTES || enough.test(text)) done();
    };
    socket.on('error', done).once('connect', () => {
      socket.write(bytesFrom(socket.localAddress ?? ''));
      // Only the server's answer matters here, not whether its certificate is trusted.
      const stream = tls === 'tls' ? connectTls({ socket, rejectUnauthorized: false }) : socket;
      stream.on('data', read).on('error', done).on('end', done);
    });
  });
}
