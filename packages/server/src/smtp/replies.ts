import { errorText, rowName, type SmtpError } from '../errors.js';

/** Code (RFC 5321 section 4.2), enhanced code (RFC 3463; null for 3xx), text. */
export interface Reply {
  readonly code: number;
  readonly enhanced: string | null;
  readonly text: string;
}

/** A reply that refuses, with the row of the table of errors that it comes from. */
export interface Refused extends Reply {
  readonly error: SmtpError;
  readonly name: string;
}

export const replies = {
  ok: { code: 250, enhanced: '2.0.0', text: 'OK' },
  reset: { code: 250, enhanced: '2.0.0', text: 'Flushed' },
  bye: { code: 221, enhanced: '2.0.0', text: 'Bye' },
  help: {
    code: 214,
    enhanced: '2.0.0',
    text: 'EHLO HELO AUTH MAIL RCPT DATA RSET NOOP VRFY QUIT, as in RFC 5321',
  },
  helpWithTls: {
    code: 214,
    enhanced: '2.0.0',
    text: 'EHLO HELO STARTTLS AUTH MAIL RCPT DATA RSET NOOP VRFY QUIT, as in RFC 5321',
  },
  notVerified: { code: 252, enhanced: '2.1.5', text: 'Not looked up: RCPT tells whether an address is accepted' },
  startTls: { code: 220, enhanced: '2.0.0', text: 'Ready to start TLS' },
  authenticated: { code: 235, enhanced: '2.7.0', text: 'Authentication successful' },
  senderAccepted: { code: 250, enhanced: '2.1.0', text: 'Sender accepted' },
  recipientAccepted: { code: 250, enhanced: '2.1.5', text: 'Recipient accepted' },
  sendContent: { code: 354, enhanced: null, text: 'Send the mail, and end it with a line that holds a dot alone' },
  stored: { code: 250, enhanced: '2.6.0', text: 'The mail is stored' },
} as const satisfies Record<string, Reply>;

/** Fill the text of an error. */
export type ReplyValues = Readonly<Record<string, string | number>>;

export function refusal(error: SmtpError, values?: ReplyValues): Refused {
  const { code, enhanced } = error;
  return { error, name: rowName(error), code, enhanced, text: errorText(error, values) };
}

export function replyLine({ code, enhanced, text }: Reply): string {
  return enhanced === null ? `${code} ${text}\r\n` : `${code} ${enhanced} ${text}\r\n`;
}

export function greeting(hostname: string): string {
  return `220 ${hostname} ESMTP Mayfly\r\n`;
}

export interface Offer {
  readonly hostname: string;
  readonly maxMessageBytes: number;
  /** Empty where AUTH is not offered. */
  readonly mechanisms: readonly string[];
  readonly startTls: boolean;
}

/** The reply to EHLO (RFC 5321 section 4.1.1.1). */
export function extensions({ hostname, maxMessageBytes, mechanisms, startTls }: Offer): string {
  const lines = [hostname, 'PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES'];
  if (mechanisms.length > 0) lines.push(`AUTH ${mechanisms.join(' ')}`);
  if (startTls) lines.push('STARTTLS');
  return `${lines.map((line) => `250-${line}\r\n`).join('')}250 SIZE ${maxMessageBytes}\r\n`;
}

/** The ports that SMTP listens on: `tls` is for TLS from the first byte. */
export interface Ports {
  readonly plain: number;
  readonly tls: number | null;
}

/** What the refusal of a client says that took the wrong one of two ports. */
export function otherPort({ plain, tls }: Ports): ReplyValues {
  const cure =
    tls === null
      ? 'turn it off in the settings of the client, or start the service with --smtps-port'
      : `use port ${tls} for it, or turn it off in the settings of the client`;
  return { port: plain, cure };
}
