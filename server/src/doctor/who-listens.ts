import { connect } from 'node:net';

/** How long whoever listens may take to say who he is. */
const TIMEOUT_MS = 3_000;

/** More than Mayfly says before it is known. */
const MAX_BYTES = 64 * 1024;

/** Whether what listens there greets as Mayfly's SMTP does. One that has too many connections says so in Mayfly's words, too. */
export function answersAsSmtp(host: string, port: number): Promise<boolean> {
  return says(
    host,
    port,
    '',
    /^220 \S+ ESMTP Mayfly\r\n|^421 4\.\d\.\d (?:Too many connections from your address|All connections are taken)/,
  );
}

/** Whether it answers as Mayfly's HTTP does. */
export function answersAsHttp(host: string, port: number): Promise<boolean> {
  return says(host, port, asking('/livez'), /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"status":"ok"\}$/);
}

/** Whether Mayfly's figures are there. */
export function answersAsMetrics(host: string, port: number): Promise<boolean> {
  return says(host, port, asking('/metrics'), /\nmayfly_build_info\{/);
}

function asking(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
}

/** Whether what comes back for some bytes, in time, is or begins as expected. Never rejects. */
function says(host: string, port: number, bytes: string, expected: RegExp): Promise<boolean> {
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
    if (bytes !== '') socket.write(bytes);
  });
}
