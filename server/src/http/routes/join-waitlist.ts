import type { WaitlistRequest, WaitlistResponse } from 'mayfly-client';
import { httpErrors } from '../../errors.js';
import type { Inboxes } from '../../inbox/inboxes.js';
import { reading } from '../fields.js';
import type { App } from '../framework.js';
import { errorAnswers, jsonAnswer, type ObjectSchema } from '../schemas.js';

const waitlistRequest: ObjectSchema<WaitlistRequest> = {
  type: 'object',
  properties: { email: { type: 'string', format: 'email', maxLength: 254 } },
  required: ['email'],
  examples: [{ email: 'ada@app.test' }],
};

const waitlistResponse: ObjectSchema<WaitlistResponse> = {
  type: 'object',
  properties: { success: { type: 'boolean', description: 'true when the address is on the waitlist.' } },
  required: ['success'],
};

const RESPONSE_EXAMPLE: WaitlistResponse = { success: true };

const INPUT = reading({ body: { schema: { $ref: 'WaitlistRequest#' }, error: httpErrors.badWaitlistEmail } });

/** `POST /api/waitlist` (interface section 4.3). */
export function addWaitlistRoute(app: App, inboxes: Inboxes): void {
  app.addSchema({ $id: 'WaitlistRequest', ...waitlistRequest });
  app.addSchema({ $id: 'WaitlistResponse', ...waitlistResponse });
  app.post<{ Body: WaitlistRequest }>(
    '/api/waitlist',
    {
      ...INPUT,
      config: { limit: 'waitlist' },
      schema: {
        ...INPUT.schema,
        operationId: 'joinWaitlist',
        summary: 'Adds an email address to the Workspaces waitlist. Joining twice is success again.',
        response: {
          200: jsonAnswer('The address is on the waitlist.', { $ref: 'WaitlistResponse#' }, RESPONSE_EXAMPLE),
          ...errorAnswers(
            httpErrors.badJson,
            httpErrors.badWaitlistEmail,
            httpErrors.bodyTooLarge,
            httpErrors.unsupportedMediaType,
          ),
        },
      },
    },
    async (request): Promise<WaitlistResponse> => {
      await inboxes.joinWaitlist(request.body.email);
      return { success: true };
    },
  );
}
