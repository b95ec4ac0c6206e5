/**
 * Every error that a caller can see, once. Texts say what was wrong and what to do; they never hold internals
 * (D11). `{name}` in a text is filled in by whoever reports the error.
 */

/** An error as HTTP tells it: the status, and the `error` of the body (interface section 2.3). */
export interface HttpError {
  readonly status: number;
  readonly text: string;
}

/** An error as SMTP tells it: reply code (RFC 5321 section 4.2), enhanced code (RFC 3463), text. */
export interface SmtpError {
  readonly code: number;
  readonly enhanced: string;
  readonly text: string;
}

export const httpErrors = {
  badInboxName: {
    status: 400,
    text: 'The inbox name is not valid. Use 1 to 64 characters of a-z 0-9 . _ + - with no dot at the start, at the end or doubled.',
  },
  badReceivedAt: {
    status: 400,
    text: "The path does not name an email. Give the email's receivedAt, such as 2026-01-31T09:30:00.000Z.",
  },
  badPreviewForm: { status: 400, text: 'The form may hold one "key", which is the API key of the workspace.' },
  badQuery: { status: 400, text: 'The query parameter "{name}" is not valid: {rule}.' },
  badJson: { status: 400, text: 'The request body is not valid JSON.' },
  badWaitlistEmail: {
    status: 400,
    text: 'The request body must be a JSON object whose "email" is a valid email address.',
  },
  badUrl: { status: 400, text: 'The address of the request is malformed. Check its percent-encoding.' },
  badRequest: { status: 400, text: 'The request is not valid HTTP.' },
  foreignHost: {
    status: 400,
    text: 'This service listens on its own machine only, and the Host header names another one. Use localhost or 127.0.0.1.',
  },
  unknownKey: { status: 401, text: 'The API key is not known. Check the Authorization header.' },
  ownedName: {
    status: 401,
    text: 'This inbox name belongs to a workspace. Send its API key as "Authorization: Bearer <API_KEY>".',
  },
  notFound: { status: 404, text: 'There is nothing at this path. See /openapi.json for what there is.' },
  noSuchEmail: { status: 404, text: 'This inbox has no such email. It may have expired.' },
  methodNotAllowed: { status: 405, text: 'This path does not take {method}. It takes {allow}.' },
  requestTimeout: { status: 408, text: 'The request took too long to arrive.' },
  bodyTooLarge: { status: 413, text: 'The request body is too large. At most {limit} bytes are taken.' },
  unsupportedMediaType: {
    status: 415,
    text: 'The request body must be JSON, sent with "Content-Type: application/json".',
  },
  /** The text is the interface's (interface section 7). */
  tooManyRequests: { status: 429, text: 'Too many requests. Slow down.' },
  tooManyStreams: {
    status: 429,
    text: 'Too many open streams from your address. At most {limit} are served at once; close some first.',
  },
  headersTooLarge: { status: 431, text: 'The request headers are too large.' },
  internal: { status: 500, text: 'Something went wrong inside Mayfly. Its log holds the reason.' },
  allStreamsTaken: { status: 503, text: 'All streams are taken. Try again in a moment.' },
  tooManyInspections: { status: 503, text: 'Too many messages are being read. Try again in a moment.' },
  notReady: { status: 503, text: 'Not ready: {part} does not answer.' },
} as const satisfies Record<string, HttpError>;

export const smtpErrors = {
  badRecipientName: {
    code: 553,
    enhanced: '5.1.3',
    text: 'Inbox names are 1 to 64 characters of a-z 0-9 . _ + - with no dot at the start, at the end or doubled',
  },
  foreignDomain: { code: 550, enhanced: '5.7.1', text: 'This domain is not served here and nothing is relayed' },
  messageTooLarge: { code: 552, enhanced: '5.3.4', text: 'The message is larger than the {limit} bytes taken here' },
  tooManyRecipients: { code: 452, enhanced: '4.5.3', text: 'Too many recipients: send the rest in another message' },
  inboxFull: { code: 452, enhanced: '4.2.2', text: 'The inbox is full: try again when its mail has expired' },
  storeFull: { code: 452, enhanced: '4.3.1', text: 'The store is full: try again when older mail has expired' },
  tooMuchInFlight: { code: 452, enhanced: '4.3.1', text: 'Too much mail is being received: try again in a moment' },
  tooManyConnections: { code: 421, enhanced: '4.7.0', text: 'Too many connections from your address' },
  allConnectionsTaken: { code: 421, enhanced: '4.3.2', text: 'All connections are taken: try again in a moment' },
  tooManyMails: {
    code: 451,
    enhanced: '4.7.1',
    text: 'Too many mails from your address: try again in {seconds} seconds',
  },
  idleTooLong: { code: 421, enhanced: '4.4.2', text: 'Nothing came for too long: closing the connection' },
  dataTooSlow: { code: 421, enhanced: '4.4.2', text: 'The message took too long to arrive: closing the connection' },
  stopping: { code: 421, enhanced: '4.3.2', text: 'The service is stopping: try again in a moment' },
  internal: { code: 451, enhanced: '4.3.0', text: 'Something went wrong here and the mail was not stored: try again' },
  broken: { code: 421, enhanced: '4.3.0', text: 'Something went wrong here: closing the connection' },
  badSender: { code: 501, enhanced: '5.1.7', text: 'MAIL FROM: takes an address in angle brackets, or <> alone' },
  badRecipient: { code: 501, enhanced: '5.1.3', text: 'RCPT TO: takes an address in angle brackets' },
  badParameter: {
    code: 501,
    enhanced: '5.5.4',
    text: 'A parameter is malformed or there twice: SIZE takes a number of bytes, BODY 7BIT or 8BITMIME, SMTPUTF8 nothing',
  },
  unknownParameter: { code: 555, enhanced: '5.5.4', text: 'A parameter is not known here: leave it out' },
  mailIsOpen: { code: 503, enhanced: '5.5.1', text: 'A mail is begun already: send RSET to drop it' },
  mailFirst: { code: 503, enhanced: '5.5.1', text: 'Send MAIL first' },
  recipientFirst: { code: 503, enhanced: '5.5.1', text: 'No recipient was accepted so far: send RCPT first' },
  helloFirst: { code: 503, enhanced: '5.5.1', text: 'Send EHLO or HELO first' },
  badHello: { code: 501, enhanced: '5.5.4', text: 'EHLO and HELO take one argument, the name of your machine' },
  badVerify: { code: 501, enhanced: '5.5.4', text: 'VRFY takes one argument, an address' },
  noArgument: { code: 501, enhanced: '5.5.4', text: 'This command takes no argument' },
  tlsIsOn: { code: 503, enhanced: '5.5.1', text: 'TLS is on already' },
  tlsFirst: { code: 538, enhanced: '5.7.11', text: 'Credentials are taken over TLS only: send STARTTLS first' },
  authIsDone: { code: 503, enhanced: '5.5.1', text: 'You are authenticated already' },
  authAborted: { code: 501, enhanced: '5.7.0', text: 'The authentication was given up, as you asked' },
  unknownMechanism: { code: 504, enhanced: '5.5.4', text: 'AUTH takes PLAIN or LOGIN here' },
  badCredentials: { code: 501, enhanced: '5.5.2', text: 'The credentials are malformed: see RFC 4616 for PLAIN' },
  unknownCommand: { code: 500, enhanced: '5.5.1', text: 'This command is not known here' },
  tooManyUnknown: {
    code: 421,
    enhanced: '4.7.0',
    text: 'Too many commands that are not known here: closing the connection',
  },
  commandTooLong: { code: 421, enhanced: '4.5.2', text: 'The command is too long: closing the connection' },
  spokeTooSoon: {
    code: 421,
    enhanced: '4.5.1',
    text: 'Wait for the greeting before you speak: closing the connection',
  },
  notHttp: { code: 421, enhanced: '4.5.1', text: 'This is SMTP and not HTTP: closing the connection' },
} as const satisfies Record<string, SmtpError>;

/** The text of an error with its `{name}`s filled in. */
export function errorText(
  error: { readonly text: string },
  values: Readonly<Record<string, string | number>> = {},
): string {
  return error.text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
