/** Where SMTP tells what happens, such as pino. It is given neither content nor credentials, nor names of inboxes. */
export interface SmtpLog {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
