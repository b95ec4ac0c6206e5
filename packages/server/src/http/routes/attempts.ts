import type {
  Attempt,
  AttemptError,
  AttemptHanded,
  AttemptStages,
  InboxAttempts,
  InboxWait,
  InboxWaitFilter,
  KeptElsewhere,
  SessionAttempts,
  SmtpOffer,
} from 'mayfly-protocol';
import { httpErrors } from '../../errors.js';
import type { Access } from '../access/access.js';
import type { AttemptAnswers } from '../answer/attempt-answers.js';
import { errorAnswers, jsonAnswer, type ObjectSchema, objectSchema } from '../answer/schemas.js';
import type { App } from '../framework.js';
import { type Field, reading } from '../request/fields.js';
import { INBOX_FIELDS, KEY_OF_OWNER, RECEIVED_AT, SOURCE, takenElsewhere } from '../request/parameters.js';

const ms = (description: string) => ({ type: ['integer', 'null'], description });
const textOrNull = (description: string) => ({ type: ['string', 'null'], description });

const stages = objectSchema<AttemptStages>(
  {
    connect: ms('How long the connection had been open at at.'),
    rcpt: ms('The last RCPT command.'),
    data: ms('The DATA command.'),
    content: ms('The whole content had arrived.'),
    kept: ms('The email was on disk.'),
    handedOut: ms('The email was first given to a client.'),
  },
  { description: 'When it reached each stage, in milliseconds since at; null for a stage that it did not reach.' },
);

const error = objectSchema<AttemptError>(
  {
    code: { type: 'integer', description: 'SMTP reply code, or HTTP status of a send API.' },
    enhanced: textOrNull('Enhanced status code; null for a send API.'),
    text: { type: 'string' },
  },
  { type: ['object', 'null'], description: 'What the client was told; null if nothing was refused.' },
);

const client = textOrNull(
  "The client's address, as the service counts it. Null if it is not yours and may not be shown: addresses are shown to callers on this machine of a service that listens to no other, and in the networks of --drop-in-callers.",
);

const handed = objectSchema<AttemptHanded>({
  way: { type: 'string', enum: ['stream', 'page', 'fetch', 'mcp', 'drop-in'] },
  client,
  ms: { type: 'integer', description: 'Milliseconds since at.' },
});

const filter: ObjectSchema<InboxWaitFilter> = {
  type: 'object',
  description:
    'The filters of the wait, those that are set. Of texts, the first 200 characters. What a client filters by itself, such as a pattern, is not known to the service.',
  properties: {
    after: { type: 'string', format: 'date-time' },
    from: { type: 'string' },
    subject: { type: 'string' },
    body: { type: 'string' },
    hasOtp: { type: 'boolean' },
    hasMagicLink: { type: 'boolean' },
  },
  required: [],
};

const wait = objectSchema<InboxWait>({
  since: { type: 'string', format: 'date-time', description: 'When this stream or call began to wait.' },
  way: {
    type: 'string',
    enum: ['stream', 'page', 'mcp'],
    description: 'stream; page for a stream with source=browser; mcp for an agent.',
  },
  client,
  filter,
});

const attempt = objectSchema<Attempt>(
  {
    at: { type: 'string', format: 'date-time', description: 'When it began: MAIL, the request, or the connection.' },
    way: { type: 'string', description: 'smtp, the provider of a send API such as resend, or catcher.' },
    client,
    tls: {
      type: 'string',
      enum: ['no', 'asked', 'failed', 'yes'],
      description: 'Whether STARTTLS was requested, and how that ended.',
    },
    auth: { type: 'string', enum: ['no', 'accepted', 'refused'], description: 'Whether the client signed in.' },
    lastCommand: textOrNull('The last SMTP command; unknown if it is not an SMTP command.'),
    from: textOrNull('Sender by SMTP, empty for the null sender; null if none was named.'),
    to: textOrNull('The recipient as the sender wrote it; null if none was named.'),
    outcome: {
      type: 'string',
      description:
        'kept; or the error, such as foreign-domain (docs/errors.md); or how the client left: mail-lost (in the middle of the content), no-data (before it), no-mail (after EHLO), tls-ended (in the TLS handshake), no-command; http-port (spoke SMTP to the HTTP port, or waited there for a greeting); open (the client is connected, and the attempt is not over); tested (a client that also delivers messages sent only EHLO and QUIT).',
    },
    error,
    receivedAt: { type: ['string', 'null'], description: 'The email that came of it; null if none did.' },
    reply: {
      type: ['string', 'null'],
      enum: ['lost', null],
      description:
        'lost if the email was kept and the client did not get the 250: it had left, or the address asks for that. Null otherwise.',
    },
    stages,
    handed: {
      type: 'array',
      items: handed,
      description: 'To whom the email was given: the first time by each way, in the order of time.',
    },
  },
  {
    description:
      'One attempt to send a mail to one recipient, or a session that named none. Without content and credentials.',
  },
);

const smtp = objectSchema<SmtpOffer>(
  {
    port: { type: 'integer' },
    domains: { type: 'array', items: { type: 'string' }, description: 'Accepted mail domains; * stands for any.' },
    startTls: { type: 'boolean', description: 'Whether STARTTLS is offered.' },
    authWithoutTls: {
      type: 'boolean',
      description: 'Whether credentials are accepted without TLS from any address.',
    },
  },
  { description: 'Where and how mail is accepted over SMTP.' },
);

const node = { type: 'string', description: 'The node that answered. Each node remembers only its own attempts.' };

const now = { type: 'string', format: 'date-time', description: "The server's time." };

const attempts = { type: 'array', items: { $ref: 'Attempt#' }, description: 'Newest first, at most 100.' };

const elsewhere = {
  type: 'array',
  items: objectSchema<KeptElsewhere>({
    to: { type: 'string', description: 'The address of that inbox.' },
    at: { type: 'string', format: 'date-time', description: 'When the attempt began.' },
  }),
  description:
    'Mail kept for the same name in other domains, which are other inboxes: the newest of each, newest first, at most 5. Empty for callers on other machines, for an inbox that is not of the first domain, and if the service does not accept any domain.',
};

const newSpace = {
  type: 'boolean',
  description: "Whether the caller's space has never had mail, as far as this node remembers.",
};

const acrossSpaces = {
  type: 'integer',
  description:
    "How many attempts from the caller's address to send to this address are not listed, because the sender or the caller, but not both, are in a space.",
};

const inboxAttempts = objectSchema<InboxAttempts>({
  ...{ node, now, smtp, attempts },
  waits: {
    type: 'array',
    items: wait,
    description: 'Who waits for mail of this inbox at this node: at most 20, those that began first.',
  },
  ...{ elsewhere, newSpace, acrossSpaces },
});

const sessionAttempts = objectSchema<SessionAttempts>({
  node,
  now,
  smtp,
  attempts: {
    ...attempts,
    type: ['array', 'null'],
    description: 'Those that named no inbox, newest first, at most 100; null if you may see only your own counts.',
  },
  counts: {
    type: 'object',
    additionalProperties: { type: 'integer' },
    description:
      'How many attempts ended with each outcome, for any inbox: those of all clients, or only of your own address. ' +
      'in-spaces counts attempts in spaces; within a space, outside-spaces counts those of your address outside of it, and refused-sign-ins those of your ' +
      'address whose AUTH was refused.',
  },
});

const EXAMPLE: InboxAttempts = {
  node: 'ci-7',
  now: '2026-01-31T09:30:04.000Z',
  smtp: { port: 2525, domains: ['inbox.example.com'], startTls: false, authWithoutTls: true },
  attempts: [
    {
      at: '2026-01-31T09:30:00.000Z',
      ...{ way: 'smtp', client: '127.0.0.1', tls: 'no', auth: 'no', lastCommand: 'RCPT' },
      ...{ from: 'hello@app.test', to: 'demo@example.com', outcome: 'foreign-domain' },
      error: {
        code: 550,
        enhanced: '5.7.1',
        text: "This service only accepts mail for inbox.example.com. Start it with --domain '*' to accept any domain",
      },
      receivedAt: null,
      reply: null,
      stages: { connect: 2, rcpt: 1, data: null, content: null, kept: null, handedOut: null },
      handed: [],
    },
  ],
  waits: [
    {
      since: '2026-01-31T09:29:58.000Z',
      ...{ way: 'stream', client: '127.0.0.1', filter: { hasOtp: true } },
    },
  ],
  elsewhere: [],
  newSpace: false,
  acrossSpaces: 0,
};

const { elsewhere: _none, newSpace: _no, acrossSpaces: _0, waits: _1, ...ANSWERER } = EXAMPLE;

const SESSIONS_EXAMPLE: SessionAttempts = {
  ...ANSWERER,
  attempts: [
    {
      at: '2026-01-31T09:30:00.000Z',
      ...{ way: 'smtp', client: '127.0.0.1', tls: 'failed', auth: 'no', lastCommand: 'STARTTLS' },
      ...{ from: null, to: null, outcome: 'tls-ended', error: null, receivedAt: null, reply: null },
      stages: { connect: null, rcpt: null, data: null, content: null, kept: null, handedOut: null },
      handed: [],
    },
  ],
  counts: { kept: 12, 'tls-ended': 1 },
};

const AFTER: Field = {
  schema: { ...RECEIVED_AT, description: 'Only attempts that began at this time or later. All by default.' },
  error: httpErrors.badQuery,
  rule: 'give a time once, such as 2026-01-31T09:30:00.000Z',
};

const QUERY = { after: AFTER, source: SOURCE };
const refused = takenElsewhere(QUERY, 'it does not select attempts: use after');
const INBOX_INPUT = reading({ path: INBOX_FIELDS, query: QUERY, refused });
const INPUT = reading({ query: QUERY, refused });

interface AfterQuery {
  readonly after?: string;
}

/** `GET /api/inbox/{name}/attempts` and `GET /api/attempts` (D60). */
export function addAttemptRoutes(app: App, answers: AttemptAnswers, access: Access): void {
  app.addSchema({ $id: 'Attempt', ...attempt });
  app.addSchema({ $id: 'InboxAttempts', ...inboxAttempts });
  app.addSchema({ $id: 'SessionAttempts', ...sessionAttempts });
  app.get<{ Params: { name: string }; Querystring: AfterQuery }>(
    '/api/inbox/:name/attempts',
    INBOX_INPUT.options('look', {
      operationId: 'listAttempts',
      summary: 'Lists the attempts to send mail to the inbox, kept or refused, also before its first mail.',
      security: KEY_OF_OWNER,
      response: {
        200: jsonAnswer('The attempts, newest first.', { $ref: 'InboxAttempts#' }, EXAMPLE),
        ...errorAnswers(
          ...[httpErrors.badInboxName, httpErrors.foreignInbox, httpErrors.badQuery, httpErrors.misspelledQuery],
          ...[httpErrors.ownedName, httpErrors.privateInbox, httpErrors.tooManyNames, httpErrors.notReady],
        ),
      },
    }),
    async (request): Promise<InboxAttempts> => {
      const inbox = access.inboxOf(request);
      return answers.ofInbox(request, inbox, momentOf(request.query));
    },
  );
  app.get<{ Querystring: AfterQuery }>(
    '/api/attempts',
    INPUT.options('look', {
      operationId: 'listSessions',
      summary:
        'Lists the attempts to send mail that named no inbox, to callers on this machine and in the networks of --drop-in-callers. Others get the counts of their own address.',
      response: {
        200: jsonAnswer('The attempts, newest first.', { $ref: 'SessionAttempts#' }, SESSIONS_EXAMPLE),
        ...errorAnswers(
          ...[httpErrors.badQuery, httpErrors.misspelledQuery, httpErrors.publicHost],
          ...[httpErrors.crossSite, httpErrors.notReady],
        ),
      },
    }),
    async (request): Promise<SessionAttempts> => answers.sessions(request, momentOf(request.query)),
  );
}

function momentOf({ after }: AfterQuery): number {
  return after === undefined ? 0 : Date.parse(after);
}
