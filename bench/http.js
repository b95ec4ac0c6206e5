// HTTP as the clients of a benchmark speak it: each from a loopback address of its own.
import http from 'node:http';

/** How long a client waits for an answer to end. */
const PATIENCE_MS = 30_000;

/** The message of the error after a client has waited too long. */
export const GAVE_UP = 'timeout';

/**
 * Sends a request and resolves to the answer's `{ status, body }`; `body` is null if the answer broke off. Rejects with
 * the error if no answer began. `localAddress` is the client's address; without an `agent` the connection is used once.
 */
export async function request(service, path, options = {}) {
  const response = await open(service, path, options);
  const chunks = [];
  try {
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, body: Buffer.concat(chunks) };
  } catch {
    return { status: response.statusCode, body: null };
  }
}

/** Sends a request and resolves to the answer as soon as it begins; the caller reads or destroys it. */
export function open(service, path, { body, timeoutMs = PATIENCE_MS, agent = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: service.host, port: service.httpPort, path, agent, ...options }, resolve);
    const tooLate = setTimeout(() => sent.destroy(new Error(GAVE_UP)), timeoutMs);
    sent.on('close', () => clearTimeout(tooLate));
    sent.on('error', reject);
    sent.end(body);
  });
}
