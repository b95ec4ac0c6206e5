import { httpErrors } from '../errors.js';
import type { Inboxes } from '../inbox/inboxes.js';
import type { Inspection } from '../inbox/threads/inspect.js';
import { InspectorBusyError } from '../inbox/threads/inspector.js';
import type { Access } from './access.js';
import { whenLeft } from './client-left.js';
import type { Reply, Request } from './framework.js';
import { RequestError, retryAfter } from './request-error.js';

/** One email by its inbox and its `receivedAt`, as the schema lets them through. */
export interface EmailParameters {
  readonly name: string;
  readonly receivedAt: string;
}

/** After how long somebody may try again who found too many messages being read. */
const BUSY_RETRY_MS = 1_000;

/** What every operation on one email may answer when it fails. */
export const EMAIL_ERRORS = [
  httpErrors.badInboxName,
  httpErrors.badReceivedAt,
  httpErrors.ownedName,
  httpErrors.noSuchEmail,
] as const;

/** The same of those that read the message again. */
export const INSPECTION_ERRORS = [...EMAIL_ERRORS, httpErrors.tooManyInspections] as const;

/** The email that a path names. */
export function emailOf({ name, receivedAt }: EmailParameters): {
  readonly inbox: string;
  readonly receivedAt: number;
} {
  return { inbox: name.toLowerCase(), receivedAt: Date.parse(receivedAt) };
}

/** What an inspection of the email that a request names finds. Rejects with 401, 404 and 503. */
export async function inspection(
  request: Request<EmailParameters>,
  reply: Reply,
  inboxes: Inboxes,
  access: Access,
  kind: Inspection,
): Promise<Buffer> {
  const { inbox, receivedAt } = emailOf(request.params);
  access.checkOwner(request, inbox);
  try {
    const by = { client: access.clientOf(request), signal: whenLeft(reply) };
    const found = await inboxes.inspect(inbox, receivedAt, kind, by);
    if (found !== null) return Buffer.from(found.buffer, found.byteOffset, found.length);
  } catch (error) {
    if (!(error instanceof InspectorBusyError)) throw error;
    throw new RequestError(httpErrors.tooManyInspections, {}, retryAfter(BUSY_RETRY_MS));
  }
  throw new RequestError(httpErrors.noSuchEmail);
}
