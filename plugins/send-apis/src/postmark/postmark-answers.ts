import { type Answer, json } from '../answer.js';
import type { Problem, ProblemKind } from '../problem.js';

/** Status and error code (postmarkapp.com/developer/api/overview, "Response codes" and "API error codes"). */
type Row = readonly [status: number, errorCode: number, words?: string];

const ROWS: Readonly<Record<ProblemKind, Row>> = {
  malformed: [422, 402, 'Received invalid JSON input.'],
  missing: [422, 300],
  invalid: [422, 403],
  sender: [422, 300],
  recipient: [422, 300],
  attachment: [422, 300],
  'not-served': [422, 406],
  'too-many-recipients': [422, 300],
  'too-many-mails': [422, 410, 'You exceeded the maximum number of messages in a batch.'],
  'too-large': [413, 300, 'The request exceeds the maximum size of a message.'],
  full: [422, 405, "This account has run out of credits. You can't send until you buy more."],
  rate: [429, 429, 'Rate limit exceeded. Please reduce your request rate.'],
  unavailable: [503, 100, 'The Postmark API is offline for maintenance.'],
  'media-type': [422, 409, 'Your HTTP request does not have the Content-Type header set to application/json.'],
  forbidden: [401, 10],
  'not-found': [404, 701],
  method: [405, 701, 'The requested resource does not support this HTTP method.'],
  'bad-key': [422, 300],
  'key-reused': [422, 300],
  'key-in-use': [422, 300],
  internal: [500, 0, 'An internal server error occurred.'],
};

/** An error of Postmark: `{ ErrorCode, Message }`. */
export function postmarkError(problem: Problem): Answer {
  return json(ROWS[problem.kind][0], postmarkProblem(problem));
}

export function postmarkProblem(problem: Problem) {
  return { ErrorCode: ROWS[problem.kind][1], Message: words(problem) };
}

function words({ kind, field, detail, address }: Problem): string {
  const [, , fixed] = ROWS[kind];
  if (kind === 'missing') {
    if (field === 'To') return 'Zero recipients specified';
    return field === 'HtmlBody'
      ? 'Provide either email TextBody or HtmlBody or both.'
      : `The '${field}' field is required.`;
  }
  if (kind === 'sender' || kind === 'recipient')
    return `Invalid '${field}' address: '${(address ?? '').slice(0, 320)}'.`;
  // Postmark's SDKs read the addresses out of this sentence.
  if (kind === 'not-served') {
    return `You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: ${address}. Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.`;
  }
  if (kind === 'too-many-recipients') return `A message may have at most ${detail} recipients.`;
  if (kind === 'not-found') return detail ?? 'The requested resource does not exist.';
  if (kind === 'invalid' && field !== undefined) return `The '${field}' field must be ${detail}.`;
  return fixed ?? detail ?? 'The request is invalid.';
}
