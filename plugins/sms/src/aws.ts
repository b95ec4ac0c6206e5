import { randomUUID } from 'node:crypto';
import { json } from 'mayfly-plugins-shared/sending/answer';
import { idIn, type Provider } from 'mayfly-plugins-shared/sending/desk';
import type { JsonObject } from 'mayfly-plugins-shared/sending/fields';
import { errorFor, type Problem, refuse } from 'mayfly-plugins-shared/sending/problem';
import { queryError, queryResult } from 'mayfly-plugins-shared/sending/query-protocol';
import type { TextRows } from './rows.js';
import type { TextShape } from './text.js';

/** The sender of AWS if a request names none. */
const standardFrom = 'NOTICE';

export const snsText: TextShape = {
  ...{ from: ['AWS.SNS.SMS.SenderID', 'AWS.MM.SMS.OriginationNumber'], to: 'PhoneNumber', body: 'Message' },
  ...{ maxChars: 1600, standardFrom },
  idOf: (uuid) => uuid,
  fieldsIn(fields) {
    if (fields.Action !== 'Publish') return refuse('not-found');
    if (fields.TopicArn || fields.TargetArn) return refuse('invalid', { field: 'TopicArn', detail: 'left out' });
    return { ...Object.fromEntries(attributesIn(fields)), ...fields };
  },
};

export const smsVoiceText: TextShape = {
  ...{ from: ['OriginationIdentity'], to: 'DestinationPhoneNumber', body: 'MessageBody', maxChars: 1600, standardFrom },
  idOf: (uuid) => uuid,
};

function attributesIn(fields: JsonObject) {
  return Object.entries(fields).flatMap(([name, value]) => {
    const [, entry] = /^MessageAttributes\.entry\.(\d+)\.Name$/.exec(name) ?? [];
    return entry === undefined ? [] : [[value, fields[`MessageAttributes.entry.${entry}.Value.StringValue`] ?? '']];
  });
}

const NAMESPACE = 'http://sns.amazonaws.com/doc/2010-03-31/';

/** SNS (docs.aws.amazon.com/sns/latest/api/API_Publish.html). SES has the path `/`, so SNS has its own. */
export const sns: Provider = {
  answer(problem) {
    const { status, code, text } = errorFor(SNS_ROWS, problem, INVALID);
    return queryError(NAMESPACE, status, code, text);
  },
  roots: ['/sns'],
  addRoutes(api, desk) {
    for (const path of ['/sns', '/sns/']) {
      desk.add(api, {
        ...{ path, translator: 'sns', mediaTypes: ['application/x-www-form-urlencoded'] },
        accepted: (outcomes) => queryResult(NAMESPACE, 'Publish', `<MessageId>${idIn(outcomes)}</MessageId>`),
      });
    }
  },
};

const TARGET = 'PinpointSMSVoiceV2.SendTextMessage';

/** End User Messaging (docs.aws.amazon.com/pinpoint/latest/apireference_smsvoicev2/API_SendTextMessage.html). */
export const smsVoice: Provider = {
  answer(problem) {
    const { status, code, text } = errorFor(SMS_VOICE_ROWS, problem, INVALID_VOICE);
    const [type, Reason] = code.split(' ');
    const body = { __type: type, Message: text, message: text, ...(Reason && { Reason }) };
    return { ...json(status, body, { 'x-amzn-requestid': randomUUID() }), type: 'application/x-amz-json-1.0' };
  },
  roots: ['/sms-voice'],
  addRoutes(api, desk) {
    for (const path of ['/sms-voice', '/sms-voice/']) {
      desk.add(
        api,
        {
          ...{ path, translator: 'sms-voice', mediaTypes: ['application/x-amz-json-1.0'] },
          accepted: (outcomes) => ({ ...json(200, { MessageId: idIn(outcomes) }), type: 'application/x-amz-json-1.0' }),
        },
        (request, _body, take) => (request.headers['x-amz-target'] === TARGET ? take() : refuse('not-found')),
      );
    }
  },
};

const INVALID = [400, 'InvalidParameter', invalidParameter] as const;

function invalidParameter({ field, detail = 'is not valid' }: Problem): string {
  return `Invalid parameter: ${field ?? 'the request'} Reason: ${detail}`;
}

const refused = (reason: string) =>
  [400, 'InvalidParameter', `Invalid parameter: PhoneNumber Reason: ${reason}`] as const;

/** docs.aws.amazon.com/sns/latest/api: CommonErrors.html, API_Publish.html */
const SNS_ROWS: TextRows<string> = {
  missing: [400, 'InvalidParameter', ({ field }) => `Invalid parameter: ${field} Reason: cannot be empty`],
  recipient: [
    400,
    'InvalidParameter',
    ({ address }) => `Invalid parameter: PhoneNumber Reason: ${address} is not valid to publish to`,
  ],
  'too-large': [400, 'InvalidParameter', 'Invalid parameter: Message too long'],
  unsubscribed: refused('is opted out'),
  'not-served': refused('cannot be reached'),
  full: [400, 'Throttled', 'The SMS spending limit of this account is reached'],
  rate: [400, 'Throttled', 'Rate exceeded'],
  unavailable: [503, 'ServiceUnavailable'],
  forbidden: [403, 'AuthorizationError'],
  'not-found': [400, 'InvalidAction', 'The action or operation requested is invalid.'],
  method: [405, 'InvalidAction', 'The action or operation requested is invalid.'],
  internal: [500, 'InternalError', 'Internal error'],
};

const INVALID_VOICE = [400, 'ValidationException FIELD_VALIDATION_FAILED', invalidParameter] as const;

/** The exception's name and its reason. */
const SMS_VOICE_ROWS: TextRows<string> = {
  malformed: [400, 'SerializationException'],
  missing: [400, 'ValidationException MISSING_REQUIRED_FIELD', ({ field }) => `The field ${field} is required.`],
  recipient: [400, 'ValidationException INVALID_PARAMETER', ({ address }) => `${address} is not a valid phone number.`],
  'too-large': [400, 'ValidationException FIELD_VALIDATION_FAILED', ({ detail }) => detail],
  unsubscribed: [400, 'ConflictException DESTINATION_PHONE_NUMBER_OPTED_OUT', 'The number has opted out.'],
  'no-permission': [400, 'ConflictException DESTINATION_COUNTRY_BLOCKED', 'The country is blocked.'],
  'not-served': [400, 'ConflictException NO_ORIGINATION_IDENTITIES_FOUND', 'The number cannot be reached.'],
  'not-owned': [400, 'ResourceNotFoundException', 'The origination identity was not found.'],
  full: [402, 'ServiceQuotaExceededException MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT', 'The spending limit is reached.'],
  rate: [400, 'ThrottlingException', 'Rate exceeded'],
  unavailable: [503, 'InternalServerException'],
  forbidden: [403, 'AccessDeniedException'],
  'not-found': [400, 'UnknownOperationException', 'The operation does not exist.'],
  method: [405, 'UnknownOperationException', 'The operation does not exist.'],
  internal: [500, 'InternalServerException', 'Internal error'],
};
