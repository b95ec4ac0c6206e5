import type { Email, EmailParts } from 'mayfly-protocol/wire';
import type { Calls } from './calls.js';
import type { EmailData, EmailLinks, ReceivedEmail } from './email.js';
import { fromName } from './from-name.js';
import type { InboxApi } from './inbox-api.js';

/** The data of an email of the wire. */
export function emailData(email: Email): EmailData {
  return { ...email, receivedAt: new Date(email.receivedAt), fromName: fromName(email.rawBody) };
}

/** An email whose parts can be read ahead. */
export interface LoadableEmail extends ReceivedEmail {
  /** Reads them now, in one try; later calls have them at hand. */
  load(signal: AbortSignal): Promise<EmailParts>;
  /** Everything that the methods of the email are answered from. */
  parts(): Promise<EmailParts>;
}

/** An email of the wire, and what can be asked for of it: what its message holds is read when it is first asked for. */
export function receivedEmail(email: Email, api: InboxApi, calls: Calls): LoadableEmail {
  const { receivedAt } = email;
  let parts: Promise<EmailParts> | null = null;

  /** A failure is not kept: the next call tries again. */
  const keep = (asked: Promise<EmailParts>) => {
    parts = asked;
    asked.catch(() => {
      parts = null;
    });
    return asked;
  };
  const read = () => parts ?? keep(calls.tried((signal) => api.parts(receivedAt, signal)));

  const methods: Omit<LoadableEmail, keyof EmailData> = {
    html: async () => (await read()).html,
    links: async () => {
      const { links } = await read();
      const { FoundLinks } = await import('./found-links.js');
      return FoundLinks.from(links) as EmailLinks;
    },
    codes: async () => (await read()).codes,
    headers: async () => (await read()).headers,
    attachments: async () => {
      const { parts } = await read();
      const { attachmentsOf } = await import('./attachments.js');
      return attachmentsOf(parts, (path) => calls.tried((signal) => api.partChunks(receivedAt, path, signal)));
    },
    explain: () =>
      calls.tried((signal) => import('./explanation.js').then((it) => it.explanation(api, receivedAt, signal))),
    parts: read,
    load: (signal) => keep(api.parts(receivedAt, signal)),
  };

  const data = emailData(email);
  // They are not data: printing, comparing or serializing an email shows what came.
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(data, name, { value });
  return data as LoadableEmail;
}
