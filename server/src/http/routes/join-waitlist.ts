import type { WaitlistRequest, WaitlistResponse } from 'mayfly-client';
import type { Inboxes } from '../../inbox/inboxes.js';
import type { App } from '../framework.js';
import { errorAnswer, RETRY_AFTER } from '../schemas.js';

/** `POST /api/waitlist` (spec.md section 4.3). */
export function addWaitlistRoute(app: App, inboxes: Inboxes): void {
  app.post<{ Body: WaitlistRequest }>(
    '/api/waitlist',
    {
      config: { limit: 'waitlist' },
      schema: {
        operationId: 'joinWaitlist',
        summary: 'Adds an email address to the Workspaces waitlist. Joining twice is success again.',
        body: { $ref: 'WaitlistRequest#' },
        response: {
          200: {
            description: 'The address is on the waitlist.',
            content: { 'application/json': { schema: { $ref: 'WaitlistResponse#' } } },
          },
          400: errorAnswer('The body is not JSON, or holds no valid email address.'),
          401: errorAnswer('The API key is not known.'),
          413: errorAnswer('The body is too large.'),
          415: errorAnswer('The body is not sent as application/json.'),
          429: errorAnswer('Too many requests from this address.', RETRY_AFTER),
        },
      },
    },
    async (request): Promise<WaitlistResponse> => {
      await inboxes.joinWaitlist(request.body.email);
      return { success: true };
    },
  );
}
