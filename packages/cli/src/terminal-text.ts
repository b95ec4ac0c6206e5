import type { ReceivedEmail } from 'mayfly-client';

export function emailLine({ receivedAt, from, subject, otp, magicLink }: ReceivedEmail): string {
  const fields = [receivedAt.toISOString(), from || '(no sender)', subject || '(no subject)', otp, magicLink];
  return `${printable(fields.filter(Boolean).join('  '))}\n`;
}

export function emailText({ receivedAt, from, subject, otp, magicLink, body }: ReceivedEmail): string {
  const fields = { From: from, Subject: subject, Received: receivedAt.toISOString(), Code: otp, Link: magicLink };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${printable(value ?? 'none')}\n`);
  return `${head.join('')}\n${body.split('\n').map(printable).join('\n').trimEnd()}\n`;
}

/** Escapes C1 control characters, which JSON leaves unchanged, because they would reach the terminal. */
export function jsonText(value: unknown): string {
  const escaped = (character: string) => `\\u00${character.charCodeAt(0).toString(16)}`;
  return JSON.stringify(value, null, 2).replace(/[\u007f-\u009f]/g, escaped);
}

/** Replaces control characters, because those of a hostile email must not reach the terminal. */
export function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}
