import {
  type App,
  addRawRoutes,
  INBOX_FIELDS,
  notStoredErrors,
  type Released,
  RequestError,
  reading,
  type Service,
} from 'mayfly-inbox/plugin';
import type { ReleaseResponse } from 'mayfly-protocol';
import { HTTP_ERRORS } from './errors.js';

const MAX_POSITIONS = 100;

const INPUT = reading({
  path: INBOX_FIELDS,
  query: {
    order: {
      schema: {
        type: 'string',
        pattern: `^[1-9][0-9]{0,5}(?:,[1-9][0-9]{0,5}){0,${MAX_POSITIONS - 1}}$`,
        description: 'Positions of the emails to release, in order. 1 is the oldest. All by default.',
        examples: ['2,1'],
      },
      rule: `use at most ${MAX_POSITIONS} positions with commas between them, such as 2,1`,
    },
  },
});

/** Releases held mail; null for an inbox that holds none. */
export type Release = (inbox: string, order: readonly number[] | null) => Promise<Released | null>;

export function addReleaseRoute(app: App, access: Service['access'], release: Release): void {
  // Rejects a body, because an `order` in it would be ignored and all held emails would be released.
  addRawRoutes(app, (raw) =>
    raw.post<{ Params: { name: string }; Querystring: { order?: string } }>(
      '/api/inbox/:name/release',
      INPUT.options('read'),
      async (request): Promise<ReleaseResponse> => {
        const inbox = access.inboxOf(request);
        if (Buffer.isBuffer(request.body) && request.body.length > 0) throw new RequestError(HTTP_ERRORS.releaseBody);
        const positions = request.query.order?.split(',').map(Number) ?? null;
        const released = await release(inbox, positions && [...new Set(positions)]);
        return answerOf(released);
      },
    ),
  );
}

function answerOf(released: Released | null): ReleaseResponse {
  if (released === null) throw new RequestError(HTTP_ERRORS.notHolding);
  if (typeof released === 'string') {
    const { code, enhanced, text } = notStoredErrors[released];
    throw new RequestError(HTTP_ERRORS.releaseIsFull, { reason: `${code} ${enhanced} ${text}` });
  }
  const { held } = released;
  if (!('missing' in released)) return { released: released.released, held };
  const emails = held === 0 ? 'no email' : held === 1 ? '1 email' : `${held} emails`;
  throw new RequestError(HTTP_ERRORS.notHeld, { held: emails, position: released.missing });
}
