import { type ErrorValues, errorText, rowName, type SmtpError } from '../errors.js';

/** Replies without their line end: code (RFC 5321 section 4.2), enhanced code (RFC 3463; none with 3xx), text. */
export const replies = {
  ok: '250 2.0.0 OK',
  reset: '250 2.0.0 Flushed',
  bye: '221 2.0.0 Bye',
  notVerified: '252 2.1.5 Address not verified: RCPT shows whether it is accepted',
  startTls: '220 2.0.0 Ready to start TLS',
  authenticated: '235 2.7.0 Authentication successful',
  senderAccepted: '250 2.1.0 Sender accepted',
  recipientAccepted: '250 2.1.5 Recipient accepted',
  sendContent: '354 Send the message, and end it with a line that contains only a dot',
  stored: '250 2.6.0 The mail is stored',
} as const;

/** A refusal, and the row of the error table that it comes from. */
export interface Refused {
  readonly error: SmtpError;
  readonly name: string;
  readonly code: number;
  /** Null over HTTP. */
  readonly enhanced: string | null;
  readonly text: string;
}

export function refusal(error: SmtpError, values?: ErrorValues): Refused {
  const { code, enhanced } = error;
  return { error, name: rowName(error), code, enhanced, text: errorText(error, values) };
}

export function refusalReply({ code, enhanced, text }: Refused): string {
  return `${code} ${enhanced} ${text}`;
}

export function greeting(hostname: string): string {
  return `220 ${hostname} ESMTP Mayfly\r\n`;
}
