import type { WaitlistRequest, WaitlistResponse } from 'mayfly-protocol';
import { httpErrors } from '../../errors.js';
import { errorAnswers, jsonAnswer, objectSchema } from '../answer/schemas.js';
import type { App } from '../framework.js';
import { refuseCoding } from '../request/bodies.js';
import { reading } from '../request/fields.js';

const waitlistRequest = objectSchema<WaitlistRequest>(
  { email: { type: 'string', format: 'email', maxLength: 254, description: 'The address to add.' } },
  { examples: [{ email: 'ada@app.test' }] },
);

const waitlistResponse = objectSchema<WaitlistResponse>({
  success: { type: 'boolean', description: 'true when the address is on the waitlist.' },
});

const RESPONSE_EXAMPLE: WaitlistResponse = { success: true };

const INPUT = reading({ body: { schema: { $ref: 'WaitlistRequest#' }, error: httpErrors.badWaitlistEmail } });

/** Adds an address; one that is there stays as it is (D18). */
export type JoinWaitlist = (email: string) => Promise<void>;

/** `POST /api/waitlist` (interface section 4.3). */
export function addWaitlistRoute(app: App, joinWaitlist: JoinWaitlist): void {
  app.addSchema({ $id: 'WaitlistRequest', ...waitlistRequest });
  app.addSchema({ $id: 'WaitlistResponse', ...waitlistResponse });
  app.post<{ Body: WaitlistRequest }>(
    '/api/waitlist',
    {
      ...INPUT.options('waitlist', {
        operationId: 'joinWaitlist',
        summary: 'Adds an email address to the Workspaces waitlist. Joining again also succeeds.',
        response: {
          200: jsonAnswer('The address is on the waitlist.', { $ref: 'WaitlistResponse#' }, RESPONSE_EXAMPLE),
          ...errorAnswers(
            httpErrors.badJson,
            httpErrors.badWaitlistEmail,
            httpErrors.bodyTooLarge,
            httpErrors.unsupportedMediaType,
            httpErrors.unsupportedContentEncoding,
          ),
        },
      }),
      preParsing: refuseCoding,
    },
    async (request): Promise<WaitlistResponse> => {
      await joinWaitlist(request.body.email.toLowerCase());
      return { success: true };
    },
  );
}
