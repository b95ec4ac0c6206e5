// biome-ignore-all lint/style/noExcessiveLinesPerFile: a table, whose rows are looked up in one place.

/** Every error that a caller can see: what was wrong and what to do, no internals (D11). `{name}`s are filled in. */

export interface HttpError {
  /** The header `Mayfly-Error`. Programs rely on it: it never changes. */
  readonly code: string;
  readonly status: number;
  /** The `error` of the body (interface section 2.3). */
  readonly text: string;
  /** The header `Mayfly-Hint`, where the interface fixes the text. */
  readonly hint?: string;
}

/** An error over SMTP: reply code (RFC 5321 section 4.2), enhanced code (RFC 3463), text. */
export interface SmtpError {
  readonly code: number;
  readonly enhanced: string;
  readonly text: string;
  readonly isRehearsed?: true;
}

/** Interface section 7 fixes the text, so the hint gives the limit and the alternatives. */
function tooManyFetches(setting: `--${string}`) {
  return {
    code: 'too-many-requests',
    status: 429,
    text: 'Too many requests. Slow down.',
    hint: `The limit is {limit} (${setting}). Wait for mail with GET /api/inbox/NAME/stream, or list it with GET /api/inbox/NAME/summary: neither counts as a fetch.`,
  };
}

export const httpErrors = {
  badInboxName: {
    code: 'bad-inbox-name',
    status: 400,
    text: 'The inbox name is not valid. Use 1 to 64 of the characters a-z 0-9 . _ + - without a leading, trailing or double dot; alone, or with an @ and a domain.',
  },
  foreignInbox: {
    code: 'foreign-inbox',
    status: 400,
    text: 'This service only accepts mail for {domains}, so this address has no inbox. Use one of these domains, or add yours with --domain.',
  },
  badReceivedAt: {
    code: 'bad-received-at',
    status: 400,
    text: "The path does not identify an email. Use the email's receivedAt, such as 2026-01-31T09:30:00.000Z.",
  },
  badPartPath: {
    code: 'bad-part-path',
    status: 400,
    text: 'The path does not identify a part of an email. Use a path listed by …/parts, such as 1.2.',
  },
  badPreviewForm: {
    code: 'bad-preview-form',
    status: 400,
    text: 'The form may contain one field only: "key", the API key of the workspace.',
  },
  badQuery: { code: 'bad-query', status: 400, text: 'The query parameter "{name}" is not valid: {rule}.' },
  misspelledQuery: {
    code: 'misspelled-query',
    status: 400,
    text: 'The query parameter "{name}" is unknown. Did you mean "{meant}"?',
  },
  badJson: { code: 'bad-json', status: 400, text: 'The request body is not valid JSON.' },
  agentBatch: {
    code: 'agent-batch',
    status: 400,
    text: 'The request body contains a batch of messages. Send each message in its own request: version 2025-06-18 of the Model Context Protocol removed batches.',
  },
  badWaitlistEmail: {
    code: 'bad-waitlist-email',
    status: 400,
    text: 'The request body must be a JSON object whose "email" is a valid email address.',
  },
  badRun: {
    code: 'bad-run',
    status: 400,
    text: 'The run is not valid. Use the 26 characters of its secret (MAYFLY_RUN): a-z and 2-7.',
  },
  badRunReport: {
    code: 'bad-run-report',
    status: 400,
    text: 'The request body must be a JSON object whose "tests" lists 1 to 100 tests as in /openapi.json.',
  },
  badUrl: { code: 'bad-url', status: 400, text: 'The request URL is malformed. Check its percent-encoding.' },
  badRequest: { code: 'bad-request', status: 400, text: 'The request is not valid HTTP.' },
  pluginRefusal: {
    code: 'plugin-refusal',
    status: 400,
    text: 'The plugin {plugin} refused the request: {reason}',
  },
  unframedBody: {
    code: 'unframed-body',
    status: 400,
    text: 'The request body was not read because neither Content-Length nor Transfer-Encoding was sent. Send one of these headers.',
  },
  trailingBytes: {
    code: 'trailing-bytes',
    status: 400,
    text: 'More bytes came with the request than its Content-Length or its chunks announced. Correct them, or send fewer bytes.',
  },
  noHost: {
    code: 'no-host',
    status: 400,
    text: 'An HTTP/1.1 request needs a Host header that is a name or an address, such as localhost:8080. Send it, or use a client that does.',
  },
  severalHosts: {
    code: 'several-hosts',
    status: 400,
    text: 'The request has more than one Host header. Send exactly one.',
  },
  foreignHost: {
    code: 'foreign-host',
    status: 400,
    text: 'This service is available only on its own machine, but the Host header names another host or is missing. Use localhost or 127.0.0.1.',
  },
  foreignHostOfProxy: {
    code: 'foreign-host',
    status: 400,
    text: 'This service is available only on its own machine, but the Host header names another host or is missing. Use localhost or 127.0.0.1. If a proxy or tunnel on this machine passed the request on, start the service with --trust-proxy {proxy}.',
  },
  crossSite: {
    code: 'cross-site',
    status: 403,
    text: 'Pages of other sites may not use this service. The operator can allow a site with --cors-origin.',
  },
  crossOrigin: {
    code: 'cross-site',
    status: 403,
    text: 'Pages of {origin} may not use this service. The operator can allow them with --cors-origin {origin}.',
  },
  publicHost: {
    code: 'public-host',
    status: 400,
    text: "Requests without an API key must use an IP address or a local network name, such as a container's, in the Host header. Use one of those, or send the API key of a workspace.",
  },
  unknownKey: { code: 'unknown-key', status: 401, text: 'The API key is unknown. Check the key.' },
  namedKey: {
    code: 'unknown-key',
    status: 401,
    text: 'The API key is unknown. It looks like NAME=KEY, as --workspace takes it: send only the part after the "=".',
  },
  ownedName: {
    code: 'owned-name',
    status: 401,
    text: 'This inbox name belongs to a workspace. Send its API key as "Authorization: Bearer <API_KEY>".',
  },
  privateInbox: {
    code: 'private-inbox',
    status: 401,
    text: 'This inbox is private. Send its secret as "Authorization: Bearer <SECRET>"; mayfly-client: mayfly.inbox(name, { secret }).',
  },
  badSpace: {
    code: 'bad-space',
    status: 401,
    text: 'This is not the user and password of a space. The user is 1 to 64 of the characters a-z 0-9 . _ + - and the password 6 to 128 visible ASCII characters.',
  },
  noSpaces: {
    code: 'no-spaces',
    status: 401,
    text: 'USER:PASSWORD names a space, but this service has none. Start it with --spaces, or send no key.',
  },
  keyNeeded: {
    code: 'key-needed',
    status: 401,
    text: 'This endpoint shows every inbox. It is available only {availability}',
  },
  notFound: {
    code: 'not-found',
    status: 404,
    text: 'There is nothing at this path. See /openapi.json for the available paths.',
  },
  notFoundBelowRoot: {
    code: 'not-found',
    status: 404,
    text: 'There is nothing at this path. A plugin serves the paths below {root}: see its documentation.',
  },
  optionIsOff: {
    code: 'not-found',
    status: 404,
    text: 'There is nothing at this path. {part} is served only if the service is started with {option}.',
  },
  notMetrics: {
    code: 'not-found',
    status: 404,
    text: 'There is nothing at this path. This listener serves only /metrics.',
  },
  noSuchEmail: { code: 'no-such-email', status: 404, text: 'This inbox has no such email. It may have expired.' },
  noSuchPart: {
    code: 'no-such-part',
    status: 404,
    text: 'This email has no part at this path. See …/parts for its parts.',
  },
  partIsMultipart: {
    code: 'part-is-multipart',
    status: 404,
    text: 'The part at this path is a multipart, which has no content of its own. See …/parts for the parts it contains.',
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
  tooManySpaceMails: {
    code: 'too-many-space-mails',
    status: 429,
    text: 'Too many messages in this space. The limit is set by --space-limit. Send the rest later.',
  },
  unsupportedMediaType: {
    code: 'unsupported-media-type',
    status: 415,
    text: 'The request body must be JSON, sent with "Content-Type: application/json".',
  },
  unsupportedContentEncoding: {
    code: 'unsupported-content-encoding',
    status: 415,
    text: 'The request body has a Content-Encoding, which is not supported. Send the body unencoded, without that header. Nothing was changed.',
  },
  tooManyRequests: tooManyFetches('--fetch-limit'),
  tooManyWorkspaceRequests: tooManyFetches('--workspace-limit'),
  tooManyLooks: {
    code: 'too-many-requests',
    status: 429,
    text: 'Too many inbox lookups. The limit is {limit} (--look-limit). Wait for mail with GET /api/inbox/NAME/stream instead of polling.',
  },
  tooManyOpenings: {
    code: 'too-many-requests',
    status: 429,
    text: 'Too many streams were opened. The limit is {limit} (--stream-limit). Keep each stream open until its mail arrives, or list mail with GET /api/inbox/NAME/summary.',
  },
  tooManyPosts: {
    code: 'too-many-requests',
    status: 429,
    text: 'Too many posts to the waitlist. The limit is {limit} (--waitlist-limit). Post each address once.',
  },
  tooManyMails: {
    code: 'too-many-requests',
    status: 429,
    text: 'Too many messages from your address. The limit is set by --smtp-limit. Send the rest later.',
  },
  tooManyAgentCalls: {
    code: 'too-many-requests',
    status: 429,
    text: 'Too many messages from your address are queued. Wait for responses before sending more.',
  },
  tooManyWrongKeys: {
    code: 'too-many-wrong-keys',
    status: 429,
    text: 'Too many wrong API keys from your address. The limit is {limit} (--wrong-key-limit). Wait a moment: until then, no key is checked.',
  },
  tooManyNames: {
    code: 'too-many-names',
    status: 429,
    text: 'Your address has looked up too many inboxes without mail. The limit is {limit} (--name-limit). Use names generated by mayfly-client, which do not count, or wait a moment before looking up others.',
  },
  tooManyStreams: {
    code: 'too-many-streams',
    status: 429,
    text: 'Too many open streams from your address. The limit is {limit} (--streams-per-client). Close some first, or list mail with GET /api/inbox/NAME/summary.',
  },
  tooManyConnections: {
    code: 'too-many-connections',
    status: 429,
    text: 'Too many connections from your address. The limit is {limit}, the sum of --http-connections and --streams-per-client. Close some first.',
  },
  headersTooLarge: { code: 'headers-too-large', status: 431, text: 'The request headers are too large.' },
  internal: { code: 'internal', status: 500, text: 'Something went wrong inside Mayfly. See its log for the cause.' },
  unknownTransferCoding: {
    code: 'unknown-transfer-coding',
    status: 501,
    text: 'The only transfer coding that Mayfly reads is "chunked". Send the body without another one.',
  },
  unknownMethod: {
    code: 'unknown-method',
    status: 501,
    text: 'The request method is not supported. See /openapi.json for the methods that are.',
  },
  runFull: {
    code: 'run-full',
    status: 409,
    text: 'The run has no room for more tests, so the rest of this report was not kept. Use another run (MAYFLY_RUN).',
  },
  stopping: { code: 'stopping', status: 503, text: 'The service is stopping. Try again in a moment.' },
  storeAway: { code: 'store-away', status: 503, text: 'The mail store is not responding. Try again in a moment.' },
  tooManyFollowers: {
    code: 'too-many-streams',
    status: 429,
    text: 'Too many streams of all mail are open. Close some first, or list it with GET /api/emails.',
  },
  allStreamsTaken: {
    code: 'all-streams-taken',
    status: 503,
    text: 'All streams are in use (--streams), except any reserved for addresses with few open streams. Try again in a moment.',
  },
  tooManyInspections: {
    code: 'too-many-inspections',
    status: 503,
    text: 'Too many messages are being parsed. Try again in a moment.',
  },
  tooMuchSent: {
    code: 'too-much-sent',
    status: 503,
    text: 'Too much mail is being submitted over HTTP. Try again in a moment.',
  },
  tooManyAnswers: {
    code: 'too-many-answers',
    status: 503,
    text: 'Too many large responses are being sent. Read those you have already requested, or try again in a moment.',
  },
  notReady: { code: 'not-ready', status: 503, text: 'Not ready: {part} is not responding.' },
  diskFull: {
    code: 'disk-full',
    status: 503,
    text: 'The disk of {owner} is full. No mail is accepted until space is freed.',
  },
} as const satisfies Record<string, HttpError>;

export const smtpErrors = {
  badRecipientName: {
    code: 553,
    enhanced: '5.1.3',
    text: 'Inbox names are ASCII, also with SMTPUTF8: use 1 to 64 of the characters a-z 0-9 . _ + - without a leading, trailing or double dot',
  },
  badRecipientDomain: {
    code: 553,
    enhanced: '5.1.2',
    text: 'The domain of this address is not valid: use names of the characters a-z 0-9 _ - with dots between them, at most 255 in all, or an IP address in brackets',
  },
  foreignDomain: {
    code: 550,
    enhanced: '5.7.1',
    text: "This service only accepts mail for {domains}. Start it with --domain '*' to accept any domain",
  },
  messageTooLarge: {
    code: 552,
    enhanced: '5.3.4',
    text: 'The message exceeds the limit of {limit} bytes (--max-message)',
  },
  tooManyRecipients: {
    code: 452,
    enhanced: '4.5.3',
    text: 'Too many recipients (--max-recipients): send the rest in another message',
  },
  inboxFull: {
    code: 452,
    enhanced: '4.2.2',
    text: 'The inbox is full (--max-emails): try again when its mail has expired',
  },
  storeFull: {
    code: 452,
    enhanced: '4.3.1',
    text: 'The store is full (--store-budget): try again when older mail has expired',
  },
  diskFull: {
    code: 452,
    enhanced: '4.3.1',
    text: 'The disk of the service is full: try again when space has been freed',
  },
  tooMuchInFlight: {
    code: 452,
    enhanced: '4.3.1',
    text: 'Too much mail is being received (--max-in-flight): try again in a moment',
  },
  tooMuchFromClient: {
    code: 452,
    enhanced: '4.3.1',
    text: 'Too much mail is being received from your address (--max-in-flight): try again in a moment',
  },
  tooManyConnections: {
    code: 421,
    enhanced: '4.7.0',
    text: 'Too many connections from your address (--smtp-connections)',
  },
  allConnectionsTaken: {
    code: 421,
    enhanced: '4.3.2',
    text: 'All connections are in use (--smtp-connections-total): try again in a moment',
  },
  tooManyMails: {
    code: 451,
    enhanced: '4.7.1',
    text: 'Too many messages from your address (--smtp-limit): try again in {seconds} seconds',
  },
  idleTooLong: { code: 421, enhanced: '4.4.2', text: 'The connection was idle for too long: closing it' },
  dataTooLate: { code: 421, enhanced: '4.4.2', text: 'The message took too long to arrive: closing the connection' },
  dataTooSlow: { code: 421, enhanced: '4.4.2', text: 'The message is arriving too slowly: closing the connection' },
  stopping: { code: 421, enhanced: '4.3.2', text: 'The service is stopping: try again in a moment' },
  storeAway: { code: 451, enhanced: '4.3.0', text: 'The mail store is not responding: try again in a moment' },
  internal: { code: 451, enhanced: '4.3.0', text: 'Internal error, and the mail was not stored: try again' },
  broken: { code: 421, enhanced: '4.3.0', text: 'Internal error: closing the connection' },
  badSender: {
    code: 501,
    enhanced: '5.1.7',
    text: 'MAIL FROM: takes an address with a domain, at most 254 bytes, in angle brackets, or just <>',
  },
  badRecipient: {
    code: 501,
    enhanced: '5.1.3',
    text: 'RCPT TO: takes an address with a domain, in angle brackets and without spaces',
  },
  badParameter: {
    code: 501,
    enhanced: '5.5.4',
    text: '{name} is malformed or repeated: SIZE takes a number of bytes, BODY takes 7BIT or 8BITMIME, SMTPUTF8 takes no value',
  },
  unknownParameter: { code: 555, enhanced: '5.5.4', text: 'The parameter {name} is not supported: leave it out' },
  mailIsOpen: { code: 503, enhanced: '5.5.1', text: 'A mail transaction is already open: send RSET to abort it' },
  mailFirst: { code: 503, enhanced: '5.5.1', text: 'Send MAIL first' },
  recipientFirst: { code: 503, enhanced: '5.5.1', text: 'No recipient has been accepted: send RCPT first' },
  helloFirst: { code: 503, enhanced: '5.5.1', text: 'Send EHLO or HELO first' },
  badHello: { code: 501, enhanced: '5.5.4', text: 'EHLO and HELO take one argument, your host name' },
  badVerify: { code: 501, enhanced: '5.5.4', text: 'VRFY takes one argument, an address' },
  noArgument: { code: 501, enhanced: '5.5.4', text: 'This command takes no argument' },
  noStartTls: {
    code: 502,
    enhanced: '5.5.1',
    text: 'STARTTLS is not offered: continue without it. The operator can enable it with --tls-cert',
  },
  tlsIsOn: { code: 503, enhanced: '5.5.1', text: 'TLS is already active' },
  tlsFirst: { code: 538, enhanced: '5.7.11', text: 'Credentials are accepted only over TLS: send STARTTLS first' },
  authIsDone: { code: 503, enhanced: '5.5.1', text: 'You are already authenticated' },
  authAborted: { code: 501, enhanced: '5.7.0', text: 'Authentication cancelled' },
  unknownMechanism: { code: 504, enhanced: '5.5.4', text: 'Unsupported AUTH mechanism: use one of {mechanisms}' },
  passwordNeeded: {
    code: 504,
    enhanced: '5.5.4',
    text: 'CRAM-MD5 does not send the password, which names the space with --spaces: use AUTH PLAIN or AUTH LOGIN',
  },
  badSpace: {
    code: 535,
    enhanced: '5.7.8',
    text: 'With --spaces, the user is 1 to 64 of the characters a-z 0-9 . _ + - and the password 6 to 128 visible ASCII characters',
  },
  signInFirst: {
    code: 530,
    enhanced: '5.7.0',
    text: '{reason}, so this mail would be outside of your space: sign in with AUTH, or connect again without it',
  },
  tooManySpaceMails: {
    code: 451,
    enhanced: '4.7.1',
    text: 'Too many messages in this space (--space-limit): try again in {seconds} seconds',
  },
  spaceFull: {
    code: 452,
    enhanced: '4.3.1',
    text: 'The space is full (--space-budget): try again when older mail has expired',
  },
  badCredentials: {
    code: 501,
    enhanced: '5.5.2',
    text: 'The credentials are malformed: AUTH {mechanism} takes, in base64, {form}',
  },
  unknownCommand: { code: 500, enhanced: '5.5.1', text: 'Unknown command' },
  tooManyUnknown: { code: 421, enhanced: '4.7.0', text: 'Too many unknown commands: closing the connection' },
  commandTooLong: { code: 421, enhanced: '4.5.2', text: 'The command is too long: closing the connection' },
  spokeTooSoon: { code: 421, enhanced: '4.5.1', text: 'Wait for the greeting before sending: closing the connection' },
  proxyHeaderMissing: {
    code: 421,
    enhanced: '4.5.1',
    text: 'Connections from this address must begin with a PROXY protocol header: see --smtp-proxy',
  },
  badProxyHeader: {
    code: 421,
    enhanced: '4.5.1',
    text: 'The PROXY protocol header is malformed, too long or not for TCP: closing the connection',
  },
  proxyHeaderTooLate: {
    code: 421,
    enhanced: '4.4.2',
    text: 'The PROXY protocol header required from this address did not arrive in time: see --smtp-proxy',
  },
  tooManyAwaited: {
    code: 421,
    enhanced: '4.3.2',
    text: 'Too many connections are waiting for their PROXY protocol header: try again in a moment',
  },
  notHttp: { code: 421, enhanced: '4.5.1', text: 'This port speaks SMTP, not HTTP: closing the connection' },
  notSmtps: {
    code: 421,
    enhanced: '4.5.1',
    text: 'TLS from the first byte (SSL, SMTPS) is not for this port: {cure}',
  },
  tlsOnly: {
    code: 421,
    enhanced: '4.5.1',
    text: 'This port is for TLS from the first byte (SSL, SMTPS): turn it on in the settings of the client, or use port {port} for plain SMTP and STARTTLS',
  },
} as const satisfies Record<string, SmtpError>;

export const limitErrors = {
  fetch: httpErrors.tooManyRequests,
  look: httpErrors.tooManyLooks,
  stream: httpErrors.tooManyOpenings,
  waitlist: httpErrors.tooManyPosts,
  workspace: httpErrors.tooManyWorkspaceRequests,
  'wrong-key': httpErrors.tooManyWrongKeys,
  name: httpErrors.tooManyNames,
} as const;

/** The errors of recipients that no inbox receives mail for, by the reason that the inboxes give. */
export const recipientErrors = {
  'bad-name': smtpErrors.badRecipientName,
  'bad-domain': smtpErrors.badRecipientDomain,
  'foreign-domain': smtpErrors.foreignDomain,
} as const;

/** The errors of mail that the store has not taken, by the reason that it gives. */
export const notStoredErrors = {
  'inbox-full': smtpErrors.inboxFull,
  'store-full': smtpErrors.storeFull,
  'disk-full': smtpErrors.diskFull,
  'space-full': smtpErrors.spaceFull,
} as const;

/** The name of each SMTP error, in the style of HTTP's codes: `inbox-full`. */
const ROW_NAMES = new Map<SmtpError, string>();

/** Names errors, of plugins too. */
export function nameSmtpErrors(errors: Readonly<Record<string, SmtpError>>): void {
  for (const [name, error] of Object.entries(errors)) {
    ROW_NAMES.set(
      error,
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    );
  }
}

nameSmtpErrors(smtpErrors);

export function rowName(error: SmtpError): string {
  return error.isRehearsed ? 'rehearsed' : (ROW_NAMES.get(error) ?? 'other');
}

export function errorText(
  error: { readonly text: string },
  values: Readonly<Record<string, string | number>> = {},
): string {
  return error.text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
