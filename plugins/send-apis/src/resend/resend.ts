import type { App, Reply, Request } from 'mayfly-inbox/plugin';
import { countMail } from 'mayfly-plugins-shared/sent-bodies';
import { json, sendAnswer } from '../answer.js';
import { isRefused } from '../delivery.js';
import { type Around, type Desk, SEND } from '../desk.js';
import { isObject } from '../json-object.js';
import { refuse } from '../problem.js';
import type { Provider } from '../provider.js';
import type { FoundMail } from '../sent-mail.js';
import { IdempotentRequests } from './idempotent.js';
import { resendError, resendWords } from './resend-answers.js';

interface ById {
  readonly id: string;
}

/** Resend (resend.com/docs/api-reference). */
export const resend: Provider = {
  title: 'Resend',
  answer: resendError,
  roots: ['/emails'],
  resources: null,
  addRoutes(api, desk) {
    const requests = new IdempotentRequests(desk.host.clock);
    const once: Around = (request, body, take) => {
      const space = desk.host.access.spaceOf(request);
      return requests.take(headerOf(request, 'idempotency-key'), request.routeOptions.url ?? '', body, take, space);
    };
    const shared = { provider: 'resend', mediaTypes: ['application/json'] } as const;
    desk.add(
      api,
      {
        ...shared,
        path: '/emails',
        translator: 'resend email',
        accepted: ([mail]) => json(200, { id: mail && !isRefused(mail) ? mail.id : '' }),
      },
      once,
    );
    desk.add(
      api,
      {
        ...shared,
        path: '/emails/batch',
        translator: 'resend batch',
        isPermissive,
        accepted(outcomes, request) {
          const data = outcomes.flatMap((mail) => (isRefused(mail) ? [] : { id: mail.id }));
          if (!isPermissive(request)) return json(200, { data });
          const errors = outcomes.flatMap((mail, index) =>
            isRefused(mail) ? { index, message: resendWords(mail) } : [],
          );
          return json(200, { data, errors });
        },
      },
      once,
    );
    addSentRoutes(api, desk);
  },
};

/** `GET` and `PATCH /emails/{id}`, and `POST /emails/{id}/cancel`: what was scheduled is sent already. */
function addSentRoutes(api: App, desk: Desk): void {
  const onRequest = (request: Request) => countMail(request, desk.host);

  desk.addFinding(api, '/emails/:id', async (request, by) => {
    const { id } = request.params;
    const found = await desk.sent.find(request, id, `<${id}@resend.dev>`, by);
    return json(200, found === null ? refuse('not-found', NO_EMAIL) : emailOf(id, found));
  });

  const known = async (request: Request<ById>, reply: Reply) => {
    const { id } = request.params;
    if ((await desk.sent.message(request, id, `<${id}@resend.dev>`)) === null) refuse('not-found', NO_EMAIL);
    return sendAnswer(reply, json(200, { object: 'email', id }));
  };
  api.patch<{ Params: ById }>('/emails/:id', { ...SEND, onRequest }, known);
  api.post<{ Params: ById }>('/emails/:id/cancel', { ...SEND, onRequest }, known);
}

const NO_EMAIL = { detail: 'Email not found', hint: 'No email has this id. It may have expired.' };

/** resend.com/docs/api-reference/emails/retrieve-email */
function emailOf(id: string, { head, receivedAt, contents }: FoundMail) {
  const asked = Array.isArray(contents.sendApi?.body) ? {} : contents.sendApi?.body;
  const { scheduled_at: scheduledAt = null, tags = [] } = isObject(asked) ? asked : {};
  const addresses = (people: FoundMail['head']['to']) => people.map(({ address }) => address);
  const orNull = (list: readonly string[]) => (list.length === 0 ? null : list);
  return {
    object: 'email',
    id,
    message_id: head.id,
    to: addresses(head.to),
    from: head.from.name === '' ? head.from.address : `${head.from.name} <${head.from.address}>`,
    created_at: new Date(receivedAt).toISOString(),
    subject: head.subject,
    html: contents.html,
    text: contents.text,
    bcc: orNull(addresses(head.bcc)),
    cc: orNull(addresses(head.cc)),
    reply_to: orNull(addresses(head.replyTo)),
    last_event: 'delivered',
    scheduled_at: scheduledAt,
    tags,
  };
}

function isPermissive(request: Request): boolean {
  return headerOf(request, 'x-batch-validation') === 'permissive';
}

function headerOf({ headers }: Request, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
