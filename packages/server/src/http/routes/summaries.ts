import type { EmailSummary, SummaryResponse } from 'mayfly-protocol';
import { httpErrors } from '../../errors.js';
import { type Inboxes, NO_SUMMARIES, type Page } from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { leavingOf, sendJson } from '../answer/answers.js';
import { EMAIL, EMAIL_EXAMPLE, errorAnswers, jsonAnswer, objectSchema } from '../answer/schemas.js';
import type { App } from '../framework.js';
import { type Field, reading } from '../request/fields.js';
import {
  INBOX_FIELDS,
  KEY_OF_OWNER,
  RECEIVED_AT,
  SELECTION,
  SELECTION_ERRORS,
  type SelectionQuery,
  SOURCE,
  selectionOf,
  takenElsewhere,
} from '../request/parameters.js';

const { receivedAt, to, otp } = EMAIL.properties;

export const EMAIL_SUMMARY = objectSchema<EmailSummary>(
  {
    receivedAt,
    to,
    id: { type: ['string', 'null'], description: 'As in the Email; null if listed in cut.' },
    from: { type: ['string', 'null'], description: 'As in the Email; null if listed in cut.' },
    fromName: {
      type: 'string',
      description: 'Decoded display name of the From header; empty if there is none. Ends in … if listed in cut.',
    },
    subject: { type: 'string', description: 'As in the Email. Ends in … if listed in cut.' },
    otp,
    magicLink: {
      type: ['string', 'null'],
      description: 'As in the Email. Null if it has none or if listed in cut.',
    },
    size: { type: 'integer', minimum: 0, description: 'Size of the whole message in bytes.' },
    attachments: { type: 'integer', minimum: 0, description: 'Number of attachments.' },
    text: {
      type: 'string',
      description: 'The beginning of body: 200 characters, or fewer if there is no room.',
    },
    cut: {
      type: 'array',
      items: { type: 'string', enum: ['id', 'from', 'fromName', 'subject', 'magicLink'] },
      description: 'The names of the fields that are truncated or omitted here. Usually empty.',
    },
    code: {
      type: ['string', 'null'],
      description:
        'The code to type: otp; without otp and magicLink the best code with letters, as in codes of its parts.',
    },
    action: {
      type: 'boolean',
      description:
        'Whether the email asks its reader to follow a link: its magicLink, or without any code one of other wording.',
    },
  },
  {
    description:
      'What a list shows of one email, in at most 1,000 bytes, whatever the mail. What is too long for that is cut or left out, and ' +
      'named in cut; the Email has it whole.',
  },
);

const summaryResponse = objectSchema<SummaryResponse>({
  emails: { type: 'array', items: { $ref: 'EmailSummary#' }, description: 'Most recent first.' },
  count: {
    type: 'integer',
    minimum: 0,
    description: 'Number of emails in this response. If it is less than limit, there are no more.',
  },
});

export const SUMMARY_EXAMPLE: EmailSummary = {
  receivedAt: EMAIL_EXAMPLE.receivedAt,
  to: EMAIL_EXAMPLE.to,
  id: EMAIL_EXAMPLE.id,
  from: EMAIL_EXAMPLE.from,
  fromName: '',
  subject: EMAIL_EXAMPLE.subject,
  otp: EMAIL_EXAMPLE.otp,
  magicLink: EMAIL_EXAMPLE.magicLink,
  size: EMAIL_EXAMPLE.rawBody.length,
  attachments: 0,
  text: EMAIL_EXAMPLE.body,
  cut: [],
  code: EMAIL_EXAMPLE.otp,
  action: false,
};

const EXAMPLE: SummaryResponse = { emails: [SUMMARY_EXAMPLE], count: 1 };

interface PageQuery {
  readonly limit?: string;
  readonly before?: string;
}

const PAGE: Readonly<Record<keyof PageQuery, Field>> = {
  limit: {
    schema: {
      type: 'string',
      pattern: '^[1-9][0-9]{0,5}$',
      description:
        'Maximum number of emails, the most recent ones: a whole number from 1 to 999999 without leading zeros. Without it, all.',
    },
    error: httpErrors.badQuery,
    rule: 'use a whole number from 1 to 999999 without leading zeros, once',
  },
  before: {
    schema: {
      ...RECEIVED_AT,
      description:
        'Only emails with an earlier receivedAt. The value is the receivedAt of the last email of the previous page.',
    },
    error: httpErrors.badQuery,
    rule: "use an email's receivedAt, once, such as 2026-01-31T09:30:00.000Z",
  },
};

const QUERY = { source: SOURCE, ...SELECTION, ...PAGE };
const INPUT = reading({
  path: INBOX_FIELDS,
  query: QUERY,
  refused: takenElsewhere(QUERY, 'it is not for this request; to search all mail, use GET /api/emails'),
});

interface SummaryRoute {
  Params: { name: string };
  Querystring: SelectionQuery & PageQuery & { source?: unknown };
}

export function addSummaryRoute(app: App, inboxes: Inboxes, access: Access): void {
  app.addSchema({ $id: 'EmailSummary', ...EMAIL_SUMMARY });
  app.addSchema({ $id: 'SummaryResponse', ...summaryResponse });
  app.get<SummaryRoute>(
    '/api/inbox/:name/summary',
    INPUT.options('look', {
      operationId: 'getSummaries',
      summary: 'Returns a summary of each email currently stored for the inbox, or a page of them.',
      security: KEY_OF_OWNER,
      response: {
        200: jsonAnswer(
          'The summaries, most recent first; none when the inbox is empty or its emails have expired.',
          { $ref: 'SummaryResponse#' },
          EXAMPLE,
        ),
        ...errorAnswers(...SELECTION_ERRORS, httpErrors.tooManyNames, httpErrors.tooManyAnswers),
      },
    }),
    async (request, reply) => {
      const inbox = access.inboxOf(request);
      const { query } = request;
      return sendJson(reply, async () => {
        const json = await inboxes.readSummaries(inbox, selectionOf(query), pageOf(query), leavingOf(request));
        if (json !== NO_SUMMARIES) access.foundMail(request, inbox);
        return json;
      });
    },
  );
}

function pageOf({ limit, before }: PageQuery): Page {
  return {
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(before === undefined ? {} : { before: Date.parse(before) }),
  };
}
