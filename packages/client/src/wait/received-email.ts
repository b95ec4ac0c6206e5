import type { Email, EmailParts } from 'mayfly-protocol/wire';
import type { Calls } from './calls.js';
import type { EmailData, EmailLinks, ReceivedEmail } from './email.js';
import type { InboxApi } from './inbox-api.js';

const MAX_HEADER_LENGTH = 2 ** 15;

export function emailData(email: Email): EmailData {
  return { ...email, receivedAt: new Date(email.receivedAt), fromName: fromName(email.rawBody) };
}

export interface LoadableEmail extends ReceivedEmail {
  /** Reads the parts now, without retries. Later calls reuse them. */
  load(signal: AbortSignal): Promise<EmailParts>;
  parts(): Promise<EmailParts>;
}

/** Adds methods to an email from the HTTP interface. Its parsed contents are fetched on first use. */
export function receivedEmail(email: Email, api: InboxApi, calls: Calls): LoadableEmail {
  const { receivedAt } = email;
  let parts: Promise<EmailParts> | null = null;

  const keep = (asked: Promise<EmailParts>) => {
    parts = asked;
    // Failures are not cached, so the next call tries again.
    asked.catch(() => {
      parts = null;
    });
    return asked;
  };
  const read = () => parts ?? keep(calls.tried((signal) => api.parts(receivedAt, signal)));

  const contents = () => import('./contents.js');
  const chunksOf = (path: string) => calls.tried((signal) => api.partChunks(receivedAt, path, signal));

  const methods: Omit<LoadableEmail, keyof EmailData> = {
    html: async () => (await read()).html,
    links: async () => (await contents()).FoundLinks.from((await read()).links) as EmailLinks,
    codes: async () => (await read()).codes,
    headers: async () => (await read()).headers,
    attachments: async () => (await contents()).attachmentsOf((await read()).parts, chunksOf),
    explain: () => calls.tried(async (signal) => (await contents()).explanation(api, receivedAt, signal)),
    parts: read,
    load: (signal) => keep(api.parts(receivedAt, signal)),
  };

  const data = emailData(email);
  // Methods are not data, so printing, comparing or serializing an email shows only its fields.
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(data, name, { value });
  return data as LoadableEmail;
}

/** The first From field of a header, including folded lines (RFC 5322 section 2.2.3). An empty line ends the header. */
const FROM = /^(?:.+\r?\n)*?from[ \t]*:(.*(?:\r?\n[ \t].*)*)/i;

/** An encoded word (RFC 2047 section 2) and the blanks before the next word. Its charset may include a language. */
const ENCODED_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi;

/** The part before the address in brackets (RFC 5322 section 3.4); a quoted string may also contain a bracket. */
const BEFORE_BRACKET = /^((?:\\.|"(?:\\.|[^"\\])*"|[^"<\\])*)</;

/** Decoded display name in the From header, on one line; `""` if missing. The API does not return this name. */
export function fromName(message: string): string {
  const [, field = ''] = FROM.exec(message.slice(0, MAX_HEADER_LENGTH)) ?? [];
  const [, name = ''] = BEFORE_BRACKET.exec(field) ?? [];
  // Many senders split a character between encoded words, so the decoder keeps its state while the charset is the same.
  let last = '';
  let decoder = new TextDecoder();
  const decode = (word: string, charset: string, encoding: string, content: string): string => {
    try {
      if (charset !== last) decoder = new TextDecoder(charset);
      last = charset;
      const bytes = /b/i.test(encoding) ? atob(content) : unquoted(content);
      return decoder.decode(
        Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
        { stream: true },
      );
    } catch {
      return word;
    }
  };
  return name
    .replace(/"|\\(.)/g, '$1')
    .replace(ENCODED_WORD, decode)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

function unquoted(content: string): string {
  return content.replace(/_|=([0-9a-f]{2})/gi, (_, hex = '20') => String.fromCharCode(Number(`0x${hex}`)));
}
