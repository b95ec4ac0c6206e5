import { httpError } from 'mayfly-plugins-shared/settings';

export const ERRORS = {
  badSearch: httpError('400 bad-search: The search query is invalid: {reason}.', '`--compat-api`: search'),
  badChoice: httpError(
    '400 bad-choice: The request body does not clearly identify the messages. Send JSON such as {example}, or no body to select all messages. Nothing was changed.',
    '`--compat-api`: messages in a body',
  ),
  badMail: httpError('400 bad-mail: The message cannot be sent: {reason}.', '`--compat-api`: `POST /api/v1/send`'),
  noSuchBody: httpError('404 no-such-body: This message has no HTML.', '`--compat-api`: `GET /view/{ID}.html`'),
  mailTooLarge: httpError(
    '413 mail-too-large: The message is too large. The limit is {limit} bytes (--max-message).',
    '`--compat-api`: `POST /api/v1/send`',
  ),
  webSocketOnly: httpError(
    '426 web-socket-only: Events are sent over a WebSocket. Connect with ws: instead of http:.',
    '`--compat-api mailpit`: `GET /api/events`',
  ),
} as const;
