import { MAX_NAME_LENGTH, NAME_PATTERN } from 'mayfly-client/inbox-name';
import { httpErrors } from '../../errors.js';

/** Longer than a `receivedAt` with nine digits of a fraction. */
const MAX_TIME_LENGTH = 40;

export const RECEIVED_AT = {
  type: 'string',
  format: 'date-time',
  maxLength: MAX_TIME_LENGTH,
  // The format alone takes other time zones, and leap seconds.
  pattern: ':[0-5][0-9](?:\\.[0-9]{1,9})?Z$',
} as const;

/** D1. */
export const INBOX_FIELDS = {
  name: {
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      pattern: NAME_PATTERN,
      description: 'Inbox name without the domain. Upper and lower case are the same.',
    },
    error: httpErrors.badInboxName,
  },
} as const;

export const EMAIL_FIELDS = {
  ...INBOX_FIELDS,
  receivedAt: {
    schema: { ...RECEIVED_AT, description: "The email's receivedAt." },
    error: httpErrors.badReceivedAt,
  },
} as const;

/** One number for each multipart that may stand within another, and one more. */
const MAX_PART_PATH_LENGTH = 512;

export const PART_FIELDS = {
  ...EMAIL_FIELDS,
  path: {
    schema: {
      type: 'string',
      maxLength: MAX_PART_PATH_LENGTH,
      pattern: '^[1-9][0-9]{0,3}(?:\\.[1-9][0-9]{0,3})*$',
      description: "The part's path as …/parts lists it, such as 1.2.",
    },
    error: httpErrors.badPartPath,
  },
} as const;

/** What begins as a time. Any other segment below an inbox is an operation, such as `stream`. */
export const TIME_SEGMENT = /^\d.*$/;

export const EMAIL_PATH = `/api/inbox/:name/:receivedAt(${TIME_SEGMENT.source})`;

/** Only owned inboxes ask for a key. */
export const KEY_OF_OWNER = [{}, { workspaceKey: [] }];
