import { randomUUID } from 'node:crypto';
import { type Answer, json } from '../answer.js';
import type { Outcome } from '../delivery.js';
import { idIn, type Provider } from '../desk.js';
import { isProblem, type Problem, type ProblemKind } from '../problem.js';

/** Version 2 of SES (docs.aws.amazon.com/ses/latest/APIReference-V2). */
export const sesV2: Provider = {
  answer(problem) {
    const [status, name] = ERRORS[problem.kind] ?? USUAL;
    return json(status, { message: words(problem) }, { 'x-amzn-errortype': name });
  },
  roots: ['/v2/email'],
  addRoutes(api, desk) {
    desk.add(api, {
      path: '/v2/email/outbound-emails',
      translator: 'ses email',
      accepted: (outcomes) => json(200, { MessageId: idIn(outcomes) }),
    });
    desk.add(api, {
      path: '/v2/email/outbound-bulk-emails',
      translator: 'ses bulk',
      isPermissive: () => true,
      accepted: (outcomes) =>
        json(200, {
          BulkEmailEntryResults: outcomes.map((mail) =>
            isProblem(mail)
              ? { Status: (IN_BULK[mail.kind] ?? INVALID)[0], Error: words(mail) }
              : { Status: 'SUCCESS', MessageId: mail.id },
          ),
        }),
    });
  },
};

/** Version 1 of SES, the Query API (docs.aws.amazon.com/ses/latest/APIReference): a field names the action. */
export const sesV1: Provider = {
  answer(problem) {
    const [status, , code] = ERRORS[problem.kind] ?? USUAL;
    const type = status < 500 ? 'Sender' : 'Receiver';
    const error = `<Error><Type>${type}</Type><Code>${code}</Code><Message>${escaped(words(problem))}</Message></Error>`;
    const request = `<RequestId>${randomUUID()}</RequestId>`;
    // Throttling is a 400 here.
    return xml(
      status === 429 || status === 404 ? 400 : status,
      `<ErrorResponse xmlns="${NAMESPACE}">${error}${request}</ErrorResponse>`,
    );
  },
  roots: [],
  addRoutes(api, desk) {
    desk.add(api, {
      path: '/',
      translator: 'ses v1',
      mediaTypes: ['application/x-www-form-urlencoded'],
      isPermissive: (_request, action) => action === BULK,
      accepted: (outcomes, _request, action) => accepted(action, outcomes),
    });
  },
};

const BULK = 'SendBulkTemplatedEmail';

const NAMESPACE = 'http://ses.amazonaws.com/doc/2010-12-01/';

/** The name of the exception in version 2, and the code in version 1. */
type SesError = readonly [status: number, v2: string, v1: string];

const USUAL: SesError = [400, 'BadRequestException', 'InvalidParameterValue'];

/** docs.aws.amazon.com/ses/latest: APIReference-V2/API_SendEmail.html and APIReference/CommonErrors.html. */
const ERRORS: Readonly<Partial<Record<ProblemKind, SesError>>> = {
  malformed: [400, 'SerializationException', 'MalformedInput'],
  missing: [400, 'BadRequestException', 'ValidationError'],
  'not-served': [400, 'MessageRejected', 'MessageRejected'],
  full: [400, 'LimitExceededException', 'LimitExceeded'],
  rate: [429, 'TooManyRequestsException', 'Throttling'],
  unavailable: [503, 'ServiceUnavailable', 'ServiceUnavailable'],
  'media-type': [400, 'SerializationException', 'MalformedInput'],
  forbidden: [403, 'AccessDeniedException', 'AccessDenied'],
  'not-found': [404, 'UnknownOperationException', 'InvalidAction'],
  method: [405, 'UnknownOperationException', 'InvalidAction'],
  internal: [500, 'InternalFailure', 'InternalFailure'],
};

const INVALID = ['INVALID_PARAMETER', 'InvalidParameterValue'] as const;

/** docs.aws.amazon.com/ses/latest: …-V2/API_BulkEmailEntryResult.html, …/API_BulkEmailDestinationStatus.html. */
const IN_BULK: Readonly<Partial<Record<ProblemKind, readonly [v2: string, v1: string]>>> = {
  'not-served': ['MESSAGE_REJECTED', 'MessageRejected'],
  full: ['ACCOUNT_DAILY_QUOTA_EXCEEDED', 'AccountDailyQuotaExceeded'],
  rate: ['ACCOUNT_THROTTLED', 'AccountThrottled'],
  unavailable: ['TRANSIENT_FAILURE', 'TransientFailure'],
};

/** What is wrong, in the words of SES. */
function words({ kind, field, detail, address }: Problem): string {
  const shown = (address ?? '').slice(0, 320);
  switch (kind) {
    case 'missing':
      return `1 validation error detected: Value null at '${field}' failed to satisfy constraint: Member must not be null`;
    case 'sender':
    case 'recipient':
      return shown.includes('@') ? `Illegal address: ${shown}` : `Missing final '@domain' in ${shown}`;
    case 'not-served':
      return `Email address is not verified. The following identities failed the check in region US-EAST-1: ${shown}`;
    case 'too-many-recipients':
      return `Recipient count exceeds ${detail}.`;
    case 'too-many-mails':
      return `1 validation error detected: the request has more than ${detail} destinations`;
    case 'too-large':
      return `Message length is more than the allowed size. ${detail ?? ''}`.trim();
    case 'full':
      return 'Daily message quota exceeded.';
    case 'rate':
      return 'Maximum sending rate exceeded.';
    case 'attachment':
      return `The value of ${field} must be base64.`;
    case 'invalid':
      return field === undefined ? (detail ?? '') : `The value of ${field} must be ${detail}.`;
    case 'not-found':
      return detail ?? 'The operation does not exist.';
    default:
      return detail ?? 'The request could not be processed.';
  }
}

function accepted(action: string, outcomes: readonly Outcome[]): Answer {
  const results = outcomes.map((mail) =>
    isProblem(mail) ? `<Error>${escaped(words(mail))}</Error>` : `<MessageId>${mail.id}</MessageId>`,
  );
  const members = outcomes.map((mail, at) => {
    const status = isProblem(mail) ? (IN_BULK[mail.kind] ?? INVALID)[1] : 'Success';
    return `<member><Status>${status}</Status>${results[at]}</member>`;
  });
  const content = action === BULK ? `<Status>${members.join('')}</Status>` : results.join('');
  const result = `<${action}Result>${content}</${action}Result>`;
  const metadata = `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>`;
  return xml(200, `<${action}Response xmlns="${NAMESPACE}">${result}${metadata}</${action}Response>`);
}

function xml(status: number, body: string): Answer {
  return { status, type: 'text/xml; charset=utf-8', body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}` };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** XML 1.0 section 2.2 allows no control characters. */
function escaped(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '?');
  return allowed.replace(/[&<>]/g, (char) => ESCAPES[char] as string);
}
