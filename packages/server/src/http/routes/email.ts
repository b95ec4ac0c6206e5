import { httpErrors } from '../../errors.js';
import type { Inboxes } from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { messageIfThere, sendJson } from '../answer/answers.js';
import { RequestError } from '../answer/request-error.js';
import type { App } from '../framework.js';
import { addBodilessRoutes } from '../request/bodies.js';
import { reading } from '../request/fields.js';
import { addInspectionRoute, type EmailParameters, emailOf } from '../request/one-email.js';
import { EMAIL_FIELDS, EMAIL_PATH } from '../request/parameters.js';

const INPUT = reading({ path: EMAIL_FIELDS });

interface EmailRoute {
  Params: EmailParameters;
}

/** `GET` and `DELETE /api/inbox/{name}/{receivedAt}`, and the other requests for one email. */
export function addEmailRoutes(app: App, inboxes: Inboxes, access: Access): void {
  app.get<EmailRoute>(EMAIL_PATH, INPUT.options('read'), async (request, reply) => {
    const { inbox, receivedAt } = emailOf(request, access);
    return sendJson(reply, async () => {
      const json = await inboxes.readOne(inbox, receivedAt, access.takerOf(request, 'fetch'));
      if (json === null) throw new RequestError(httpErrors.noSuchEmail);
      access.foundMail(request, inbox);
      return json;
    });
  });
  addBodilessRoutes(app, (bodiless) =>
    bodiless.delete<EmailRoute>(EMAIL_PATH, INPUT.options('read'), async (request, reply) => {
      const { inbox, receivedAt } = emailOf(request, access);
      if (!(await inboxes.clear(inbox, receivedAt))) throw new RequestError(httpErrors.noSuchEmail);
      return reply.code(204).send();
    }),
  );
  app.get<EmailRoute>('/api/inbox/:name/:receivedAt/raw', INPUT.options('read'), async (request, reply) => {
    const { inbox, receivedAt } = emailOf(request, access);
    const message = await messageIfThere(reply, () => inboxes.messages.whole(inbox, receivedAt));
    if (message === null) throw new RequestError(httpErrors.noSuchEmail);
    access.foundMail(request, inbox);
    const file = `${inbox}-${new Date(receivedAt).toISOString()}.eml`.replaceAll(':', '-');
    reply.headers({ 'content-type': 'message/rfc822', 'content-disposition': `attachment; filename="${file}"` });
    return message;
  });
  addInspectionRoute(app, inboxes, access, { segment: 'explain', work: 'explanation' });
  addInspectionRoute(app, inboxes, access, { segment: 'parts', work: 'contents' });
}
