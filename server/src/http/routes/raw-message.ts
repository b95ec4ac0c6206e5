import type { Readable } from 'node:stream';
import { httpErrors } from '../../errors.js';
import { EmailGoneError, type Inboxes } from '../../inbox/inboxes.js';
import type { Message } from '../../inbox/read.js';
import type { Soon } from '../../soon.js';
import type { Access } from '../access.js';
import { askingOf, wholeOrStream } from '../answer-body.js';
import { reading } from '../fields.js';
import type { App, Reply } from '../framework.js';
import { EMAIL_ERRORS, type EmailParameters, emailOf } from '../one-email.js';
import { EMAIL_FIELDS, KEY_OF_OWNER } from '../path-fields.js';
import { RequestError } from '../request-error.js';
import { EMAIL_EXAMPLE, errorAnswers } from '../schemas.js';

const INPUT = reading({ path: EMAIL_FIELDS });

/** `GET /api/inbox/{name}/{receivedAt}/raw`: the message, to be saved as a file. */
export function addMessageRoute(app: App, inboxes: Inboxes, access: Access): void {
  app.get<{ Params: EmailParameters }>(
    '/api/inbox/:name/:receivedAt/raw',
    {
      ...INPUT,
      config: { limit: 'look' },
      schema: {
        ...INPUT.schema,
        operationId: 'getMessage',
        summary: 'The whole message of an email, byte for byte as it came, as a file.',
        security: KEY_OF_OWNER,
        response: {
          200: {
            description: 'The message.',
            content: { 'message/rfc822': { schema: { type: 'string' }, example: EMAIL_EXAMPLE.rawBody } },
          },
          ...errorAnswers(...EMAIL_ERRORS, httpErrors.tooManyAnswers),
        },
      },
    },
    async (request, reply) => {
      const { inbox, receivedAt } = emailOf(request.params);
      access.checkOwner(request, inbox);
      const message = await messageIfThere(reply, () => inboxes.message(inbox, receivedAt));
      if (message === null) throw new RequestError(httpErrors.noSuchEmail);
      access.foundMail(request, inbox);
      const file = `${inbox}-${new Date(receivedAt).toISOString().replaceAll(':', '-')}.eml`;
      reply.headers({ 'content-type': 'message/rfc822', 'content-disposition': `attachment; filename="${file}"` });
      return message;
    },
  );
}

/** A message, begun; null where there is none, or none any more. */
export async function messageIfThere(
  reply: Reply,
  read: () => Soon<Message | null>,
): Promise<Buffer | Readable | null> {
  const { largeAnswers } = reply.server;
  try {
    const message = await largeAnswers.make(askingOf(reply), read);
    if (message === null) return null;
    if (!(message instanceof Uint8Array)) return await wholeOrStream(message);
    largeAnswers.hold(askingOf(reply), message.length);
    return Buffer.from(message.buffer, message.byteOffset, message.length);
  } catch (error) {
    if (error instanceof EmailGoneError) return null;
    throw error;
  }
}
