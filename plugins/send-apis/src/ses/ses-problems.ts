import type { Problem, ProblemKind } from '../problem.js';

export interface SesError {
  readonly status: number;
  /** The name of the exception in version 2, and the code in version 1. */
  readonly v2: string;
  readonly v1: string;
}

const error = (status: number, v2: string, v1: string): SesError => ({ status, v2, v1 });

/** docs.aws.amazon.com/ses/latest: APIReference-V2/API_SendEmail.html and APIReference/CommonErrors.html. */
export const SES_ERRORS: Readonly<Record<ProblemKind, SesError>> = {
  malformed: error(400, 'SerializationException', 'MalformedInput'),
  missing: error(400, 'BadRequestException', 'ValidationError'),
  invalid: error(400, 'BadRequestException', 'InvalidParameterValue'),
  sender: error(400, 'BadRequestException', 'InvalidParameterValue'),
  recipient: error(400, 'BadRequestException', 'InvalidParameterValue'),
  attachment: error(400, 'BadRequestException', 'InvalidParameterValue'),
  'not-served': error(400, 'MessageRejected', 'MessageRejected'),
  'too-many-recipients': error(400, 'BadRequestException', 'InvalidParameterValue'),
  'too-many-mails': error(400, 'BadRequestException', 'InvalidParameterValue'),
  'too-large': error(400, 'BadRequestException', 'InvalidParameterValue'),
  full: error(400, 'LimitExceededException', 'LimitExceeded'),
  rate: error(429, 'TooManyRequestsException', 'Throttling'),
  unavailable: error(503, 'ServiceUnavailable', 'ServiceUnavailable'),
  'media-type': error(400, 'SerializationException', 'MalformedInput'),
  forbidden: error(403, 'AccessDeniedException', 'AccessDenied'),
  'not-found': error(404, 'UnknownOperationException', 'InvalidAction'),
  method: error(405, 'UnknownOperationException', 'InvalidAction'),
  'bad-key': error(400, 'BadRequestException', 'ValidationError'),
  'key-reused': error(400, 'BadRequestException', 'ValidationError'),
  'key-in-use': error(400, 'BadRequestException', 'ValidationError'),
  internal: error(500, 'InternalFailure', 'InternalFailure'),
};

/** What is wrong, in the words of SES. */
export function sesWords({ kind, field, detail, address }: Problem): string {
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
