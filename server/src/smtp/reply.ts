import { errorText, type SmtpError, smtpErrors } from '../errors.js';

/** One reply: its code (RFC 5321 section 4.2), its enhanced code (RFC 3463; 3xx replies have none), its text. */
export interface Reply {
  readonly code: number;
  readonly enhanced: string | null;
  readonly text: string;
}

export const replies = {
  senderAccepted: { code: 250, enhanced: '2.1.0', text: 'Sender accepted' },
  recipientAccepted: { code: 250, enhanced: '2.1.5', text: 'Recipient accepted' },
  sendContent: { code: 354, enhanced: null, text: 'Send the mail, and end it with a line that holds a dot alone' },
  stored: { code: 250, enhanced: '2.6.0', text: 'The mail is stored' },
} as const satisfies Record<string, Reply>;

/** The reply that tells an error. */
export function refusal(error: SmtpError, values?: Readonly<Record<string, string | number>>): Reply {
  return { ...error, text: errorText(error, values) };
}

/**
 * The errors that smtp-server reports by itself, by its own words for them, so that all that a client sees comes from
 * one table. Where a new version of it words one differently, the conversations under test tell.
 */
export const engineErrors: ReadonlyMap<string, SmtpError> = new Map<string, SmtpError>([
  ['You talk too soon', smtpErrors.spokeTooSoon],
  ['HTTP requests not allowed', smtpErrors.notHttp],
  ['Timeout - closing connection', smtpErrors.idleTooLong],
  ['Error: Command line too long', smtpErrors.commandTooLong],
  ['Error: command not recognized', smtpErrors.unknownCommand],
  ['Error: too many unrecognized commands', smtpErrors.tooManyUnknown],
  ['Error: internal server error', smtpErrors.internal],
  ['Error: send HELO/EHLO first', smtpErrors.helloFirst],
  ['Error: syntax: EHLO hostname', smtpErrors.badHello],
  ['Error: Syntax: HELO hostname', smtpErrors.badHello],
  ['Error: Bad hostname syntax', smtpErrors.badHello],
  ['Error: Syntax: VRFY address', smtpErrors.badVerify],
  ['Error: syntax: STARTTLS', smtpErrors.noArgument],
  ['Error: TLS already active', smtpErrors.tlsIsOn],
  ['Error: No identity changes permitted', smtpErrors.authIsDone],
  ['Error: Unrecognized authentication type', smtpErrors.unknownMechanism],
  ['Error: syntax: AUTH PLAIN token', smtpErrors.badCredentials],
  ['Error: syntax: AUTH LOGIN', smtpErrors.badCredentials],
  ['Error: invalid userdata', smtpErrors.badCredentials],
  ['Error: missing username', smtpErrors.badCredentials],
  ['Authentication aborted', smtpErrors.authAborted],
]);
