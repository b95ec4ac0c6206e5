/**
 * Every error that a caller can see, once. Texts say what was wrong and what to do; they never hold internals
 * (D11). `{name}` in a text is filled in by whoever reports the error.
 */

/** An error as HTTP tells it. */
export interface HttpError {
  /** What the error is called in the header `Mayfly-Error`. Programs rely on it, so it never changes. */
  readonly code: string;
  readonly status: number;
  /** The `error` of the body (interface section 2.3). */
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
    code: 'bad-inbox-name',
    status: 400,
    text: 'The inbox name is not valid. Leave out the @ and the domain, and use 1 to 64 characters of a-z 0-9 . _ + - with no dot at the start, at the end or doubled.',
  },
  badReceivedAt: {
    code: 'bad-received-at',
    status: 400,
    text: "The path does not name an email. Give the email's receivedAt, such as 2026-01-31T09:30:00.000Z.",
  },
  badPartPath: {
    code: 'bad-part-path',
    status: 400,
    text: 'The path does not name a part of an email. Give the path of one that …/parts lists, such as 1.2.',
  },
  badPreviewForm: {
    code: 'bad-preview-form',
    status: 400,
    text: 'The form may contain one field, "key", with the API key of the workspace.',
  },
  badQuery: { code: 'bad-query', status: 400, text: 'The query parameter "{name}" is not valid: {rule}.' },
  badJson: { code: 'bad-json', status: 400, text: 'The request body is not valid JSON.' },
  agentBatch: {
    code: 'agent-batch',
    status: 400,
    text: 'The request body holds several messages. Send each in a request of its own: batches left the Model Context Protocol in 2025-06-18.',
  },
  badWaitlistEmail: {
    code: 'bad-waitlist-email',
    status: 400,
    text: 'The request body must be a JSON object whose "email" is a valid email address.',
  },
  badUrl: {
    code: 'bad-url',
    status: 400,
    text: 'The request URL is malformed. Check its percent-encoding.',
  },
  badRequest: { code: 'bad-request', status: 400, text: 'The request is not valid HTTP.' },
  foreignHost: {
    code: 'foreign-host',
    status: 400,
    text: 'This service only serves its own machine, and the Host header names another one. Use localhost or 127.0.0.1.',
  },
  crossSite: {
    code: 'cross-site',
    status: 403,
    text: 'This request came from a page of another site, and this service only serves its own machine. Its operator can allow that site with --cors-origin.',
  },
  badSearch: { code: 'bad-search', status: 400, text: 'The search is not understood: {reason}.' },
  badChoice: {
    code: 'bad-choice',
    status: 400,
    text: 'The request body is not understood: send JSON such as {example}, or none. Nothing was changed.',
  },
  badMail: { code: 'bad-mail', status: 400, text: 'The mail cannot be sent: {reason}.' },
  unknownKey: { code: 'unknown-key', status: 401, text: 'The API key is not known. Check the key.' },
  ownedName: {
    code: 'owned-name',
    status: 401,
    text: 'This inbox name belongs to a workspace. Send its API key as "Authorization: Bearer <API_KEY>".',
  },
  keyNeeded: {
    code: 'key-needed',
    status: 401,
    text: 'This shows the mail of all inboxes, and so only to this machine itself or to the key of a workspace. Send that as "Authorization: Bearer <API_KEY>", or as the password of Basic authentication.',
  },
  notFound: {
    code: 'not-found',
    status: 404,
    text: 'There is nothing at this path. See /openapi.json for what there is.',
  },
  noSuchEmail: { code: 'no-such-email', status: 404, text: 'This inbox has no such email. It may have expired.' },
  noSuchMessage: {
    code: 'no-such-message',
    status: 404,
    text: 'There is no such message. It may have expired or have been deleted.',
  },
  noSuchBody: { code: 'no-such-body', status: 404, text: 'This message has no HTML.' },
  noSuchPart: {
    code: 'no-such-part',
    status: 404,
    text: 'This email has no part of this path. See …/parts for those that it has.',
  },
  partIsMultipart: {
    code: 'part-is-multipart',
    status: 404,
    text: 'The part of this path is a multipart, which has no content of its own. See …/parts for the parts in it.',
  },
  methodNotAllowed: {
    code: 'method-not-allowed',
    status: 405,
    text: 'This path does not support {method}. It supports {allow}.',
  },
  requestTimeout: { code: 'request-timeout', status: 408, text: 'The request took too long to arrive.' },
  bodyTooLarge: {
    code: 'body-too-large',
    status: 413,
    text: 'The request body is too large. The limit is {limit} bytes.',
  },
  unsupportedMediaType: {
    code: 'unsupported-media-type',
    status: 415,
    text: 'The request body must be JSON, sent with "Content-Type: application/json".',
  },
  /** The text is the interface's (interface section 7). */
  tooManyRequests: { code: 'too-many-requests', status: 429, text: 'Too many requests. Slow down.' },
  tooManyWrongKeys: {
    code: 'too-many-wrong-keys',
    status: 429,
    text: 'Too many wrong API keys came from your address. Wait a moment: until then no key is checked.',
  },
  tooManyNames: {
    code: 'too-many-names',
    status: 429,
    text: 'Your address has looked into too many inboxes that have no mail. Wait a moment before you look into others.',
  },
  tooManyStreams: {
    code: 'too-many-streams',
    status: 429,
    text: 'Too many open streams from your address. The limit is {limit}: close some first.',
  },
  tooManyConnections: {
    code: 'too-many-connections',
    status: 429,
    text: 'Too many connections from your address. The limit is {limit}, the sum of --http-connections and --streams-per-client: close some first.',
  },
  headersTooLarge: { code: 'headers-too-large', status: 431, text: 'The request headers are too large.' },
  internal: { code: 'internal', status: 500, text: 'Something went wrong inside Mayfly. The reason is in its log.' },
  unknownMethod: {
    code: 'unknown-method',
    status: 501,
    text: 'The request method is not supported. See /openapi.json for what is.',
  },
  notServed: {
    code: 'not-served',
    status: 501,
    text: 'Mayfly serves the part of the interface of {server} that tests use, and this is none of it. See docs/moving.md for what there is.',
  },
  stopping: { code: 'stopping', status: 503, text: 'The service is stopping. Try again in a moment.' },
  storeAway: {
    code: 'store-away',
    status: 503,
    text: 'The store, where mail is kept, does not answer. Try again in a moment.',
  },
  allStreamsTaken: { code: 'all-streams-taken', status: 503, text: 'All streams are in use. Try again in a moment.' },
  tooManyInspections: {
    code: 'too-many-inspections',
    status: 503,
    text: 'Too many messages are being read. Try again in a moment.',
  },
  tooManyAnswers: {
    code: 'too-many-answers',
    status: 503,
    text: 'Too many large answers are being sent. Read those that you have asked for, or try again in a moment.',
  },
  notReady: { code: 'not-ready', status: 503, text: 'Not ready: {part} does not answer.' },
} as const satisfies Record<string, HttpError>;

export const smtpErrors = {
  badRecipientName: {
    code: 553,
    enhanced: '5.1.3',
    text: 'Inbox names are 1 to 64 characters of a-z 0-9 . _ + - with no dot at the start, at the end or doubled',
  },
  foreignDomain: {
    code: 550,
    enhanced: '5.7.1',
    text: 'Mail for this domain is not accepted here, and nothing is relayed',
  },
  messageTooLarge: { code: 552, enhanced: '5.3.4', text: 'The message is larger than the {limit} bytes taken here' },
  tooManyRecipients: { code: 452, enhanced: '4.5.3', text: 'Too many recipients: send the rest in another message' },
  inboxFull: { code: 452, enhanced: '4.2.2', text: 'The inbox is full: try again when its mail has expired' },
  storeFull: { code: 452, enhanced: '4.3.1', text: 'The store is full: try again when older mail has expired' },
  tooMuchInFlight: { code: 452, enhanced: '4.3.1', text: 'Too much mail is being received: try again in a moment' },
  tooMuchFromClient: {
    code: 452,
    enhanced: '4.3.1',
    text: 'Too much mail is being received from your address: try again in a moment',
  },
  tooManyConnections: { code: 421, enhanced: '4.7.0', text: 'Too many connections from your address' },
  allConnectionsTaken: { code: 421, enhanced: '4.3.2', text: 'All connections are taken: try again in a moment' },
  tooManyMails: {
    code: 451,
    enhanced: '4.7.1',
    text: 'Too many mails from your address: try again in {seconds} seconds',
  },
  idleTooLong: { code: 421, enhanced: '4.4.2', text: 'Nothing came for too long: closing the connection' },
  dataTooLate: { code: 421, enhanced: '4.4.2', text: 'The message took too long to arrive: closing the connection' },
  dataTooSlow: { code: 421, enhanced: '4.4.2', text: 'The message arrives too slowly: closing the connection' },
  stopping: { code: 421, enhanced: '4.3.2', text: 'The service is stopping: try again in a moment' },
  storeAway: {
    code: 451,
    enhanced: '4.3.0',
    text: 'The store, where mail is kept, does not answer: try again in a moment',
  },
  internal: { code: 451, enhanced: '4.3.0', text: 'Something went wrong here and the mail was not stored: try again' },
  broken: { code: 421, enhanced: '4.3.0', text: 'Something went wrong here: closing the connection' },
  badSender: { code: 501, enhanced: '5.1.7', text: 'MAIL FROM: takes an address in angle brackets, or <> alone' },
  badRecipient: { code: 501, enhanced: '5.1.3', text: 'RCPT TO: takes an address without spaces, in angle brackets' },
  badParameter: {
    code: 501,
    enhanced: '5.5.4',
    text: 'A parameter is malformed or given twice: SIZE takes a number of bytes, BODY 7BIT or 8BITMIME, SMTPUTF8 nothing',
  },
  unknownParameter: { code: 555, enhanced: '5.5.4', text: 'A parameter is not known here: leave it out' },
  mailIsOpen: { code: 503, enhanced: '5.5.1', text: 'A mail has already been started: send RSET to drop it' },
  mailFirst: { code: 503, enhanced: '5.5.1', text: 'Send MAIL first' },
  recipientFirst: { code: 503, enhanced: '5.5.1', text: 'No recipient was accepted so far: send RCPT first' },
  helloFirst: { code: 503, enhanced: '5.5.1', text: 'Send EHLO or HELO first' },
  badHello: { code: 501, enhanced: '5.5.4', text: 'EHLO and HELO take one argument, the name of your machine' },
  badVerify: { code: 501, enhanced: '5.5.4', text: 'VRFY takes one argument, an address' },
  noArgument: { code: 501, enhanced: '5.5.4', text: 'This command takes no argument' },
  noTls: {
    code: 454,
    enhanced: '4.7.0',
    text: 'TLS is not available now: the log of the service says why. Try again later, or go on without it',
  },
  tlsIsOn: { code: 503, enhanced: '5.5.1', text: 'TLS is already on' },
  tlsFirst: { code: 538, enhanced: '5.7.11', text: 'Credentials are taken over TLS only: send STARTTLS first' },
  authIsDone: { code: 503, enhanced: '5.5.1', text: 'You are already authenticated' },
  authAborted: { code: 501, enhanced: '5.7.0', text: 'Authentication was cancelled, as you asked' },
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
  proxyHeaderMissing: {
    code: 421,
    enhanced: '4.5.1',
    text: 'Connections from this address must begin with a PROXY protocol header: see --smtp-proxy',
  },
  badProxyHeader: {
    code: 421,
    enhanced: '4.5.1',
    text: 'The PROXY protocol header is malformed, too long or not one of TCP: closing the connection',
  },
  proxyHeaderTooLate: {
    code: 421,
    enhanced: '4.4.2',
    text: 'No PROXY protocol header came in time, with which connections from this address must begin: see --smtp-proxy',
  },
  tooManyAwaited: {
    code: 421,
    enhanced: '4.3.2',
    text: 'Too many connections await their PROXY protocol header: try again in a moment',
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
