import { connect } from 'node:net';
import { type AddressRange, isInRanges } from '../limits/client-address.js';

/** How long whoever listens may take to say who he is. */
const TIMEOUT_MS = 3_000;

/** More than Mayfly says before it is known. */
const MAX_BYTES = 64 * 1024;

/** What a proxy says of a connection of its own (D29), for where those from this machine begin with a PROXY header. */
const OWN_CONNECTION = 'PROXY UNKNOWN\r\n';

/**
 * Whether what listens there greets as Mayfly's SMTP does. One that has too many connections says so in Mayfly's words, too. `proxies` are
 * the addresses from which it awaits a PROXY header before it greets.
 */
export function answersAsSmtp(host: string, port: number, proxies: readonly AddressRange[]): Promise<boolean> {
  return says(
    host,
    port,
    (own) => (isInRanges(own, proxies) ? OWN_CONNECTION : ''),
    /^220 \S+ ESMTP Mayfly\r\n|^421 4\.\d\.\d (?:Too many connections from your address|All connections are in use)/,
  );
}

/** Whether it answers as Mayfly's HTTP does. */
export function answersAsHttp(host: string, port: number): Promise<boolean> {
  return says(host, port, () => asking('/livez'), /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"status":"ok"\}$/);
}

export function answersAsMetrics(host: string, port: number): Promise<boolean> {
  return says(host, port, () => asking('/metrics'), /\nmayfly_build_info\{/);
}

function asking(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
}

/** Whether what comes back for bytes, which our own address may decide, is or begins in time as expected. Never rejects. */
function says(host: string, port: number, bytesFrom: (own: string) => string, expected: RegExp): Promise<boolean> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, host);
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(expected.test(text));
    };
    const timer = setTimeout(done, TIMEOUT_MS);
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      if (text.length > MAX_BYTES || expected.test(text)) done();
    });
    socket.on('error', done).on('end', done);
    socket.once('connect', () => socket.write(bytesFrom(socket.localAddress ?? '')));
  });
}
