import { httpError } from 'mayfly-plugins-shared/settings';

export const ERRORS = {
  badSearch: httpError('400 bad-search: The search query is invalid: {reason}.', 'with `--compat-api`: a search'),
  badChoice: httpError(
    '400 bad-choice: The request body does not clearly identify the messages. Send JSON such as {example}, or no body to select all messages. Nothing was changed.',
    'with `--compat-api`: a request that selects messages in its body',
  ),
  badMail: httpError('400 bad-mail: The mail cannot be sent: {reason}.', 'with `--compat-api`: `POST /api/v1/send`'),
  noSuchBody: httpError('404 no-such-body: This message has no HTML.', 'with `--compat-api`: `GET /view/{ID}.html`'),
  mailTooLarge: httpError(
    '413 mail-too-large: The mail is too large. The limit is {limit} bytes, as for mail received over SMTP (--max-message).',
    'with `--compat-api`: `POST /api/v1/send`',
  ),
  webSocketOnly: httpError(
    '426 web-socket-only: Events are sent over a WebSocket. Connect with ws: instead of http:.',
    'with `--compat-api mailpit`: `GET /api/events` without an upgrade',
  ),
} as const;
