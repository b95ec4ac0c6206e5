import { errorText, rowName, type Service, type SmtpError } from 'mayfly-inbox/plugin';
import type { Problem } from './problem.js';

/** Reply codes that stand for too much mail; other temporary ones stand for a service that is not well. */
const TOO_MUCH: ReadonlySet<number> = new Set([421, 450]);

/** What a provider would answer where a mail server replied with an error that a name asks for (D56). */
export function rehearsedProblem({ code, enhanced, text }: SmtpError, address: string): Problem {
  const detail = `${code} ${enhanced} ${text}.`;
  const told = { row: 'rehearsed', detail, hint: detail };
  if (code >= 500) return { kind: 'not-served', address, ...told };
  return { kind: TOO_MUCH.has(code) ? 'rate' : 'unavailable', ...told };
}

/** An address that no inbox has. */
export function notAnInbox(error: SmtpError, address: string): Problem {
  const detail = `${address} is not the address of a Mayfly inbox.`;
  return { kind: 'not-served', row: rowName(error), address, detail, hint: `${errorText(error)}.` };
}

/** The first of these recipients that is refused now, because its name asks for that. */
export async function rehearsedRefusal(
  mail: Service['mail'],
  space: string | null,
  addresses: readonly string[],
  envelopeFrom: string,
): Promise<Problem | null> {
  if (mail.refusalOf === undefined) return null;
  for (const address of addresses) {
    const recipient = mail.recipientOf(address, space);
    const error = typeof recipient === 'string' ? null : await mail.refusalOf(recipient, envelopeFrom, 'data');
    if (error !== null) return error.isRehearsed ? rehearsedProblem(error, address) : notAnInbox(error, address);
  }
  return null;
}
