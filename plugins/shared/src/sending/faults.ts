import { faultOf, type RequestError } from 'mayfly-inbox/plugin';
import { type Problem, ProblemError, type ProblemKind, sentenceOf } from './problem.js';

/** Maps the status of an error in the error table to a kind of problem. */
const BY_STATUS: Readonly<Record<number, ProblemKind>> = {
  400: 'malformed',
  401: 'forbidden',
  403: 'forbidden',
  404: 'not-found',
  405: 'method',
  408: 'unavailable',
  413: 'too-large',
  415: 'media-type',
  429: 'rate',
  503: 'unavailable',
};

/** Maps an error's code to a kind of problem, where the status would be misleading. */
const BY_CODE: Readonly<Record<string, ProblemKind>> = {
  'foreign-host': 'forbidden',
  'several-hosts': 'forbidden',
  'no-host': 'forbidden',
  'public-host': 'forbidden',
  'disk-full': 'full',
  'bad-space': 'forbidden',
};

/** Returns a response's problem and headers. `maxBodyBytes` is the route's limit. Callers log `error` if `isOurs`. */
export function faultIn(error: Error, maxBodyBytes: number) {
  if (error instanceof ProblemError) return { ...hinted(error.problem), isOurs: false };
  const told = faultOf(error, maxBodyBytes);
  if (told === null) return { ...hinted({ kind: 'internal' }), isOurs: error.name !== 'AbortError' };
  return { ...ofRequest(told), isOurs: false };
}

function ofRequest({ status, message, headers }: RequestError) {
  const { 'mayfly-error': row = 'other', 'retry-after': after, connection, allow } = headers;
  const kind = BY_CODE[row] ?? BY_STATUS[status] ?? (status < 500 ? 'malformed' : 'internal');
  // Each provider has its own text for wrong paths and methods, so those have no detail.
  const problem: Problem = { kind, row, hint: message, ...(status !== 404 && status !== 405 && { detail: message }) };
  const given = Object.entries({ 'retry-after': after, connection, allow }).filter(([, value]) => value !== undefined);
  return { problem, headers: { 'mayfly-error': row, 'mayfly-hint': message, ...Object.fromEntries(given) } };
}

/** Puts our message into a header, because the body has the provider's text. */
function hinted(problem: Problem) {
  const { kind, detail = '' } = problem;
  // This `detail` names the recipient. A response may do so, but not the log, which has the text of `sentenceOf`.
  const hint = kind === 'not-served' && /^[ -~]+$/.test(detail) ? detail : sentenceOf(problem);
  return { problem, headers: { 'mayfly-hint': hint } };
}
