import { MAX_NAME_LENGTH, NAME_PATTERN } from 'mayfly-client/inbox-name';
import { httpErrors } from '../errors.js';

/** Longer than any `receivedAt` with all nine digits of a fraction. */
const MAX_TIME_LENGTH = 40;

/** When an email was received, as `receivedAt` has it. */
export const RECEIVED_AT = {
  type: 'string',
  format: 'date-time',
  maxLength: MAX_TIME_LENGTH,
  // The format takes other time zones and leap seconds too, which no receivedAt has.
  pattern: ':[0-5][0-9](?:\\.[0-9]{1,9})?Z$',
} as const;

/** The path parameter of an inbox (D1). */
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

/** The path parameters of one email. */
export const EMAIL_FIELDS = {
  ...INBOX_FIELDS,
  receivedAt: {
    schema: { ...RECEIVED_AT, description: "The email's receivedAt." },
    error: httpErrors.badReceivedAt,
  },
} as const;

/** The longest path of a part: as many numbers as multiparts may stand within each other, and one more. */
const MAX_PART_PATH_LENGTH = 512;

/** The path parameters of one part of an email. */
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

/** What begins as a time does. Anything else below an inbox is a word, such as `stream`, which has its own operations and no others. */
export const TIME_SEGMENT = /^\d.*$/;

/** The path of one email. */
export const EMAIL_PATH = `/api/inbox/:name/:receivedAt(${TIME_SEGMENT.source})`;

/** A key is asked for only where a workspace owns the inbox. */
export const KEY_OF_OWNER = [{}, { workspaceKey: [] }];
