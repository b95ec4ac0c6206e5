// What the steps of attacks are made of.
import { open, request } from '../http.js';

/** A text that no email holds. */
export const NOWHERE = 'z'.repeat(40);

/** What the fetch limit allows one client in its window. */
export const FETCHES = 20;
const FETCH_WINDOW_MS = 10_000;

/**
 * One request over the attacker's connections: resolves to its status, or to `cut` when not all of the answer came.
 * Rejects when it ended with the phase.
 */
export async function statusOf({ service, address, agent, signal }, path, options = {}) {
  const { status, body } = await request(service, path, { localAddress: address, agent, signal, ...options });
  if (body === null) signal.throwIfAborted();
  return body === null ? 'cut' : String(status);
}

/**
 * Opens a stream and closes it when it says that it is open, or when the given signal says so. Refusals are read whole.
 */
export async function streamOpened({ service, address, signal }, path, until = null, headers = {}) {
  const response = await open(service, path, { localAddress: address, signal, headers });
  if (response.statusCode !== 200) {
    response.resume();
    return String(response.statusCode);
  }
  response.on('error', () => {});
  await new Promise((resolve) => response.once('data', resolve).once('close', resolve));
  if (until !== null) await new Promise((resolve) => response.once('close', resolve));
  response.destroy();
  return 'opened';
}

/** How many names one client may try at once, and how many more in a second: far fewer than guessing needs. */
const NAMES = 6_000;
const NAMES_A_SECOND = 10;

/** How many names one client may try in a time, and a second more than was measured. */
export function namesAllowed(elapsedMs) {
  return NAMES + NAMES_A_SECOND * (elapsedMs / 1_000 + 1);
}

/** Into how many windows of the fetch limit a time reaches at most. */
export function windowsIn(elapsedMs) {
  return 1 + Math.floor(elapsedMs / FETCH_WINDOW_MS);
}

/** Milliseconds as seconds, for sentences. */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
