import { httpErrors } from '../../errors.js';
import {
  EmailGoneError,
  type Inboxes,
  type Inspection,
  InspectorBusyError,
  type PluginWork,
  type Reader,
} from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { readerOf, textBody } from '../answer/answers.js';
import { JSON_TYPE, RETRY_SOON, RequestError } from '../answer/request-error.js';
import type { App, Reply, Request } from '../framework.js';
import { reading } from './fields.js';
import { EMAIL_FIELDS } from './parameters.js';

export interface EmailParameters {
  readonly name: string;
  readonly receivedAt: string;
}

const INPUT = reading({ path: EMAIL_FIELDS });

type Inspected = { readonly messages: Pick<Inboxes['messages'], 'inspect'> };

export interface InspectionRoute {
  readonly work: Extract<Inspection, string> | PluginWork;
  readonly segment: string;
}

export function addInspectionRoute(
  app: App,
  inboxes: Inspected,
  access: Access,
  { work, segment }: InspectionRoute,
): void {
  app.get<{ Params: EmailParameters }>(
    `/api/inbox/:name/:receivedAt/${segment}`,
    INPUT.options('read'),
    async (request, reply) => {
      const found = await inspection(request, reply, inboxes, access, work);
      return reply.type(JSON_TYPE).send(textBody(reply, found));
    },
  );
}

/** The email that a path names and its caller may open. Throws 400 and 401 as `Access.inboxOf` does. */
export function emailOf(
  request: Request<EmailParameters>,
  access: Access,
): { readonly inbox: string; readonly receivedAt: number } {
  return { inbox: access.inboxOf(request), receivedAt: Date.parse(request.params.receivedAt) };
}

/** Rejects with 401, 404 and 503. */
export async function inspection(
  request: Request<EmailParameters>,
  reply: Reply,
  inboxes: Inspected,
  access: Access,
  work: Inspection | PluginWork,
): Promise<Buffer> {
  const found = await readAgain(request, reply, access, ({ inbox, receivedAt }, by) =>
    inboxes.messages.inspect(inbox, receivedAt, work, by),
  );
  return Buffer.from(found.buffer, found.byteOffset, found.length);
}

export async function readAgain<T>(
  request: Request<EmailParameters>,
  reply: Reply,
  access: Access,
  read: (email: ReturnType<typeof emailOf>, by: Reader) => Promise<T | null>,
): Promise<T> {
  const email = emailOf(request, access);
  const found = await there(access, read(email, readerOf(reply)));
  access.foundMail(request, email.inbox);
  return found;
}

/** Rejects with 404 for a missing email, and with 503 where there is no time for it. */
export async function there<T>(access: Access, reading: Promise<T | null>): Promise<T> {
  const found = await ifThere(access, reading);
  if (found !== null) return found;
  throw new RequestError(httpErrors.noSuchEmail);
}

export async function ifThere<T>(access: Access, reading: Promise<T | null>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof InspectorBusyError) {
      access.limited('inspections');
      throw new RequestError(httpErrors.tooManyInspections, {}, RETRY_SOON);
    }
    if (error instanceof EmailGoneError) return null;
    throw error;
  }
}
