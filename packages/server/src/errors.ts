/** Every error that a caller can see: the cause and the fix, without internals (D11). `{name}` is a placeholder. */

export interface HttpError {
  /** The value of the header `Mayfly-Error`. It never changes, because programs rely on it. */
  readonly code: string;
  readonly status: number;
  /** The value of `error` in the body (interface section 2.3). */
  readonly text: string;
  /** The value of the header `Mayfly-Hint`: advice for errors whose text the interface prescribes. */
  readonly hint?: string;
}

export interface SmtpError {
  readonly code: number;
  readonly enhanced: string;
  readonly text: string;
  readonly isRehearsed?: true;
}

/** A table of errors. Each row is an error, or a text that `read` parses into an error. */
function table<Name extends string, E>(read: (row: string) => E, rows: Readonly<Record<Name, string | E>>) {
  const whole = ([name, row]: [string, string | E]) => [name, typeof row === 'string' ? read(row) : row];
  return Object.fromEntries(Object.entries<string | E>(rows).map(whole)) as Readonly<Record<Name, E>>;
}

function readHttp(row: string): HttpError {
  const [, status, code = '', text = ''] = /^(\d{3}) ([a-z-]+): (.+)$/.exec(row) ?? [];
  return { code, status: Number(status), text };
}

function readSmtp(row: string): SmtpError {
  const [, code, enhanced = '', text = ''] = /^(\d{3}) ([\d.]+) (.+)$/.exec(row) ?? [];
  return { code: Number(code), enhanced, text };
}

/** Interface section 7 prescribes the text, so the hint gives the limit and the alternatives. */
function tooManyFetches(setting: `--${string}`) {
  return {
    code: 'too-many-requests',
    status: 429,
    text: 'Too many requests. Slow down.',
    hint: `The limit is {limit} (${setting}). Wait for mail with GET /api/inbox/NAME/stream, or list it with GET /api/inbox/NAME/summary: neither counts as a fetch.`,
  };
}

export const httpErrors = table(readHttp, {
  badInboxName:
    '400 bad-inbox-name: The inbox name is not valid. Use 1 to 64 characters of a-z 0-9 . _ + - without a leading, trailing or double dot, optionally followed by @ and a domain.',
  foreignInbox:
    '400 foreign-inbox: This service only accepts mail for {domains}, so this address has no inbox. Use one of these domains, or add yours with --domain.',
  badReceivedAt:
    "400 bad-received-at: The path does not identify an email. Use the email's receivedAt, such as 2026-01-31T09:30:00.000Z.",
  badPartPath:
    '400 bad-part-path: The path does not identify a part of an email. Use a path listed by …/parts, such as 1.2.',
  badPreviewForm: '400 bad-preview-form: The form may contain one field only: "key", the API key of the workspace.',
  badQuery: '400 bad-query: The query parameter "{name}" is not valid: {rule}.',
  misspelledQuery: '400 misspelled-query: The query parameter "{name}" is unknown. Did you mean "{meant}"?',
  badJson: '400 bad-json: The request body is not valid JSON.',
  agentBatch:
    '400 agent-batch: The request body contains a batch of messages. Send each message in its own request: version 2025-06-18 of the Model Context Protocol removed batches.',
  badWaitlistEmail:
    '400 bad-waitlist-email: The request body must be a JSON object whose "email" is a valid email address.',
  badRun: '400 bad-run: The run is not valid. Use the 26 characters of its secret (MAYFLY_RUN): a-z and 2-7.',
  badRunReport:
    '400 bad-run-report: The request body must be a JSON object whose "tests" lists 1 to 100 tests. See /openapi.json.',
  badUrl: '400 bad-url: The request URL is malformed. Check its percent-encoding.',
  badRequest: '400 bad-request: The request is not valid HTTP.',
  pluginRefusal: '400 plugin-refusal: The plugin {plugin} refused the request: {reason}',
  unframedBody:
    '400 unframed-body: The request has a body, but no Content-Length or Transfer-Encoding. Send one of these headers.',
  trailingBytes: '400 trailing-bytes: The request body exceeds its Content-Length or its chunk sizes.',
  noHost: '400 no-host: HTTP/1.1 requires a Host header with a name or an address, such as localhost:8080.',
  severalHosts: '400 several-hosts: The request has more than one Host header. Send exactly one.',
  foreignHost:
    '400 foreign-host: This service is available only on its own machine, but the Host header names another host or is missing. Use localhost or 127.0.0.1.',
  foreignHostOfProxy:
    '400 foreign-host: This service is available only on its own machine, but the Host header names another host or is missing. Use localhost or 127.0.0.1. If a proxy or tunnel on this machine passed the request on, start the service with --trust-proxy {proxy}.',
  crossSite:
    '403 cross-site: Pages of other sites may not use this service. The operator can allow a site with --cors-origin.',
  crossOrigin:
    '403 cross-site: Pages of {origin} may not use this service. The operator can allow them with --cors-origin {origin}.',
  publicHost:
    '400 public-host: Requests without an API key must use an IP address or a local network name, such as the name of a container, in the Host header. Use one of those, or send the API key of a workspace.',
  unknownKey: '401 unknown-key: The API key is unknown. Check the key.',
  namedKey:
    '401 unknown-key: The API key is unknown. It looks like NAME=KEY, as --workspace takes it: send only the part after the "=".',
  ownedName: '401 owned-name: A workspace owns this inbox name. Send its API key as "Authorization: Bearer <API_KEY>".',
  privateInbox:
    '401 private-inbox: This inbox is private. Send its secret as "Authorization: Bearer <SECRET>", or with mayfly-client as mayfly.inbox(name, { secret }).',
  badSpace:
    '401 bad-space: These credentials are not valid for an ad-hoc workspace. The user name has 1 to 64 characters of a-z 0-9 . _ + - and the password 6 to 128 visible ASCII characters.',
  noSpaces:
    '401 no-spaces: USER:PASSWORD is for an ad-hoc workspace, but this service has no ad-hoc workspaces. Start the service with --ad-hoc-workspaces, or send no key.',
  keyNeeded: '401 key-needed: This endpoint shows every inbox. It is available only {availability}',
  notFound: '404 not-found: There is nothing at this path. See /openapi.json for the available paths.',
  notFoundBelowRoot:
    '404 not-found: There is nothing at this path. A plugin serves the paths below {root}: see its documentation.',
  optionIsOff:
    '404 not-found: There is nothing at this path. {part} is served only if the service is started with {option}.',
  notMetrics: '404 not-found: There is nothing at this path. This listener serves only /metrics.',
  noSuchEmail: '404 no-such-email: This inbox has no such email. It may have expired.',
  noSuchPart: '404 no-such-part: This email has no part at this path. See …/parts for its parts.',
  partIsMultipart:
    '404 part-is-multipart: The part at this path is a multipart, which contains only other parts. See …/parts for them.',
  methodNotAllowed: '405 method-not-allowed: This path does not support {method}. It supports {allow}.',
  requestTimeout: '408 request-timeout: The request took too long to arrive.',
  bodyTooLarge: '413 body-too-large: The request body is too large. The limit is {limit} bytes.',
  tooManySpaceMails:
    '429 too-many-space-mails: Too many messages in this ad-hoc workspace. The limit is set by --ad-hoc-limit. Send the rest later.',
  unsupportedMediaType:
    '415 unsupported-media-type: The request body must be JSON, sent with "Content-Type: application/json".',
  unsupportedContentEncoding:
    '415 unsupported-content-encoding: The request body has a Content-Encoding, which is not supported. Send the body unencoded, without that header. Nothing was changed.',
  tooManyRequests: tooManyFetches('--fetch-limit'),
  tooManyWorkspaceRequests: tooManyFetches('--workspace-limit'),
  tooManyLooks:
    '429 too-many-requests: Too many inbox reads. The limit is {limit} (--read-limit). Wait for mail with GET /api/inbox/NAME/stream instead of polling.',
  tooManyOpenings:
    '429 too-many-requests: Too many streams were opened. The limit is {limit} (--stream-limit). Keep each stream open until its mail arrives, or list mail with GET /api/inbox/NAME/summary.',
  tooManyPosts:
    '429 too-many-requests: Too many posts to the waitlist. The limit is {limit} (--waitlist-limit). Post each address once.',
  tooManyMails:
    '429 too-many-requests: Too many messages from your address. The limit is set by --smtp-limit. Send the rest later.',
  tooManyAgentCalls:
    '429 too-many-requests: Too many messages from your address are queued. Wait for responses before sending more.',
  tooManyWrongKeys:
    '429 too-many-wrong-keys: Too many wrong API keys from your address. The limit is {limit} (--wrong-key-limit). For now, Mayfly checks no key from your address. Wait a moment.',
  tooManyNames:
    '429 too-many-names: Your address has looked up too many inboxes without mail. The limit is {limit} (--name-limit). Use names generated by mayfly-client, which do not count, or wait a moment before looking up others.',
  tooManyStreams:
    '429 too-many-streams: Too many open streams from your address. The limit is {limit} (--streams-per-client). Close some first, or list mail with GET /api/inbox/NAME/summary.',
  tooManyConnections:
    '429 too-many-connections: Too many connections from your address. The limit is {limit}, the sum of --http-connections and --streams-per-client. Close some first.',
  headersTooLarge: '431 headers-too-large: The request headers are too large.',
  internal: '500 internal: Something went wrong inside Mayfly. See its log for the cause.',
  unknownTransferCoding:
    '501 unknown-transfer-coding: Mayfly supports only the transfer coding "chunked". Send the body without any other coding.',
  unknownMethod: '501 unknown-method: The request method is not supported. See /openapi.json for supported methods.',
  runFull:
    '409 run-full: The run has no room for more tests, so the rest of this report was not kept. Use another run (MAYFLY_RUN).',
  stopping: '503 stopping: The service is stopping. Try again in a moment.',
  storeAway: '503 store-away: The mail store is not responding. Try again in a moment.',
  tooManyFollowers:
    '429 too-many-streams: Too many streams of all mail are open. Close some first, or list all mail with GET /api/emails.',
  allStreamsTaken:
    '503 all-streams-taken: All streams are in use (--streams), except any reserved for clients with few open streams. Try again in a moment.',
  tooManyInspections: '503 too-many-inspections: Too many messages are being parsed. Try again in a moment.',
  tooMuchSent: '503 too-much-sent: Too much mail is being submitted over HTTP. Try again in a moment.',
  tooManyAnswers:
    '503 too-many-answers: Too many large responses are being sent. Read those you have already requested, or try again in a moment.',
  notReady: '503 not-ready: Not ready: {part} is not responding.',
  diskFull: '503 disk-full: The disk of {owner} is full. No mail is accepted until space is freed.',
  storeFull:
    '503 store-full: The memory of {owner} is full (maxmemory). No mail is accepted until mail has expired or maxmemory is raised.',
});

export const smtpErrors = table(readSmtp, {
  badRecipientName:
    '553 5.1.3 The inbox name is not valid: use 1 to 64 characters of a-z 0-9 . _ + - (ASCII even with SMTPUTF8) without a leading, trailing or double dot',
  badRecipientDomain:
    '553 5.1.2 The domain of this address is not valid: use names of the characters a-z 0-9 _ - with dots between them, at most 255 characters in all, or an IP address in brackets',
  foreignDomain:
    "550 5.7.1 This service only accepts mail for {domains}. Start it with --domain '*' to accept any domain",
  messageTooLarge: '552 5.3.4 The message exceeds the limit of {limit} bytes (--max-message)',
  tooManyRecipients: '452 4.5.3 Too many recipients (--max-recipients): send the rest in another message',
  inboxFull: '452 4.2.2 The inbox is full (--max-emails): try again when its mail has expired',
  storeFull:
    '452 4.3.1 The store is full (--store-quota, or maxmemory of Redis): try again when older mail has expired',
  diskFull: '452 4.3.1 The disk of the service is full: try again when space has been freed',
  tooMuchInFlight: '452 4.3.1 Too much mail is being received (--max-in-flight): try again in a moment',
  tooMuchFromClient:
    '452 4.3.1 Too much mail is being received from your address (--max-in-flight): try again in a moment',
  tooManyConnections: '421 4.7.0 Too many connections from your address (--smtp-connections): close some first',
  allConnectionsTaken: '421 4.3.2 All connections are in use (--smtp-connections-total): try again in a moment',
  tooManyMails: '451 4.7.1 Too many messages from your address (--smtp-limit): try again in {seconds} seconds',
  idleTooLong: '421 4.4.2 The connection was idle for too long: closing it',
  dataTooLate: '421 4.4.2 The message took too long to arrive: closing the connection',
  dataTooSlow: '421 4.4.2 The message is arriving too slowly: closing the connection',
  stopping: '421 4.3.2 The service is stopping: try again in a moment',
  storeAway: '451 4.3.0 The mail store is not responding: try again in a moment',
  internal: '451 4.3.0 Internal error, and the mail was not stored: try again',
  broken: '421 4.3.0 Internal error: closing the connection',
  badSender: '501 5.1.7 MAIL FROM: takes an address with a domain, at most 254 bytes, in angle brackets, or just <>',
  badRecipient: '501 5.1.3 RCPT TO: takes an address with a domain, in angle brackets and without spaces',
  badParameter:
    '501 5.5.4 {name} is malformed or repeated: SIZE takes a number of bytes, BODY takes 7BIT or 8BITMIME, SMTPUTF8 takes no value',
  unknownParameter: '555 5.5.4 The parameter {name} is not supported: leave it out',
  mailIsOpen: '503 5.5.1 A mail transaction is already open: send RSET to abort it',
  mailFirst: '503 5.5.1 Send MAIL first',
  recipientFirst: '503 5.5.1 No recipient has been accepted: send RCPT first',
  helloFirst: '503 5.5.1 Send EHLO or HELO first',
  badHello: '501 5.5.4 EHLO and HELO take one argument, your host name',
  badVerify: '501 5.5.4 VRFY takes one argument, an address',
  noArgument: '501 5.5.4 This command takes no argument',
  noStartTls: '502 5.5.1 STARTTLS is not offered: continue without it. The operator can enable it with --tls-cert',
  tlsIsOn: '503 5.5.1 TLS is already active',
  tlsFirst: '538 5.7.11 Credentials are accepted only over TLS: send STARTTLS first',
  authIsDone: '503 5.5.1 You are already authenticated',
  authAborted: '501 5.7.0 Authentication cancelled',
  unknownMechanism: '504 5.5.4 Unsupported AUTH mechanism: use one of {mechanisms}',
  passwordNeeded:
    '504 5.5.4 CRAM-MD5 does not send the password, which --ad-hoc-workspaces needs: use AUTH PLAIN or AUTH LOGIN',
  badSpace:
    '535 5.7.8 With --ad-hoc-workspaces, the user name has 1 to 64 characters of a-z 0-9 . _ + - and the password 6 to 128 visible ASCII characters',
  signInFirst:
    '530 5.7.0 {reason}, so this message would be outside your ad-hoc workspace: sign in with AUTH, or reconnect to send it there without AUTH',
  tooManySpaceMails:
    '451 4.7.1 Too many messages in this ad-hoc workspace (--ad-hoc-limit): try again in {seconds} seconds',
  spaceFull: '452 4.3.1 The ad-hoc workspace is full (--ad-hoc-quota): try again when older mail has expired',
  badCredentials: '501 5.5.2 The credentials are malformed: AUTH {mechanism} expects the base64 of {form}',
  unknownCommand: '500 5.5.1 Unknown command',
  tooManyUnknown: '421 4.7.0 Too many unknown commands: closing the connection',
  commandTooLong: '421 4.5.2 The command is too long: closing the connection',
  spokeTooSoon: '421 4.5.1 Wait for the greeting before sending: closing the connection',
  proxyHeaderMissing:
    '421 4.5.1 Connections from this address must begin with a PROXY protocol header: see --smtp-proxy',
  badProxyHeader: '421 4.5.1 The PROXY protocol header is malformed, too long or not for TCP: closing the connection',
  proxyHeaderTooLate:
    '421 4.4.2 The PROXY protocol header required from this address did not arrive in time: see --smtp-proxy',
  tooManyAwaited: '421 4.3.2 Too many connections are waiting for their PROXY protocol header: try again in a moment',
  notHttp: '421 4.5.1 This port speaks SMTP, not HTTP: closing the connection',
  notSmtps: '421 4.5.1 This port does not support TLS from the first byte (SSL, SMTPS): {cure}',
  tlsOnly:
    '421 4.5.1 This port is for TLS from the first byte (SSL, SMTPS): turn it on in the settings of the client, or use port {port} for plain SMTP and STARTTLS',
});

export const limitErrors = {
  fetch: httpErrors.tooManyRequests,
  read: httpErrors.tooManyLooks,
  stream: httpErrors.tooManyOpenings,
  waitlist: httpErrors.tooManyPosts,
  workspace: httpErrors.tooManyWorkspaceRequests,
  'wrong-key': httpErrors.tooManyWrongKeys,
  name: httpErrors.tooManyNames,
} as const;

export const recipientErrors = {
  'bad-name': smtpErrors.badRecipientName,
  'bad-domain': smtpErrors.badRecipientDomain,
  'foreign-domain': smtpErrors.foreignDomain,
} as const;

export const notStoredErrors = {
  'inbox-full': smtpErrors.inboxFull,
  'store-full': smtpErrors.storeFull,
  'disk-full': smtpErrors.diskFull,
  'space-full': smtpErrors.spaceFull,
} as const;

/** The name of each SMTP error, such as `inbox-full`. HTTP errors have names in their `code`. */
const ROW_NAMES = new Map<SmtpError, string>();

/** Registers the names of errors, including those of plugins. */
export function nameSmtpErrors(errors: Readonly<Record<string, SmtpError>>): void {
  for (const [name, error] of Object.entries(errors)) {
    const rowName = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    ROW_NAMES.set(error, rowName);
  }
}

nameSmtpErrors(smtpErrors);

export function rowName(error: SmtpError): string {
  return error.isRehearsed ? 'rehearsed' : (ROW_NAMES.get(error) ?? 'other');
}

/** The values of an error's placeholders. */
export type ErrorValues = Readonly<Record<string, string | number>>;

export function errorText(error: { readonly text: string }, values: ErrorValues = {}): string {
  return error.text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** An error class that `instanceof` recognizes by name: external plugins may have their own copy of this package. */
export class NamedError extends Error {
  static override [Symbol.hasInstance](
    this: { readonly name: string; readonly prototype: object },
    value: unknown,
  ): boolean {
    if (!(value instanceof Error)) return false;
    // biome-ignore lint/complexity/noThisInStatic: the class on the right of instanceof.
    return value.name === this.name || Object.prototype.isPrototypeOf.call(this.prototype, value);
  }
}
