import type { SmtpError } from '../errors.js';

/** What SMTP reports to the metrics. No method may throw or be waited for. Errors are rows of the table. */
export interface SmtpEvents {
  connected(): void;
  /** One that was taken is closed. */
  disconnected(): void;
  /** A connection was refused before anything of it was read except the header of a proxy. */
  connectionRefused(error: SmtpError): void;
  /** The content of a message has come in whole, so long after it was asked for. */
  contentReceived(ms: number): void;
  messageStored(bytes: number): void;
  /** MAIL, RCPT or DATA was refused, or a message after it. */
  messageRefused(error: SmtpError): void;
  messageLost(): void;
}
