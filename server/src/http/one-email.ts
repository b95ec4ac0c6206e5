import { httpErrors } from '../errors.js';
import { EmailGoneError, type Inboxes } from '../inbox/inboxes.js';
import type { Reader } from '../inbox/threads/held-answers.js';
import type { Inspection } from '../inbox/threads/inspect.js';
import { InspectorBusyError, InspectorClosedError } from '../inbox/threads/inspection-turns.js';
import type { Access } from './access.js';
import { whenLeft } from './client-left.js';
import type { Reply, Request } from './framework.js';
import { RequestError, retryAfter, stoppingError } from './request-error.js';

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
  httpErrors.tooManyNames,
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
  const found = await readAgain(request, reply, access, ({ inbox, receivedAt }, by) =>
    inboxes.inspect(inbox, receivedAt, kind, by),
  );
  return Buffer.from(found.buffer, found.byteOffset, found.length);
}

/** Reads the message of the email that a request names again, for the request's client. Rejects with 401, 404 and 503. */
export async function readAgain<T>(
  request: Request<EmailParameters>,
  reply: Reply,
  access: Access,
  read: (email: ReturnType<typeof emailOf>, by: Reader) => Promise<T | null>,
): Promise<T> {
  const email = emailOf(request.params);
  access.checkOwner(request, email.inbox);
  // The connection, for an answer that waits behind another has none yet that it could end.
  const cut = () => request.socket.destroy();
  const found = await there(
    access,
    read(email, { client: access.clientOf(request), signal: whenLeft(reply.raw), cut }),
  );
  access.foundMail(request, email.inbox);
  return found;
}

/** What is read of an email. Rejects with 404 where the email is not there, and with 503 where there is no time for it. */
export async function there<T>(access: Access, reading: Promise<T | null>): Promise<T> {
  const found = await ifThere(access, reading);
  if (found !== null) return found;
  throw new RequestError(httpErrors.noSuchEmail);
}

/** The same; null where the email is not there. */
export async function ifThere<T>(access: Access, reading: Promise<T | null>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof InspectorBusyError) {
      access.limited('inspections');
      throw new RequestError(httpErrors.tooManyInspections, {}, retryAfter(BUSY_RETRY_MS));
    }
    if (error instanceof InspectorClosedError) throw stoppingError();
    if (error instanceof EmailGoneError) return null;
    throw error;
  }
}
