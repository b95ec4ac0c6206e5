import type { SmtpError } from '../errors.js';

/** What SMTP reports to the metrics. No method may throw or block. Errors are rows of the table. */
export interface SmtpEvents {
  connected(): void;
  disconnected(): void;
  /** Refused before anything but a proxy's header was read. */
  connectionRefused(error: SmtpError): void;
  /** A message's content is complete, `ms` after it was requested. */
  contentReceived(ms: number): void;
  messageStored(bytes: number): void;
  /** MAIL, RCPT, DATA or a message was refused. */
  messageRefused(error: SmtpError): void;
  messageLost(): void;
}
