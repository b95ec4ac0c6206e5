// Mails of nearly the largest size that is accepted.

const LARGE_BYTES = 10_000_000;

/** A mail that begins with `head` and goes on with `unit` again and again. */
export function filled(head, unit, bytes = LARGE_BYTES) {
  const mail = Buffer.alloc(bytes, unit);
  mail.write(head, 'latin1');
  return mail;
}
