import type { ReceivedEmail } from 'mayfly-client';

/** An email in one line, for lists. */
export function emailLine({ receivedAt, from, subject, otp, magicLink }: ReceivedEmail): string {
  const fields = [
    receivedAt.toISOString(),
    from || '(no sender)',
    subject || '(no subject)',
    otp ?? '',
    magicLink ?? '',
  ];
  return `${printable(fields.filter(Boolean).join('  '))}\n`;
}

/** An email to read. */
export function emailText({ receivedAt, from, subject, otp, magicLink, body }: ReceivedEmail): string {
  const fields = { From: from, Subject: subject, Received: receivedAt.toISOString(), Code: otp, Link: magicLink };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${printable(value ?? 'none')}\n`);
  return `${head.join('')}\n${body.split('\n').map(printable).join('\n').trimEnd()}\n`;
}

/** Control characters of a hostile mail must not reach the terminal. */
function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}
