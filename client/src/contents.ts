import type { Calls } from './calls.js';
import { contains } from './filter.js';
import type { InboxApi } from './inbox-api.js';
import type { EmailCode, EmailLink, EmailParts, Explanation, HeaderField, MimePart } from './wire.js';

/** The links of an email, in the order of its message. */
export class EmailLinks extends Array<EmailLink> {
  /** The first link whose text or address matches: a part of it, whatever the case, or a pattern. Or as of any array. */
  override find(wanted: string | RegExp): EmailLink | undefined;
  override find(wanted: (link: EmailLink, index: number, links: EmailLink[]) => unknown): EmailLink | undefined;
  override find(wanted: string | RegExp | ((link: EmailLink, index: number, links: EmailLink[]) => unknown)) {
    if (typeof wanted === 'function') return super.find(wanted);
    return super.find(({ text, url }) => contains(text, wanted) || contains(url, wanted));
  }

  /** The link that the mail asks its reader to follow. */
  get action(): EmailLink | undefined {
    return super.find(({ action }) => action);
  }
}

/** A file that is attached to an email. Its content is fetched when it is asked for. */
export interface EmailAttachment {
  /** Decoded and safe file name; without one, `part-` and where it stands in the message. */
  readonly name: string;
  /** Media type in lower case, such as `application/pdf`. */
  readonly type: string;
  /** Decoded size in bytes. */
  readonly size: number;
  /** Its content. */
  bytes(): Promise<Uint8Array>;
  /** The same as text, in the charset that its sender named. */
  text(): Promise<string>;
}

/** What the message of one email holds, read when it is first asked for. */
export class Contents {
  readonly #api: InboxApi;
  readonly #calls: Calls;
  readonly #receivedAt: string;
  #parts: Promise<EmailParts> | null = null;

  constructor(api: InboxApi, calls: Calls, receivedAt: string) {
    this.#api = api;
    this.#calls = calls;
    this.#receivedAt = receivedAt;
  }

  /** Reads it now, in one try: what is asked for afterwards is at hand. */
  async load(signal: AbortSignal): Promise<void> {
    this.#parts ??= Promise.resolve(await this.#api.parts(this.#receivedAt, signal));
  }

  async html(): Promise<string | null> {
    return (await this.#read()).html;
  }

  async links(): Promise<EmailLinks> {
    const links = new EmailLinks();
    for (const link of (await this.#read()).links) links.push(link);
    return links;
  }

  async codes(): Promise<readonly EmailCode[]> {
    return (await this.#read()).codes;
  }

  async headers(): Promise<readonly HeaderField[]> {
    return (await this.#read()).headers;
  }

  async attachments(): Promise<EmailAttachment[]> {
    return (await this.#read()).parts.filter(({ attachment }) => attachment).map((part) => this.#attachment(part));
  }

  explain(): Promise<Explanation> {
    return this.#calls.tried((signal) => this.#api.explanation(this.#receivedAt, signal));
  }

  #attachment({ path, filename, type, size, charset }: MimePart): EmailAttachment {
    const bytes = async () => {
      const content = await this.#calls.tried((signal) => this.#api.part(this.#receivedAt, path, signal));
      return new Uint8Array(await content.arrayBuffer());
    };
    const text = async () => {
      const content = await bytes();
      try {
        return new TextDecoder(charset ?? 'utf-8').decode(content);
      } catch {
        // Its sender has named a charset that nobody knows.
        return new TextDecoder().decode(content);
      }
    };
    return { name: filename ?? `part-${path}`, type, size: size ?? 0, bytes, text };
  }

  /** A failure is not kept: the next call tries again. */
  #read(): Promise<EmailParts> {
    this.#parts ??= this.#calls
      .tried((signal) => this.#api.parts(this.#receivedAt, signal))
      .catch((error) => {
        this.#parts = null;
        throw error;
      });
    return this.#parts;
  }
}
