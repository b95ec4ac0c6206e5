import { type Answer, json } from 'mayfly-plugins-shared/sending/answer';
import type { Outcome } from 'mayfly-plugins-shared/sending/delivery';
import { idIn, type Provider } from 'mayfly-plugins-shared/sending/desk';
import { errorFor, isProblem, type Problem, type ProblemKind, type Rows } from 'mayfly-plugins-shared/sending/problem';
import { escaped, queryError, queryResult } from 'mayfly-plugins-shared/sending/query-protocol';

/** Version 2 of SES (docs.aws.amazon.com/ses/latest/APIReference-V2). */
export const sesV2: Provider = {
  answer(problem) {
    const { status, code, text: message } = errorFor(ERRORS, problem, USUAL);
    return json(status, { message }, { 'x-amzn-errortype': code[0] });
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
              ? { Status: (IN_BULK[mail.kind] ?? INVALID)[0], Error: errorFor(ERRORS, mail, USUAL).text }
              : { Status: 'SUCCESS', MessageId: mail.id },
          ),
        }),
    });
  },
};

/** Version 1 of SES, the Query API (docs.aws.amazon.com/ses/latest/APIReference). A form field names the action. */
export const sesV1: Provider = {
  answer(problem) {
    const { status, code, text } = errorFor(ERRORS, problem, USUAL);
    // SES version 1 reports throttling as 400.
    return queryError(NAMESPACE, status === 429 || status === 404 ? 400 : status, code[1], text);
  },
  roots: [],
  addRoutes(api, desk) {
    // If the base URL ends with a slash, some SDKs add another.
    for (const path of ['/', '//']) {
      desk.add(api, {
        path,
        translator: 'ses v1',
        mediaTypes: ['application/x-www-form-urlencoded'],
        isPermissive: (_request, action) => action === BULK,
        accepted: (outcomes, _request, action) => accepted(action, outcomes),
      });
    }
  },
};

const BULK = 'SendBulkTemplatedEmail';
const NAMESPACE = 'http://ses.amazonaws.com/doc/2010-12-01/';

const USUAL = [400, ['BadRequestException', 'InvalidParameterValue']] as const;

/**
 * The exception's name in version 2, and the error code in version 1
 * (docs.aws.amazon.com/ses/latest: APIReference-V2/API_SendEmail.html and APIReference/CommonErrors.html).
 */
const ERRORS: Rows<readonly [v2: string, v1: string]> = {
  malformed: [400, ['SerializationException', 'MalformedInput']],
  missing: [
    400,
    ['BadRequestException', 'ValidationError'],
    ({ field }) =>
      `1 validation error detected: Value null at '${field}' failed to satisfy constraint: Member must not be null`,
  ],
  invalid: [...USUAL, ({ field, detail }) => field && `The value of ${field} must be ${detail}.`],
  attachment: [...USUAL, ({ field }) => `The value of ${field} must be base64.`],
  sender: [...USUAL, badAddress],
  recipient: [...USUAL, badAddress],
  'not-served': [
    400,
    ['MessageRejected', 'MessageRejected'],
    (problem) =>
      `Email address is not verified. The following identities failed the check in region US-EAST-1: ${shown(problem)}`,
  ],
  'too-many-recipients': [...USUAL, ({ detail }) => `Recipient count exceeds ${detail}.`],
  'too-many-mails': [
    ...USUAL,
    ({ detail }) => `1 validation error detected: the request has more than ${detail} destinations`,
  ],
  'too-large': [...USUAL, ({ detail = '' }) => `Message length is more than the allowed size. ${detail}`.trim()],
  full: [400, ['LimitExceededException', 'LimitExceeded'], 'Daily message quota exceeded.'],
  rate: [429, ['TooManyRequestsException', 'Throttling'], 'Maximum sending rate exceeded.'],
  unavailable: [503, ['ServiceUnavailable', 'ServiceUnavailable']],
  'media-type': [400, ['SerializationException', 'MalformedInput']],
  forbidden: [403, ['AccessDeniedException', 'AccessDenied']],
  'not-found': [
    404,
    ['UnknownOperationException', 'InvalidAction'],
    ({ detail = 'The operation does not exist.' }) => detail,
  ],
  method: [405, ['UnknownOperationException', 'InvalidAction']],
  internal: [500, ['InternalFailure', 'InternalFailure']],
};

const INVALID = ['INVALID_PARAMETER', 'InvalidParameterValue'] as const;

/** docs.aws.amazon.com/ses/latest: …-V2/API_BulkEmailEntryResult.html, …/API_BulkEmailDestinationStatus.html. */
const IN_BULK: Readonly<Partial<Record<ProblemKind, readonly [v2: string, v1: string]>>> = {
  'not-served': ['MESSAGE_REJECTED', 'MessageRejected'],
  full: ['ACCOUNT_DAILY_QUOTA_EXCEEDED', 'AccountDailyQuotaExceeded'],
  rate: ['ACCOUNT_THROTTLED', 'AccountThrottled'],
  unavailable: ['TRANSIENT_FAILURE', 'TransientFailure'],
};

const shown = ({ address = '' }: Problem) => address.slice(0, 320);

function badAddress(problem: Problem): string {
  const address = shown(problem);
  return address.includes('@') ? `Illegal address: ${address}` : `Missing final '@domain' in ${address}`;
}

function accepted(action: string, outcomes: readonly Outcome[]): Answer {
  const results = outcomes.map((mail) =>
    isProblem(mail)
      ? `<Error>${escaped(errorFor(ERRORS, mail, USUAL).text)}</Error>`
      : `<MessageId>${mail.id}</MessageId>`,
  );
  const members = outcomes.map((mail, at) => {
    const status = isProblem(mail) ? (IN_BULK[mail.kind] ?? INVALID)[1] : 'Success';
    return `<member><Status>${status}</Status>${results[at]}</member>`;
  });
  const content = action === BULK ? `<Status>${members.join('')}</Status>` : results.join('');
  return queryResult(NAMESPACE, action, content);
}
