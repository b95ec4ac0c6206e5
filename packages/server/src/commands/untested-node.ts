import { connect } from 'node:net';
import type { Log } from '../base/log.js';

/** The major version of the newest Node that the tests run on. */
const NEWEST_TESTED = 26;

const TESTED = '20.19, 22, 24 and 26';

const PATIENCE_MS = 10_000;

/**
 * For a Node that is newer than those tested: opens a stream as a client does, and throws a sentence for the operator
 * if the answer is none. Otherwise every wait would hang.
 */
export async function checkUntestedNode(http: string, log: Pick<Log, 'warn'>): Promise<void> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) <= NEWEST_TESTED) return;
  const answer = await firstAnswer(new URL(http));
  if (!isWhole(answer)) {
    const said = answer === '' ? 'sent nothing' : `began with ${JSON.stringify(answer.slice(0, 20))}`;
    throw new Error(
      `Mayfly does not work on Node ${node}: the answer of its HTTP port to a test ${said}. Run it with Node ${TESTED}, on which it is tested, or use a newer Mayfly.`,
    );
  }
  log.warn(`Node ${node} is newer than those that Mayfly is tested on (${TESTED}). A test of its HTTP port passed.`);
}

/** What the service sends for a stream, until that is whole or the time is over. */
function firstAnswer({ hostname, port, host }: URL): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, '')).setEncoding('latin1');
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('error', () => {}).on('close', () => resolve(answer));
    socket.on('data', (text) => {
      answer += text;
      if (isWhole(answer)) socket.destroy();
    });
    socket.write(`GET /api/inbox/node-check/stream HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  });
}

/** Whether an answer has a head and, where a stream begins, its first event. */
function isWhole(answer: string): boolean {
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
  if (status === undefined || !answer.includes('\r\n\r\n')) return false;
  return status !== '200' || answer.includes(': connected\n');
}
