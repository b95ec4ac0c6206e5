export const ERRORS = {
  badSearch: {
    code: 'bad-search',
    status: 400,
    text: 'The search query is invalid: {reason}.',
    where: 'with `--drop-in`: a search',
  },
  badChoice: {
    code: 'bad-choice',
    status: 400,
    text: 'The request body does not clearly identify the messages. Send JSON such as {example}, or no body to select all messages. Nothing was changed.',
    where: 'with `--drop-in`: a request that selects messages in its body',
  },
  badMail: {
    code: 'bad-mail',
    status: 400,
    text: 'The mail cannot be sent: {reason}.',
    where: 'with `--drop-in`: `POST /api/v1/send`',
  },
  noSuchBody: {
    code: 'no-such-body',
    status: 404,
    text: 'This message has no HTML.',
    where: 'with `--drop-in`: `GET /view/{ID}.html`',
  },
  mailTooLarge: {
    code: 'mail-too-large',
    status: 413,
    text: 'The mail is too large. The limit is {limit} bytes, as for mail received over SMTP (--max-message).',
    where: 'with `--drop-in`: `POST /api/v1/send`',
  },
  webSocketOnly: {
    code: 'web-socket-only',
    status: 426,
    text: 'Events are sent over a WebSocket. Connect with ws: instead of http:.',
    where: 'with `--drop-in mailpit`: `GET /api/events` without an upgrade',
  },
} as const;
